import { existsSync } from 'node:fs';
import { link, rename } from 'node:fs/promises';
import Sqlite from 'better-sqlite3';

/** How many pages are copied before others of this process get their turn. */
const PAGES_A_STEP = 1_000;

/**
 * Copies a database that others are writing to, as it is at one moment.
 * @param tick hears how many pages are done
 */
export async function copySqlite(file: string, to: string, tick: (done: number) => void): Promise<void> {
  const source = new Sqlite(file, { fileMustExist: true });
  try {
    // Whoever reads keeps the moment; without it, each change by others would begin the copy anew.
    source.exec('begin');
    source.prepare('select count(*) from sqlite_master').get();
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        tick(totalPages - remainingPages);
        return PAGES_A_STEP;
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

/** Whether SQLite finds every page and index of a file as it should be. */
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

/**
 * Takes a database for ourselves alone: nobody else has it open, and nobody can begin to use it until it is released.
 * @returns what releases it; undefined while others have it open
 */
export function holdAlone(file: string): (() => void) | undefined {
  if (!existsSync(file)) return () => {};
  const database = new Sqlite(file, { timeout: 0 });
  try {
    // Leaving the write-ahead log takes every lock there is, also of those who are idle, and makes the file whole by itself.
    database.pragma('journal_mode = DELETE');
    database.exec('begin exclusive');
    return () => database.close();
  } catch (error) {
    database.close();
    if (hasCode(error, 'SQLITE_BUSY')) return undefined;
    // It cannot be read at all: that is what backups are for.
    if (hasCode(error, 'SQLITE_NOTADB') || hasCode(error, 'SQLITE_CORRUPT')) return () => {};
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith(code);
}

/**
 * Puts another file in the place of a database, which is kept under another name. There is never a moment without one.
 * @returns whether there was one
 */
export async function replaceDatabase(file: string, by: string, aside: string): Promise<boolean> {
  // What a database left here that cannot be read any more: it belongs to that one.
  for (const end of ['-wal', '-shm']) if (existsSync(file + end)) await rename(file + end, aside + end);
  const wasThere = existsSync(file);
  if (wasThere) await link(file, aside);
  await rename(by, file);
  return wasThere;
}
