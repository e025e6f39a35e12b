import type { AnalysedDocument, Analysis, Fingerprint, Sighting } from '@tenant-screening/forensics/analysis';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { getTenant } from '../../db/applications/tenants.ts';
import { countTenantsWith, type DocumentRow, noteFingerprints } from '../../db/documents/documents.ts';
import type { Runtime } from '../runtime.ts';

export type Analysing = Pick<Runtime, 'db' | 'providers' | 'forensics' | 'log' | 'work'>;

/** Analyses a tenant's documents, outside any transaction. @throws EngineClosed, ProviderUnavailable */
export async function analyseDocuments(
  { db, providers, forensics, log, work }: Analysing,
  of: TenantOfKey,
  documents: readonly DocumentRow[],
): Promise<Analysis> {
  await providers.rehearseAnalysis?.(await getTenant(db, of.tenant_id));
  const submitted = documents.map(({ id, name, sha256, source }) => ({
    id,
    name,
    isFromIssuer: source === 'bank',
    read: () => providers.documents.get(sha256),
  }));
  return forensics.analyse(submitted, {
    // Holders of a joint account have the same statement, and none of them can have copied it.
    sightings: async ({ id, isFromIssuer }, fingerprints) => {
      const seen = await sightings({ db, tenantId: of.tenant_id, documentId: id }, fingerprints);
      return isFromIssuer ? [] : seen;
    },
    onDocument: (document, durationMs) => {
      log.info(progress(document, durationMs), 'document analysed');
      work.emit('document analysed', document.outcome, durationMs);
    },
  });
}

/** Stores fingerprints before looking them up, so that one of two concurrent analyses of the same document sees the other. */
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

/** The log contains neither the content nor the name of a document. */
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
