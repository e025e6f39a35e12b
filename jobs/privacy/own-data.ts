import type { Readable } from 'node:stream';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { findKeysBeside } from '../../db/access/api-keys.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import {
  askForErasure,
  type ErasureRequestRow,
  findErasureRequest,
  withdrawErasureRequest,
} from '../../db/privacy/erasure-requests.ts';
import { findHeldData, type HeldData } from '../../db/privacy/held-data.ts';
import type { Runtime } from '../runtime.ts';
import { archiveOf } from './archive.ts';
import { exportPerson } from './privacy-export.ts';

/** The shortest month: people must have an answer within one month (GDPR article 12(3)). */
export const ERASURE_DAYS = 28;

/** How many of each kind a page shows. */
export const MAX_SHOWN = 50;

/** The person behind a link, and an API key of the landlord who holds their data. */
export interface DataSubject {
  participantId: string;
  email: string;
  apiKeyId: string;
}

/** The data that the landlord holds about a person, and the person's own requests. */
export interface OwnData {
  held: HeldData;
  request: ErasureRequestRow | undefined;
}

export async function findOwnData(
  { db }: Pick<Runtime, 'db'>,
  { participantId, email, apiKeyId }: DataSubject,
): Promise<OwnData> {
  const scope = { apiKeyIds: await findKeysBeside(db, apiKeyId) };
  const held = await findHeldData(db, email, scope, MAX_SHOWN);
  return { held, request: await findErasureRequest(db, { participantId, apiKeyId }) };
}

/** The same as a ZIP file, with documents and results. Audited before any byte can be read. */
export async function copyOwnData(
  runtime: Pick<Runtime, 'db' | 'providers' | 'keys' | 'now'>,
  { participantId, email, apiKeyId }: DataSubject,
): Promise<Readable> {
  const { db, providers, now } = runtime;
  const held = await exportPerson(runtime, email, { apiKeyIds: await findKeysBeside(db, apiKeyId) });
  await inTransaction(db, (trx) =>
    recordAudit(trx, { kind: 'person', id: participantId }, 'participant.export', participantId, now()),
  );
  return archiveOf(held, providers.documents, () => {});
}

/** Queues the request for the operators. A no-op while an earlier one is open. */
export function askToBeErased(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  { participantId, apiKeyId }: DataSubject,
): Promise<void> {
  return inTransaction(db, async (trx) => {
    const at = now();
    const due_at = isoAfter(at, ERASURE_DAYS * DAY_MS);
    const request = { participant_id: participantId, api_key_id: apiKeyId, requested_at: at.toISOString(), due_at };
    if (!(await askForErasure(trx, request))) return;
    await recordAudit(trx, { kind: 'person', id: participantId }, 'participant.ask-erasure', participantId, at);
  });
}

/** Takes an open request back. A no-op once it was answered. */
export function withdrawErasure(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  { participantId }: DataSubject,
): Promise<void> {
  return inTransaction(db, async (trx) => {
    if (!(await withdrawErasureRequest(trx, participantId))) return;
    await recordAudit(trx, { kind: 'person', id: participantId }, 'participant.withdraw-erasure', participantId, now());
  });
}
