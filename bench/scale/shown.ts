import { Readable } from 'node:stream';
import { sampleOf } from '@tenant-screening/forensics-corpus/samples.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { createLandlord } from '../../db/access/landlords.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { insertForensicRun } from '../../db/documents/forensic-runs.ts';
import { askForErasure } from '../../db/privacy/erasure-requests.ts';
import { insertWebhook } from '../../db/webhooks/webhooks.ts';
import { bulkId, orderedSpread } from '../../harness/database/bulk-rows.ts';
import type { Someone } from '../../harness/plans/operator-commands.ts';
import { finishedReport } from '../../harness/service/finished-report.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { runForensic } from '../../jobs/documents/run-forensic.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { type Amounts, KEYS } from './amounts.ts';

const DOCUMENTS = ['as-produced', 'overlay'] as const;

/** Someone in the middle of the history, with what belongs to them, and with a page of everything. */
export async function someoneIn(runtime: Runtime, amounts: Amounts) {
  const { db } = runtime;
  const number = Math.round(amounts.applications / 2);
  const key = (number % KEYS) + 1;
  const spread = orderedSpread(amounts.applications);
  const someone: Someone = {
    clientId: bulkId('other', key),
    actorId: bulkId('key', key),
    landlordId: bulkId('landlord', 0, orderedSpread(amounts.applications / 10)),
    tenantId: bulkId('tenant', number, spread),
    webhookId: bulkId('webhook', key),
  };
  const participantId = bulkId('participant', 3 * number, orderedSpread(3 * amounts.applications));
  const now = new Date();
  const request = { participant_id: participantId, api_key_id: someone.actorId, requested_at: now.toISOString() };
  await inTransaction(db, (trx) => askForErasure(trx, { ...request, due_at: isoAfter(now, 30 * DAY_MS) }));
  const delivery = await db('deliveries').where({ webhook_id: someone.webhookId }).first('id');
  const entry = await db('audit_entries').where({ position: amounts.applications }).first('sequence');
  if (!delivery || !entry) throw new Error('The history has nothing to show.');
  const runId = await analysed(runtime, someone);
  const applicationId = bulkId('application', number, spread);
  const { id: reportId } = await finishedReport(runtime, applicationId);
  const document = await db('documents').where({ tenant_id: someone.tenantId }).first('id');
  const ids = {
    documentId: document?.id ?? '',
    deliveryId: delivery.id,
    sequence: String(entry.sequence),
    runId,
    reportId,
    participantId,
  };
  return { someone, shown: { applicationId, ...ids } };
}

/** A landlord to whom nothing has happened: to look for that must not read what happened to all others. */
export async function idleLandlord(runtime: Runtime, { tenantId }: Someone): Promise<Someone> {
  const { db } = runtime;
  const now = new Date();
  const landlord = await createLandlord(db, 'Idle', now);
  const { apiKey } = await createApiKey(db, landlord.id, 'Idle', now);
  const webhook = { apiKeyId: apiKey.id, url: 'https://letting.example/idle', sealedSecret: null };
  const webhookId = await insertWebhook(db, webhook, now);
  return { clientId: apiKey.client_id, actorId: apiKey.id, landlordId: landlord.id, tenantId, webhookId };
}

/** @returns the id of the analysis */
async function analysed(runtime: Runtime, { tenantId: tenant_id, actorId: api_key_id }: Someone): Promise<string> {
  const { db, queue, now } = runtime;
  const of = { tenant_id, api_key_id };
  const samples = await Promise.all(DOCUMENTS.map((method) => sampleOf(1, 1, method)));
  const given = samples.map(({ name, bytes }) => ({ name, content: Readable.from([Buffer.from(bytes)]) }));
  await storingDocuments(runtime, given, (trx, stored) => addDocuments(trx, queue, of, stored, 'applicant', now()));
  const begun = await db('forensic_runs')
    .where({ ...of, status: 'pending' })
    .first('id');
  const id = begun?.id ?? (await inTransaction(db, (trx) => insertForensicRun(trx, of, now())));
  await runForensic(runtime, id);
  return id;
}
