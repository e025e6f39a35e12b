import type { Knex } from 'knex';
import type { Database } from './database.ts';
import { countRows } from './queries/counts.ts';
import { retried } from './transactions.ts';

/** A column that is sealed at rest. */
export interface SealedColumn {
  table: string;
  /** The column by which rows are addressed and ordered. */
  id: string;
  column: string;
}

export interface SealedText {
  id: string;
  /** As stored. */
  sealed: string;
}

/** JSON in the clear, from versions before migration 0023. Literal, as in the indexes that hold exactly these rows. */
const isPlain = (column: string) => `substr(${column}, 1, 1) = '{'`;

export function countPlain(db: Database, columns: readonly SealedColumn[]): Promise<number> {
  const plain = columns.map(({ table, column }) => db(table).whereRaw(isPlain(column)).select(db.raw('1 as one')));
  const all = plain.reduce((some, one) => some.unionAll(one));
  return countRows(db.from(all.as('plain')));
}

/** The texts that are not sealed yet. */
export function plainTexts(db: Database, of: SealedColumn): AsyncGenerator<SealedText> {
  return textsOf(db, of, () => db(of.table).whereRaw(isPlain(of.column)));
}

export async function countSealed(db: Database, { table, column }: SealedColumn): Promise<number> {
  return countRows(db(table).whereNotNull(column));
}

export function sealedTexts(db: Database, of: SealedColumn): AsyncGenerator<SealedText> {
  return textsOf(db, of, () =>
    db(of.table)
      .whereNotNull(of.column)
      .whereRaw(`not ${isPlain(of.column)}`),
  );
}

/** A report has megabytes: texts are read together up to this size, and a larger text alone. */
const MAX_BYTES_AT_ONCE = 4 * 1024 * 1024;
const MAX_ROWS_AT_ONCE = 200;

/** In id order. The ids decide where a pass ends, because a text may be gone by the time it is read. */
async function* textsOf(db: Database, { id, column }: SealedColumn, rows: () => Rows): AsyncGenerator<SealedText> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const next = rows().where(id, '>', after).orderBy(id).limit(MAX_ROWS_AT_ONCE);
    const listed: ListedText[] = await next.select({ id, bytes: db.raw('octet_length(??)', column) });
    for (const ids of readTogether(listed))
      yield* await rows().whereIn(id, ids).orderBy(id).select<SealedText[]>({ id, sealed: column });
    after = listed.at(-1)?.id;
  }
}

type Rows = Knex.QueryBuilder<Record<string, string>>;
type ListedText = Pick<SealedText, 'id'> & { bytes: number };

function readTogether(listed: readonly ListedText[]): string[][] {
  const all: string[][] = [];
  let room = 0;
  for (const { id, bytes } of listed) {
    const last = all.at(-1);
    room -= bytes;
    if (last && room >= 0) last.push(id);
    else {
      all.push([id]);
      room = MAX_BYTES_AT_ONCE - bytes;
    }
  }
  return all;
}

/** @returns false when the text has changed since it was read */
export async function replaceSealed(
  db: Database,
  { table, id, column }: SealedColumn,
  seen: SealedText,
  sealed: string,
): Promise<boolean> {
  const changed: number = await retried(db, () =>
    db(table)
      .where({ [id]: seen.id, [column]: seen.sealed })
      .update({ [column]: sealed }),
  );
  return changed === 1;
}
