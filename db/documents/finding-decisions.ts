import { newId } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { newestFirst } from '../connection/queries/newest-first.ts';

export const DECISIONS = ['confirmed', 'harmless', 'unclear'] as const;
export type Decision = (typeof DECISIONS)[number];

export interface FindingDecisionRow {
  id: string;
  /** The run that holds the result. */
  run_id: string;
  /** Null for a finding across documents. */
  document_id: string | null;
  rule: string;
  /** The index among the rule's findings, from 1. */
  finding: number;
  decision: Decision;
  sealed_reason: string;
  /** The operator. */
  decided_by: string;
  decided_at: string;
}

/** People decide a few times on each of a few findings; more would be a faulty script. */
export const MAX_DECISIONS = 200;

/** Adds a decision; earlier ones stay. @returns its id, or undefined when the result is gone, or has too many decisions */
export async function insertDecision(
  trx: Transaction,
  decision: Omit<FindingDecisionRow, 'id'>,
): Promise<string | undefined> {
  const { run_id } = decision;
  // Makes retention, which deletes the result and its decisions together, wait.
  const run = await trx('forensic_runs').where({ id: run_id }).whereNotNull('result').forUpdate().first('id');
  if (!run || (await listDecisions(trx, run_id)).length >= MAX_DECISIONS) return undefined;
  const id = newId();
  await trx('finding_decisions').insert({ id, ...decision });
  return id;
}

/** Newest first. */
export function listDecisions(db: Database, runId: string): Promise<FindingDecisionRow[]> {
  const newest = newestFirst(undefined, 'decided_at');
  return db('finding_decisions').where({ run_id: runId }).orderBy(newest).limit(MAX_DECISIONS);
}
