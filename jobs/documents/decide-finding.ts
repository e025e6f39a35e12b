import type { Analysis } from '@tenant-screening/forensics/analysis';
import { Conflict, NotFound, ValidationError } from '../../core/errors.ts';
import { ifOpened, sealText, unsealText } from '../../core/secrets/secrets.ts';
import { isStorableText } from '../../core/text.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { type FindingDecisionRow, insertDecision, listDecisions } from '../../db/documents/finding-decisions.ts';
import type { ForensicRunRow } from '../../db/documents/forensic-runs.ts';
import type { Runtime } from '../runtime.ts';
import { findStoredAnalysis } from './stored-analysis.ts';

/**
 * Identifies a finding of an analysis: its document (null for findings across documents), its rule, and its index among that rule's
 * findings, from 1.
 */
export type FindingKey = Pick<FindingDecisionRow, 'document_id' | 'rule' | 'finding'>;

export interface ReadDecision extends Omit<FindingDecisionRow, 'sealed_reason' | 'run_id'> {
  reason: string;
}

/** The possible decisions. */
export const DECISION_WORDS: Record<FindingDecisionRow['decision'], string> = {
  confirmed: 'The document was changed',
  harmless: 'There is a harmless reason',
  unclear: 'It is not clear yet',
};

export const MAX_REASON_LENGTH = 1_000;

/**
 * Records a reviewer's decision about a finding. The result, events already sent and earlier decisions stay as they are.
 * @throws ValidationError, NotFound, Conflict
 */
export async function decideFinding(
  runtime: Pick<Runtime, 'db' | 'keys' | 'now'>,
  run: ForensicRunRow,
  key: FindingKey,
  { decision, reason }: Pick<ReadDecision, 'decision' | 'reason'>,
  actor: Actor,
): Promise<void> {
  const { db, keys, now } = runtime;
  if (reason.trim() === '' || reason.length > MAX_REASON_LENGTH || !isStorableText(reason))
    throw new ValidationError([], `A decision needs a reason of at most ${MAX_REASON_LENGTH} characters.`);
  const found = await findStoredAnalysis(runtime, run);
  if (!found?.analysis || !hasFinding(found.analysis, key)) throw new NotFound('Finding');
  const moment = now();
  const row = { run_id: found.run.id, ...key, decision, sealed_reason: sealText(reason.trim(), keys.encryption) };
  await inTransaction(db, async (trx) => {
    const id = await insertDecision(trx, { ...row, decided_by: actor.id, decided_at: moment.toISOString() });
    if (id === undefined) throw new Conflict('The result was erased since, or has too many decisions.');
    await recordAudit(trx, actor, 'forensic.decide', found.run.id, moment);
  });
}

function hasFinding({ documents, cross_checks }: Analysis, { document_id, rule, finding }: FindingKey): boolean {
  const checks =
    document_id === null ? cross_checks : documents.find((document) => document.document_id === document_id)?.checks;
  return checks?.find((check) => check.rule === rule)?.findings?.[finding - 1] !== undefined;
}

/** Newest first. A reason that no key opens is empty. @param runId of the run that holds the result */
export async function readDecisions(
  { db, keys }: Pick<Runtime, 'db' | 'keys'>,
  runId: string,
): Promise<ReadDecision[]> {
  return (await listDecisions(db, runId)).map(({ sealed_reason, run_id, ...decision }) => ({
    ...decision,
    reason: ifOpened(() => unsealText(sealed_reason, keys.encryption)) ?? '',
  }));
}
