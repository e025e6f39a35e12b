import { on } from '../../core/errors.ts';
import { seal, textOpenedBy, unsealBytes } from '../../core/secrets/secrets.ts';
import { countSealed, replaceSealed, type SealedColumn, sealedTexts } from '../../db/connection/sealed-columns.ts';
import { countDigests, listDigestsAfter } from '../../db/documents/documents.ts';
import { UnreadableDocument } from '../../providers/documents/port.ts';
import { discardUnused } from '../documents/add-document.ts';
import type { Runtime } from '../runtime.ts';

/** What is sealed at rest, in the operators' terms. */
export const SEALED_KINDS = [
  'webhook_secrets',
  'verifications',
  'invitations',
  'results',
  'events',
  'forms',
  'documents',
] as const;
export type SealedKind = (typeof SEALED_KINDS)[number];

export interface SealedThing {
  kind: SealedKind;
  /** The index in the ring of the key that opens it, 0 for the current one; undefined when none does. */
  openedBy: number | undefined;
  /** Seals it with the current key. @returns false when it has changed since and must be read again */
  reseal(): Promise<boolean>;
}

export type Sealing = Pick<Runtime, 'db' | 'providers' | 'keys' | 'log'>;

const BATCH = 200;
type Column = SealedColumn & { kind: SealedKind };

/** Sealed since migration 0023. */
export const RESULT_COLUMNS: readonly Column[] = [
  { kind: 'results', table: 'kyc_verifications', id: 'id', column: 'result' },
  { kind: 'results', table: 'forensic_runs', id: 'id', column: 'result' },
  { kind: 'events', table: 'events', id: 'id', column: 'body' },
];
export const SEALED_COLUMNS: readonly Column[] = [
  { kind: 'webhook_secrets', table: 'webhooks', id: 'id', column: 'sealed_secret' },
  { kind: 'webhook_secrets', table: 'former_webhook_secrets', id: 'id', column: 'sealed_secret' },
  { kind: 'verifications', table: 'kyc_verifications', id: 'id', column: 'sealed_memory' },
  { kind: 'verifications', table: 'eid_flows', id: 'id', column: 'sealed_memory' },
  { kind: 'verifications', table: 'eid_attempts', id: 'state_hash', column: 'sealed_luggage' },
  { kind: 'verifications', table: 'bank_connections', id: 'id', column: 'sealed_memory' },
  { kind: 'invitations', table: 'invites', id: 'id', column: 'sealed_token' },
  ...RESULT_COLUMNS,
  { kind: 'results', table: 'forensic_runs', id: 'id', column: 'sealed_claims' },
  { kind: 'results', table: 'bank_connections', id: 'id', column: 'sealed_statement' },
  { kind: 'results', table: 'reports', id: 'id', column: 'sealed_viewer' },
  { kind: 'results', table: 'reports', id: 'id', column: 'sealed_content' },
  { kind: 'results', table: 'reports', id: 'id', column: 'sealed_file' },
  { kind: 'results', table: 'report_parts', id: 'id', column: 'sealed_part' },
  { kind: 'results', table: 'signing_keys', id: 'id', column: 'sealed_key' },
  { kind: 'results', table: 'finding_decisions', id: 'id', column: 'sealed_reason' },
  { kind: 'results', table: 'document_glances', id: 'document_id', column: 'sealed_glance' },
  { kind: 'results', table: 'document_glances', id: 'document_id', column: 'sealed_thumbnail' },
  { kind: 'events', table: 'event_bodies', id: 'id', column: 'body' },
  { kind: 'forms', table: 'member_forms', id: 'member_id', column: 'sealed_form' },
  { kind: 'forms', table: 'account_forms', id: 'account_id', column: 'sealed_form' },
];

/** Everything sealed that a row refers to, in batches. @throws ProviderUnavailable */
export async function* sealedThings(parts: Sealing): AsyncGenerator<SealedThing> {
  for (const column of SEALED_COLUMNS) yield* sealedInColumn(parts, column);
  yield* sealedDocuments(parts);
}

export async function countSealedThings({ db }: Pick<Sealing, 'db'>): Promise<number> {
  let sum = 0;
  for (const column of SEALED_COLUMNS) sum += await countSealed(db, column);
  return sum + (await countDigests(db));
}

async function* sealedInColumn({ db, keys }: Sealing, column: Column): AsyncGenerator<SealedThing> {
  const ring = keys.encryption;
  for await (const text of sealedTexts(db, column)) {
    const { sealed } = text;
    // Some are no texts: a picture, for instance.
    const reseal = () => replaceSealed(db, column, text, seal(unsealBytes(sealed, ring), ring).toString('base64'));
    yield { kind: column.kind, openedBy: textOpenedBy(sealed, ring), reseal };
  }
}

const unlessUnreadable = on(UnreadableDocument, () => undefined);

/** Skips stored bytes that no row refers to: `tidyDocuments` removes them. */
async function* sealedDocuments(parts: Sealing): AsyncGenerator<SealedThing> {
  const { documents } = parts.providers;
  for await (const sha256 of digests(parts)) {
    const openedBy = await documents.openedBy(sha256).catch(unlessUnreadable);
    const reseal = async () => {
      const stored = await documents.reseal(sha256).catch(unlessUnreadable);
      if (stored) await discardUnused(parts, [stored]);
      return stored !== undefined;
    };
    yield { kind: 'documents', openedBy, reseal };
  }
}

async function* digests({ db }: Pick<Sealing, 'db'>): AsyncGenerator<string> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const batch: string[] = await listDigestsAfter(db, after, BATCH);
    yield* batch;
    after = batch.at(-1);
  }
}
