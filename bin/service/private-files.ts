import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeInBrackets, hasCode } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Config } from '../../core/settings/config.ts';
import { ConfigError } from '../../core/settings/config-error.ts';

type Places = Pick<Config, 'dataDir' | 'database'>;

const DATABASE_FILES = ['', '-wal', '-shm'];
/** The permissions of the group and others. */
const OF_OTHERS = 0o077;

/**
 * Creates DATA_DIR if it is missing. Fails at the start instead of at the first upload.
 * @throws ConfigError when this account cannot write it
 */
export function requireDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // Not access(2), which network file systems answer without asking their server.
    rmdirSync(mkdtempSync(join(dataDir, '.writable-')));
  } catch (error) {
    // Start even on a full disk: stored data can still be read, and space can be freed while the service runs.
    if (hasCode(error, 'ENOSPC')) return;
    throw new ConfigError([
      `DATA_DIR is ${dataDir}, which this account cannot write${codeInBrackets(error)}; use a folder that it owns.`,
    ]);
  }
}

/** The service's files and folders that other accounts may access, the data folder first. */
export function* openToOthers({ dataDir, database }: Places): Generator<string> {
  // The system has no such permissions.
  if (process.platform === 'win32') return;
  yield* openBelow(dataDir, 1);
  // A database elsewhere: its folder may have other uses.
  if (database.dialect === 'sqlite')
    yield* DATABASE_FILES.map((end) => database.file + end).filter((file) => isOpen(statsOf(file, true)));
}

/** Whether accounts outside the group may read a file: an administrator may own the settings, readable by the service's group. */
export function isOpenToAll(file: string): boolean {
  return process.platform !== 'win32' && ((statsOf(file, true)?.mode ?? 0) & 0o007) !== 0;
}

/**
 * Removes these permissions, regardless of the umask under which the files were created. The doctor reports files that cannot be changed.
 */
export function closeToOthers(places: Places, log: Log): void {
  let left = 0;
  for (const path of openToOthers(places))
    try {
      chmodSync(path, statSync(path).mode & ~OF_OTHERS);
    } catch (error) {
      if (isGone(error)) continue;
      if (!hasCode(error, 'EPERM') && !hasCode(error, 'EROFS')) throw error;
      left++;
    }
  if (left > 0) log.warn({ left }, 'files in DATA_DIR are accessible to other users: run doctor');
}

/**
 * @param links how many levels of symbolic links to follow: the folder itself and its content may be on other disks
 */
function* openBelow(path: string, links: number): Generator<string> {
  const found = statsOf(path, links >= 0);
  if (isOpen(found)) yield path;
  if (found?.isDirectory()) for (const name of namesIn(path)) yield* openBelow(join(path, name), links - 1);
}

function isOpen(found: Stats | undefined): boolean {
  return found !== undefined && !found.isSymbolicLink() && (found.mode & OF_OTHERS) !== 0;
}

/** Undefined when it no longer exists. */
function statsOf(path: string, follow: boolean): Stats | undefined {
  return (follow ? statSync : lstatSync)(path, { throwIfNoEntry: false });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // Unreadable folders are not ours, such as lost+found on a separate disk.
    if (isGone(error) || hasCode(error, 'EACCES')) return [];
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}
