import { sealText, textOpenedBy, unsealText } from '../../core/secrets/secrets.ts';
import { UnreadableDocument } from '../../providers/documents/port.ts';
import { discardUnused } from '../documents/add-document.ts';
import type { Runtime } from '../runtime.ts';

/** What is sealed at rest, as an operator knows it. */
export const SEALED_KINDS = ['webhook_secrets', 'verifications', 'invitations', 'documents'] as const;
export type SealedKind = (typeof SEALED_KINDS)[number];

/** One sealed thing, as it was when it was looked at. */
export interface SealedThing {
  kind: SealedKind;
  /** The place in the ring of the key that opens it, 0 for the current one; undefined when none does. */
  openedBy: number | undefined;
  /** Seals it anew with the current key, unless it was changed since: then it has to be looked at again. */
  reseal(): Promise<boolean>;
}

type Parts = Pick<Runtime, 'db' | 'providers' | 'keys' | 'log'>;

/** A sealed column, and the column that its rows are told apart by. */
interface SealedColumn {
  kind: SealedKind;
  table: string;
  id: string;
  column: string;
}

const BATCH = 200;
const COLUMNS: readonly SealedColumn[] = [
  { kind: 'webhook_secrets', table: 'webhooks', id: 'id', column: 'sealed_secret' },
  { kind: 'webhook_secrets', table: 'former_webhook_secrets', id: 'id', column: 'sealed_secret' },
  { kind: 'verifications', table: 'kyc_verifications', id: 'id', column: 'sealed_memory' },
  { kind: 'verifications', table: 'eid_flows', id: 'id', column: 'sealed_memory' },
  { kind: 'verifications', table: 'eid_attempts', id: 'state_hash', column: 'sealed_luggage' },
  { kind: 'invitations', table: 'invites', id: 'id', column: 'sealed_token' },
];

/**
 * Everything that is sealed and that a row needs, batch by batch, beside a running service.
 * @throws ProviderUnavailable
 */
export async function* sealedThings(parts: Parts): AsyncGenerator<SealedThing> {
  for (const column of COLUMNS) yield* sealedTexts(parts, column);
  yield* sealedDocuments(parts);
}

/** How many there are. */
export async function countSealedThings({ db }: Parts): Promise<number> {
  const counts = [
    ...COLUMNS.map(({ table, column }) => db(table).whereNotNull(column).count({ number: '*' })),
    db('documents').countDistinct({ number: 'sha256' }),
  ];
  let sum = 0;
  for (const count of counts) for (const { number } of await count) sum += Number(number);
  return sum;
}

async function* sealedTexts(parts: Parts, { kind, table, id, column }: SealedColumn): AsyncGenerator<SealedThing> {
  const { db } = parts;
  const ring = parts.keys.encryption;
  const next = (after: string): PromiseLike<{ key: string; sealed: string }[]> =>
    db(table).whereNotNull(column).where(id, '>', after).orderBy(id).limit(BATCH).select({ key: id, sealed: column });
  for await (const { key, sealed } of inBatches(next)) {
    const reseal = async () => {
      const anew = sealText(unsealText(sealed, ring), ring);
      const changed: number = await db(table)
        .where({ [id]: key, [column]: sealed })
        .update({ [column]: anew });
      return changed === 1;
    };
    yield { kind, openedBy: textOpenedBy(sealed, ring), reseal };
  }
}

/** Stored bytes that no row needs are left out: they are in nobody's way, and are tidied away. */
async function* sealedDocuments(parts: Parts): AsyncGenerator<SealedThing> {
  const { documents } = parts.providers;
  const next = (after: string): PromiseLike<{ key: string }[]> =>
    parts.db('documents').where('sha256', '>', after).orderBy('sha256').limit(BATCH).distinct({ key: 'sha256' });
  for await (const { key: sha256 } of inBatches(next)) {
    const openedBy = await unlessUnreadable(documents.openedBy(sha256));
    const reseal = async () => {
      const stored = await unlessUnreadable(documents.reseal(sha256));
      if (stored) await discardUnused(parts, [stored]);
      return stored !== undefined;
    };
    yield { kind: 'documents', openedBy, reseal };
  }
}

async function* inBatches<Row extends { key: string }>(
  next: (after: string) => PromiseLike<Row[]>,
): AsyncGenerator<Row> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const batch: Row[] = await next(after);
    yield* batch;
    after = batch.at(-1)?.key;
  }
}

async function unlessUnreadable<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof UnreadableDocument) return undefined;
    throw error;
  }
}
