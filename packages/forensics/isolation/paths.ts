import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** This package's folder. */
export const PACKAGE = fileURLToPath(new URL('../', import.meta.url));

/** The `node_modules` with its dependencies: the root's in a workspace, its own elsewhere. */
export const MODULES = join(dirname(installed('sharp')), '..');

/** @throws when it is missing: a guess would open another folder to the sandbox */
function installed(name: string): string {
  const found = findPackageJSON(name, import.meta.url);
  if (!found) throw new Error(`The package ${name} is not installed.`);
  return found;
}
