import { existsSync } from 'node:fs';
import { link, rename, writeFile } from 'node:fs/promises';
import Sqlite from 'better-sqlite3';
import { codeOf } from '../../core/errors.ts';
import { isSqliteBusy } from './database-errors.ts';

/** Copying yields to the event loop after each step. */
const PAGES_PER_STEP = 1_000;
const UNREADABLE = /^SQLITE_(?:NOTADB|CORRUPT)/;

/** A consistent copy of a database in use, readable by its owner only. @param tick takes the number of pages copied so far */
export async function copySqlite(file: string, to: string, tick: (done: number) => void): Promise<void> {
  const source = new Sqlite(file, { fileMustExist: true });
  try {
    // SQLite would create the copy as the umask allows.
    await writeFile(to, '', { mode: 0o600, flag: 'wx' });
    // An open read transaction pins the snapshot; otherwise each write by another process restarts the copy.
    source.exec('begin');
    source.prepare('select count(*) from sqlite_master').get();
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        tick(totalPages - remainingPages);
        return PAGES_PER_STEP;
      },
    });
  } finally {
    source.close();
  }
}

export function pagesOf(file: string): number {
  const database = new Sqlite(file, { fileMustExist: true });
  try {
    return Number(database.pragma('page_count', { simple: true }));
  } finally {
    database.close();
  }
}

export function isIntact(file: string): boolean {
  const database = new Sqlite(file, { fileMustExist: true });
  try {
    return database.pragma('integrity_check', { simple: true }) === 'ok';
  } catch {
    return false;
  } finally {
    database.close();
  }
}

/** Locks every other process out until released. @returns undefined while others have the database open */
export function holdAlone(file: string): (() => void) | undefined {
  if (!existsSync(file)) return () => {};
  const database = new Sqlite(file, { timeout: 0 });
  try {
    // Leaving WAL mode needs every lock, including those of idle connections, and merges the log into the file.
    database.pragma('journal_mode = DELETE');
    database.exec('begin exclusive');
    return () => database.close();
  } catch (error) {
    database.close();
    if (isSqliteBusy(error)) return undefined;
    // An unreadable database may be replaced, which is the purpose of backups.
    if (UNREADABLE.test(codeOf(error))) return () => {};
    throw error;
  }
}

/** Replaces a database atomically and keeps the old one. @returns whether there was one */
export async function replaceDatabase(file: string, by: string, keptAs: string): Promise<boolean> {
  // An unreadable database leaves files of its own behind.
  for (const end of ['-wal', '-shm']) if (existsSync(file + end)) await rename(file + end, keptAs + end);
  const wasThere = existsSync(file);
  if (wasThere) await link(file, keptAs);
  await rename(by, file);
  return wasThere;
}
