import { EngineClosed } from '@tenant-screening/forensics/analyse';
import type { AnalysedDocument, Analysis, Fingerprint, Sighting } from '@tenant-screening/forensics/analysis';
import { type TenantOfKey, tenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { sealText } from '../../core/secrets/secrets.ts';
import { getTenant, lockTenant } from '../../db/applications/tenants.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { countTenantsWith, findDocuments, noteFingerprints } from '../../db/documents/documents.ts';
import { completeForensicRun, startForensicRun } from '../../db/documents/forensic-runs.ts';
import type { Runtime } from '../runtime.ts';
import { emitEvent } from '../webhooks/emit-event.ts';
import { EVENT_BYTES, forensicResult, STORED_BYTES } from './forensic-result.ts';
import { startForensic } from './start-forensic.ts';

type Analysing = Pick<Runtime, 'db' | 'providers' | 'forensics' | 'log' | 'work'>;

/** Analyses a tenant's documents outside any transaction, then stores the result and emits the event in one. */
export async function runForensic(
  runtime: Analysing & Pick<Runtime, 'queue' | 'keys' | 'now'>,
  id: string,
): Promise<void> {
  const { db } = runtime;
  const run = await startForensicRun(db, id);
  const of = run && tenantOfKey(run);
  if (!of) return;
  const analysis = await analyse(runtime, of).catch((error) => {
    // As after a crash, another process takes the run over and no failure is counted.
    if (error instanceof EngineClosed) return undefined;
    throw error;
  });
  if (analysis) await inTransaction(db, (trx) => complete(trx, runtime, { id, of }, analysis));
}

async function analyse({ db, providers, forensics, log, work }: Analysing, of: TenantOfKey): Promise<Analysis> {
  const tenant = await getTenant(db, of.tenant_id);
  const documents = await findDocuments(db, of);
  await providers.rehearseAnalysis?.(tenant);
  const submitted = documents.map(({ id, name, sha256 }) => ({
    id,
    name,
    read: () => providers.documents.get(sha256),
  }));
  return forensics.analyse(submitted, {
    sightings: ({ id }, fingerprints) => sightings({ db, tenantId: of.tenant_id, documentId: id }, fingerprints),
    onDocument: (document, durationMs) => {
      log.info(progress(document, durationMs), 'document analysed');
      work.emit('document analysed', document.outcome, durationMs);
    },
  });
}

/** Stores fingerprints before it looks them up, so that of two concurrent analyses of the same document one sees the other. */
async function sightings(
  { db, tenantId, documentId }: Pick<Runtime, 'db'> & { tenantId: string; documentId: string },
  fingerprints: readonly Fingerprint[],
): Promise<Sighting[]> {
  const kept = fingerprints.flatMap(({ kind, value }) =>
    kind === 'file' ? [] : [{ document_id: documentId, kind, value }],
  );
  await noteFingerprints(db, kept);
  return Array.fromAsync(fingerprints, async (fingerprint) => ({
    kind: fingerprint.kind,
    tenants: await countTenantsWith(db, tenantId, fingerprint),
  }));
}

/** The log gets no content and no name of a document. */
function progress({ document_id, outcome, facts, checks }: AnalysedDocument, durationMs: number) {
  const found = checks.filter(({ status }) => status === 'finding').map(({ rule }) => rule);
  const { kind, size_bytes, pages } = facts;
  return {
    document_id,
    kind,
    size_bytes,
    pages,
    outcome,
    found,
    checks: checks.length,
    duration_ms: Math.round(durationMs),
  };
}

/** Documents that arrived during the analysis are missing in its result, so another run follows. */
async function complete(
  trx: Transaction,
  { queue, keys, now }: Pick<Runtime, 'queue' | 'keys' | 'now'>,
  { id, of }: { id: string; of: TenantOfKey },
  analysis: Analysis,
): Promise<void> {
  await lockTenant(trx, of.tenant_id);
  const moment = now();
  const result = JSON.stringify(forensicResult(analysis, moment, STORED_BYTES));
  if (!(await completeForensicRun(trx, id, sealText(result, keys.encryption), moment))) return;
  const data = { tenant_id: of.tenant_id, ...forensicResult(analysis, moment, EVENT_BYTES) };
  await emitEvent(trx, { queue, keys }, of, { event: 'FORENSIC_ANALYSIS_DATA', data }, moment);
  const documents = await findDocuments(trx, of);
  if (documents.length > analysis.documents.length) await startForensic(trx, queue, of, now());
}
