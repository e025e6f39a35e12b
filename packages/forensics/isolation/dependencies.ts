import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installed, PACKAGE } from './paths.ts';

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Not read by any module; the container image has its own Node instead. */
const RUNTIME = 'node';

/**
 * The `node_modules` folders that hold this package's dependencies and theirs, outermost first. There may be several: npm nests a package
 * if another version occupies the outer folder. Symbolic links and their targets both count.
 */
export const MODULES = outermost(foldersOf(join(PACKAGE, 'package.json')));

/** @throws if a dependency of the manifest itself is missing; packages may lack some of their own */
function foldersOf(manifest: string): Set<string> {
  const folders = new Set<string>();
  const names = namesIn(manifest).filter((name) => name !== RUNTIME);
  const manifests = new Set(names.map((name) => installed(name, pathToFileURL(manifest))));
  // Iteration also visits elements added meanwhile.
  for (const found of manifests) {
    const real = realpathSync(found);
    folders.add(folderOf(found)).add(folderOf(real));
    for (const name of namesIn(real)) {
      const next = ifInstalled(name, real);
      if (next) manifests.add(next);
    }
  }
  return folders;
}

/** Undefined for optional packages of other systems, which are not installed. */
function ifInstalled(name: string, importer: string): string | undefined {
  try {
    return installed(name, pathToFileURL(importer));
  } catch {
    return undefined;
  }
}

function namesIn(file: string): string[] {
  const { dependencies, optionalDependencies }: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

/** The innermost `node_modules` around a file, or the file's own folder if there is none. */
function folderOf(file: string): string {
  const at = file.lastIndexOf(`${sep}node_modules${sep}`);
  return at < 0 ? dirname(file) : file.slice(0, at + `${sep}node_modules`.length);
}

function outermost(folders: Set<string>): string[] {
  const all = [...folders].sort((one, other) => one.length - other.length);
  return all.filter((folder) => !all.some((outer) => folder.startsWith(`${outer}${sep}`)));
}
