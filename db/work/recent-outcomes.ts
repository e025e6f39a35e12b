import { HOUR_MS, isoAfter } from '../../core/time.ts';
import type { Database, Transaction } from '../connection/database.ts';

/** What succeeds or fails. */
export const OUTCOME_KINDS = ['deliveries', 'mails', 'analyses', 'kyc', 'eid', 'banks', 'requests', 'leases'] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

/** The outcomes of one minute, of all processes. */
export interface RecentOutcomeRow {
  /** `2026-01-31T12:05`. */
  minute: string;
  kind: OutcomeKind;
  succeeded: number;
  failed: number;
}

export type Outcomes = Pick<RecentOutcomeRow, 'succeeded' | 'failed'>;

const KEPT_MS = 2 * HOUR_MS;

export function minuteOf(moment: string): string {
  return moment.slice(0, '2026-01-31T12:05'.length);
}

export async function addOutcomes(
  trx: Transaction,
  now: Date,
  counts: ReadonlyMap<OutcomeKind, Outcomes>,
): Promise<void> {
  const minute = minuteOf(now.toISOString());
  // In a fixed order, against deadlocks between processes.
  for (const kind of OUTCOME_KINDS) {
    const { succeeded, failed } = counts.get(kind) ?? { succeeded: 0, failed: 0 };
    if (succeeded + failed === 0) continue;
    await trx.raw(
      `insert into recent_outcomes (minute, kind, succeeded, failed) values (?, ?, ?, ?)
       on conflict (minute, kind) do update
       set succeeded = recent_outcomes.succeeded + excluded.succeeded, failed = recent_outcomes.failed + excluded.failed`,
      [minute, kind, succeeded, failed],
    );
  }
}

export async function deleteFormerOutcomes(trx: Transaction, now: Date): Promise<void> {
  await trx('recent_outcomes')
    .where('minute', '<', minuteOf(isoAfter(now, -KEPT_MS)))
    .delete();
}

/** Sums the outcomes of a kind since a moment. */
export type Summed = (kind: OutcomeKind, since: string) => Outcomes;

/** The outcomes since a moment: at most one row for each kind and minute. @returns sums them, from that moment or a later one on */
export async function readOutcomes(db: Database, earliest: string): Promise<Summed> {
  const rows = await db('recent_outcomes').where('minute', '>=', minuteOf(earliest));
  return (kind, since) =>
    rows
      .filter((row) => row.kind === kind && row.minute >= minuteOf(since))
      .reduce((sum, row) => ({ succeeded: sum.succeeded + row.succeeded, failed: sum.failed + row.failed }), {
        succeeded: 0,
        failed: 0,
      });
}
