import { hash } from 'node:crypto';
import { EngineClosed } from '@tenant-screening/forensics/analyse';
import type { Analysis } from '@tenant-screening/forensics/analysis';
import { type Cause, idsOf } from '../../core/ids.ts';
import { keptPapers } from '../../core/rules/income-papers.ts';
import { type TenantOfKey, tenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { ifOpened, sealText, unsealJson } from '../../core/secrets/secrets.ts';
import { lockTenant } from '../../db/applications/tenants.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { type DocumentRow, findDocuments } from '../../db/documents/documents.ts';
import {
  completeForensicRun,
  findLatestResult,
  findOpenRun,
  findReusableResult,
  startForensicRun,
} from '../../db/documents/forensic-runs.ts';
import type { Ending } from '../../queue/lane-policy.ts';
import type { Runtime } from '../runtime.ts';
import { type Emitting, emitEvent } from '../webhooks/emit-event.ts';
import { type Analysing, analyseDocuments } from './analyse-documents.ts';
import {
  type ForensicResult,
  forensicResult,
  MAX_EVENT_BYTES,
  MAX_STORED_BYTES,
  shortened,
} from './forensic-result.ts';
import { startForensic } from './start-forensic.ts';

type Completing = Pick<Runtime, 'queue' | 'keys' | 'now'>;

interface Claimed extends Cause {
  of: TenantOfKey;
}

/**
 * 1. Claims the run.
 * 2. Completes it with the stored result when the key's documents of the tenant were analysed by the same rules before.
 * 3. Otherwise analyses the documents outside any transaction, then stores the result and emits the event in one.
 * 4. Begins again at 2 when a document was removed meanwhile: no result speaks of it.
 */
export async function runForensic(runtime: Analysing & Completing, id: string): Promise<Ending> {
  const { db, forensics } = runtime;
  const run = await startForensicRun(db, id);
  const of = run && tenantOfKey(run);
  if (!of) return 'nothing';
  const claimed: Claimed = { id, of, created_at: run.created_at };
  try {
    const edition = await forensics.edition();
    for (;;) {
      if (await inTransaction(db, (trx) => reuseResult(trx, runtime, claimed, edition))) return 'nothing';
      const documents = await findDocuments(db, of);
      const analysis = await analyseDocuments(runtime, of, documents);
      const basis = basisOf(documents, edition);
      if (await inTransaction(db, (trx) => complete(trx, runtime, claimed, analysis, basis))) return 'success';
    }
  } catch (error) {
    // As after a crash, another process takes over the run, and no failure is counted.
    if (!(error instanceof EngineClosed)) throw error;
    return 'nothing';
  }
}

/** The basis of a result. Findings about other tenants' documents reflect the time of the analysis. */
function basisOf(documents: readonly DocumentRow[], edition: string): string {
  return hash('sha256', JSON.stringify([edition, ...documents.map(({ id, name, sha256 }) => [id, name, sha256])]));
}

/** Completes the run with an earlier result and emits its event again. @returns false when there is no such result */
async function reuseResult(
  trx: Transaction,
  { log, ...runtime }: Completing & Pick<Runtime, 'log'>,
  claimed: Claimed,
  edition: string,
): Promise<boolean> {
  const { id, of } = claimed;
  await lockTenant(trx, of.tenant_id);
  const documents = await findDocuments(trx, of);
  // Once retention has deleted the documents, there is nothing left to analyse.
  const stored = await (documents.length > 0
    ? findReusableResult(trx, of, basisOf(documents, edition))
    : findLatestResult(trx, of));
  const result = stored && readResult(stored.result, runtime.keys);
  if (!result) return false;
  const moment = runtime.now();
  if (await completeForensicRun(trx, id, { result_of: stored.id }, moment)) {
    await emitResult(trx, runtime, claimed, result, moment, { isRepeated: true });
    log.info({ run_id: id, result_of: stored.id }, 'stored analysis reused');
  }
  return true;
}

/** @returns undefined when no key opens it: the documents are analysed again */
function readResult(sealed: string, { encryption }: Runtime['keys']): ForensicResult | undefined {
  return ifOpened(() => JSON.parse(unsealJson(sealed, encryption)));
}

/**
 * A document that arrived during the analysis is missing from its result, so another run follows.
 * @returns false, and keeps nothing, when a document was removed during the analysis
 */
async function complete(
  trx: Transaction,
  runtime: Completing,
  claimed: Claimed,
  analysis: Analysis,
  basis: string,
): Promise<boolean> {
  const { queue, keys, now } = runtime;
  const { id, of } = claimed;
  await lockTenant(trx, of.tenant_id);
  const present = new Set(idsOf(await findDocuments(trx, of)));
  const isOpen = (await findOpenRun(trx, of))?.id === id;
  if (isOpen && analysis.documents.some(({ document_id }) => !present.has(document_id))) return false;
  const moment = now();
  const result = shortened(forensicResult(analysis, moment), MAX_STORED_BYTES);
  const sealed = sealText(JSON.stringify(result), keys.encryption);
  const sealed_claims = sealText(JSON.stringify(keptPapers(analysis.papers)), keys.encryption);
  if (!(await completeForensicRun(trx, id, { result: sealed, sealed_claims, basis }, moment))) return true;
  await emitResult(trx, runtime, claimed, result, moment);
  for (const { document_id } of analysis.documents) present.delete(document_id);
  if (present.size > 0) await startForensic(trx, queue, of, now(), { isUrgent: true, cause: claimed });
  return true;
}

/** The event is built from the stored result, so that a reused result reads the same. */
function emitResult(
  trx: Transaction,
  emitting: Emitting,
  { of, ...cause }: Claimed,
  result: ForensicResult,
  now: Date,
  { isRepeated = false } = {},
): Promise<void> {
  const envelope = { event: 'FORENSIC_ANALYSIS_DATA', data: { tenant_id: of.tenant_id } };
  const room = MAX_EVENT_BYTES - Buffer.byteLength(JSON.stringify(envelope));
  const data = { ...envelope.data, ...shortened(result, room) };
  return emitEvent(trx, emitting, of, { event: 'FORENSIC_ANALYSIS_DATA', data }, now, { cause, isRepeated });
}
