import { DAY_MS, isoAfter } from '../../core/time.ts';
import { retentionRules } from '../../db/privacy/old-data.ts';
import { byAge } from '../../db/privacy/retention.ts';
import type { Runtime } from '../runtime.ts';

export interface PlannedRemoval {
  rule: string;
  setting: string;
  /** Null when the data is kept forever. */
  days: number | null;
  /**
   * The earliest time at which something may be removed; in the past when that is due. Undefined when nothing is stored, or when it is kept
   * forever.
   */
  nextAt: string | undefined;
}

/**
 * What retention removes next, and at the earliest when, by the oldest row of each rule. The cost does not grow with the number of due
 * rows.
 */
export async function retentionPlan({ db, retention }: Pick<Runtime, 'db' | 'retention'>): Promise<PlannedRemoval[]> {
  const accounts = {
    name: 'accounts',
    setting: 'RETAIN_ACCOUNTS_DAYS',
    oldest: byAge('tenants', 'created_at'),
  } as const;
  const plan: PlannedRemoval[] = [];
  for (const { name, setting, oldest: find } of [...retentionRules, accounts]) {
    const days = retention[setting];
    const oldest = days === undefined ? undefined : await find?.(db);
    const nextAt = oldest === undefined ? undefined : isoAfter(new Date(oldest), (days ?? 0) * DAY_MS);
    plan.push({ rule: name, setting, days: days ?? null, nextAt });
  }
  return plan;
}
