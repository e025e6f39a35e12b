import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** This package's folder. */
export const PACKAGE = fileURLToPath(new URL('../', import.meta.url));

/** The `node_modules` with its dependencies: the root's in a workspace, its own elsewhere. */
export const MODULES = join(dirname(findPackageJSON('sharp', import.meta.url) ?? PACKAGE), '..');
