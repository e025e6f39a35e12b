import type { Place } from '../databases.ts';
import { median, type Result, rounded } from '../result.ts';
import type { ContenderName } from './contenders.ts';
import { inTurns, type Processes } from './processes.ts';

const AT_ONCE = 10;
const A_ROUND = 1_000;

/** The cost to senders: one job per transaction, at full speed. */
export async function measureSenders(place: Place, rounds: number): Promise<Result> {
  const names: ContenderName[] =
    place.name === 'sqlite'
      ? ['this service, deliver-webhook', 'a plain loop over a table']
      : ['this service, deliver-webhook', 'pg-boss with NOTIFY', 'graphile-worker at its best'];
  const measured = await inTurns(place, names, 'no one works', rounds, round);
  return {
    title: `Transactions that send a job each, ${AT_ONCE} at a time`,
    rows: [...measured].map(([what, efforts]) => ({
      what,
      transactions_a_second: Math.round(median(efforts.map(({ perSecond }) => perSecond))),
      cpu_us_each: rounded(median(efforts.map(({ cpuSeconds }) => cpuSeconds)) * 1e6),
    })),
    marks: [],
    note: `Medians of ${rounds} rounds of ${A_ROUND}. The CPU is that of the sender. No one works meanwhile.`,
  };
}

async function round({ sender }: Processes): Promise<{ perSecond: number; cpuSeconds: number }> {
  const before = await sender.ask('usage');
  const perSecond = await sender.ask('sendAllOut', A_ROUND, AT_ONCE);
  const after = await sender.ask('usage');
  return { perSecond, cpuSeconds: (after.cpuSeconds - before.cpuSeconds) / A_ROUND };
}
