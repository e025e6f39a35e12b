import type { OutcomeKind } from '../../db/work/recent-outcomes.ts';
import { until } from '../../harness/process/until.ts';
import type { World } from './world.ts';

/** Who can name a condition. */
export type Channel = 'doctor' | 'console' | 'gauge' | 'alert';

/** How to bring a condition about, and how to end it. */
export interface Situation {
  begin(test: World): Promise<unknown>;
  end(test: World): Promise<unknown>;
  /** Where it cannot be seen, and why. */
  not?: Partial<Record<Channel, string>>;
  /** Why rows say it: the fault itself would take what no program has, such as days. */
  byRows?: string;
}

export const LONG_AGO = '2026-01-01T00:00:00.000Z';
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const DAY_MS = 24 * 60 * MINUTE_MS;

export const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
export const ahead = (ms: number) => ago(-ms);
export const ONLY_A_WARNING = { alert: 'only a warning' };
/** Its own metric says it sooner. */
export const OF_METRIC = { alert: 'follows a counter of the process' };

/** Makes an hour pass for what succeeded and failed, including what the process has counted since its last heartbeat. */
export async function hourPasses({ service }: World, ...kinds: OutcomeKind[]): Promise<void> {
  const { db } = service.runtime;
  const beat = async () =>
    (
      await db('processes')
        .where({ address: service.operatorsUrl ?? '' })
        .first('beat_at')
    )?.beat_at;
  // The one under way may have begun before the last count.
  for (const which of ['this', 'the next']) {
    const before = await beat();
    await until(`${which} heartbeat is stored`, async () => (await beat()) !== before);
  }
  await db('recent_outcomes').whereIn('kind', kinds).delete();
}
