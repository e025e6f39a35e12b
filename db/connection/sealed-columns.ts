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

/** The next texts that are not sealed yet, in id order. */
export function listPlainAfter(
  db: Database,
  { table, id, column }: SealedColumn,
  after: string,
  limit: number,
): Promise<SealedText[]> {
  const plain = db(table).whereRaw(isPlain(column));
  return plain.where(id, '>', after).orderBy(id).limit(limit).select({ id, sealed: column });
}

export async function countSealed(db: Database, { table, column }: SealedColumn): Promise<number> {
  return countRows(db(table).whereNotNull(column));
}

/** The next sealed texts, in id order. */
export function listSealedAfter(
  db: Database,
  { table, id, column }: SealedColumn,
  after: string,
  limit: number,
): Promise<SealedText[]> {
  const sealed = db(table)
    .whereNotNull(column)
    .whereRaw(`not ${isPlain(column)}`);
  return sealed.where(id, '>', after).orderBy(id).limit(limit).select({ id, sealed: column });
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
