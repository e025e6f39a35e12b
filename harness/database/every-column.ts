import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Database } from '../../db/connection/database.ts';
import { dialect } from './dialect.ts';

/** A column and its value as text. */
interface HeldColumn {
  table: string;
  column: string;
  values: string[];
}

/** Every value of every column of every table, including the queue's: nothing is selected, so nothing is overlooked. */
async function everyColumn(db: Database): Promise<HeldColumn[]> {
  const held: HeldColumn[] = [];
  for (const table of await tables(db)) {
    const rows: Record<string, unknown>[] = rowsOf(
      await db.raw<Answer<Record<string, unknown>>>(`select * from ${table}`),
    );
    const columns = await columnsOf(db, table);
    for (const column of columns) held.push({ table, column, values: rows.map((row) => asText(row[column])) });
  }
  return held;
}

/** Where any of the texts occurs in the database, as `table.column: text`. */
export async function findInDatabase(db: Database, texts: Iterable<string>): Promise<string[]> {
  const wanted = [...texts].map((text) => text.toLowerCase());
  const found = (await everyColumn(db)).flatMap(({ table, column, values }) =>
    wanted
      .filter((text) => values.some((value) => value.toLowerCase().includes(text)))
      .map((text) => `${table}.${column}: ${text}`),
  );
  return found.sort();
}

/**
 * Where any of the texts occurs in the bytes or names of files below a folder, as `file: text`. Another process copies the files:
 * closing a SQLite file here would drop this process's locks on it.
 */
export async function findInFolder(folder: string, texts: Iterable<string>): Promise<string[]> {
  const copy = await copied(folder);
  try {
    const entries = await readdir(copy, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const wanted = [...texts].map((text) => Buffer.from(text).toString('latin1').toLowerCase());
    const found = files.map(async (file) => {
      const name = file.slice(copy.length + 1);
      const content = `${name}\n${(await readFile(file)).toString('latin1')}`.toLowerCase();
      return wanted.filter((text) => content.includes(text)).map((text) => `${name}: ${text}`);
    });
    return (await Promise.all(found)).flat().sort();
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** Copied again when a file is replaced meanwhile: a running service writes its files beside the old ones first. */
async function copied(folder: string, tries = 5): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'screening-copy-'));
  try {
    await promisify(execFile)('cp', ['-R', `${folder}/.`, copy]);
    return copy;
  } catch (error) {
    await rm(copy, { recursive: true });
    if (tries === 1) throw error;
    return copied(folder, tries - 1);
  }
}

/** The tables of all schemas except the system's, as named in a statement; a table includes its partitions. */
async function tables(db: Database): Promise<string[]> {
  const rows: { name: string }[] = rowsOf(
    await db.raw<Answer<{ name: string }>>(
      dialect === 'sqlite'
        ? `select name from sqlite_master where type = 'table' order by name`
        : `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
           where schemaname not in ('pg_catalog', 'information_schema') and not
             (select relispartition from pg_class where oid = to_regclass(quote_ident(schemaname) || '.' || quote_ident(tablename)))
           order by 1`,
    ),
  );
  return rows.map(({ name }) => name);
}

async function columnsOf(db: Database, table: string): Promise<string[]> {
  if (dialect === 'sqlite') {
    const rows: { name: string }[] = rowsOf(await db.raw<Answer<{ name: string }>>(`pragma table_info(${table})`));
    return rows.map(({ name }) => name);
  }
  const { fields }: { fields: { name: string }[] } = await db.raw(`select * from ${table} limit 0`);
  return fields.map(({ name }) => name);
}

type Answer<Row> = Row[] | { rows: Row[] };

function rowsOf<Row>(answer: Answer<Row>): Row[] {
  return Array.isArray(answer) ? answer : answer.rows;
}

function asText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}
