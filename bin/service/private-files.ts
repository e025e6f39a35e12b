import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Config } from '../../core/settings/config.ts';

type Places = Pick<Config, 'dataDir' | 'database'>;

const DATABASE_FILES = ['', '-wal', '-shm'];
/** What the group and others may do. */
const OF_OTHERS = 0o077;

/** The files and folders of the service that other accounts have rights on, the data folder first. */
export function* openToOthers({ dataDir, database }: Places): Generator<string> {
  // The system has no such rights.
  if (process.platform === 'win32') return;
  yield* openBelow(dataDir, 1);
  // A database elsewhere: its folder may have other uses.
  if (database.dialect === 'sqlite')
    yield* DATABASE_FILES.map((end) => database.file + end).filter((file) => isOpen(statsOf(file, true)));
}

/** Whether accounts beyond the group may read a file: an administrator may own the settings, and the service's group read them. */
export function isOpenToAll(file: string): boolean {
  return process.platform !== 'win32' && ((statsOf(file, true)?.mode ?? 0) & 0o007) !== 0;
}

/** Takes these rights away, whatever the umask was when the files were made. What cannot be changed, `doctor` reports. */
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
  if (left > 0) log.warn({ left }, 'other accounts may use files of DATA_DIR: run doctor');
}

/** @param links how many levels of symbolic links to follow: the folder itself, and what it holds, may be on other disks */
function* openBelow(path: string, links: number): Generator<string> {
  const found = statsOf(path, links >= 0);
  if (isOpen(found)) yield path;
  if (found?.isDirectory()) for (const name of namesIn(path)) yield* openBelow(join(path, name), links - 1);
}

function isOpen(found: Stats | undefined): boolean {
  return found !== undefined && !found.isSymbolicLink() && (found.mode & OF_OTHERS) !== 0;
}

/** Undefined when it is gone by now. */
function statsOf(path: string, follow: boolean): Stats | undefined {
  return (follow ? statSync : lstatSync)(path, { throwIfNoEntry: false });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // What we may not look into is not ours, such as lost+found on a disk of its own.
    if (isGone(error) || hasCode(error, 'EACCES')) return [];
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}
