import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** This package's folder. */
export const PACKAGE = fileURLToPath(new URL('../', import.meta.url));

/** The folder of sharp, whose native code decodes pictures. */
export const SHARP = dirname(installed('sharp', import.meta.url));

/**
 * The package.json of an installed package, as the importing file resolves it.
 * @throws when it is missing: a guess would open another folder to the sandbox
 */
export function installed(name: string, importer: string | URL): string {
  const found = findPackageJSON(name, importer);
  if (!found) throw new Error(`The package ${name} is not installed.`);
  return found;
}
