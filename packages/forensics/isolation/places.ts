import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package. */
export const PACKAGE = fileURLToPath(new URL('../', import.meta.url));

/** Where its dependencies are installed: beside it as a workspace, below it elsewhere. */
export const MODULES = join(dirname(findPackageJSON('sharp', import.meta.url) ?? PACKAGE), '..');
