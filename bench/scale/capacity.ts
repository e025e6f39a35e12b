import type { Row } from '../../bin/admin/cli/output.ts';
import { type Result, rounded } from '../result.ts';
import { DELIVERIES_AN_APPLICATION, WEBHOOKS_AN_EVENT } from './amounts.ts';
import { type Cost, type Measured, WORK, type Work } from './costs.ts';

const SECONDS_A_MONTH = 2.63e6;
const DAYS_A_MONTH = 30.4;
/** The load of a peak hour relative to the mean. */
const PEAK = 4;
const UTILISATION = 0.6;
/** Vacuum, checkpoints and retention take as much again. */
const DATABASE_FACTOR = 2;
/** But bodies, which are kept for one. */
const MONTHS_KEPT = 3;
const POWERS = [5, 6, 7, 8, 9];

/** Per application. */
const AMOUNTS: Record<Work, number> = {
  'create-application': 1,
  'get-application': 10,
  'update-participant': 5,
  event: DELIVERIES_AN_APPLICATION / WEBHOOKS_AN_EVENT,
  delivery: DELIVERIES_AN_APPLICATION,
};
const REQUESTS = ['create-application', 'get-application', 'update-participant'] as const;
const BY_WORKERS = ['event', 'delivery'] as const;

/** What a number of deliveries a month takes, by the costs that were measured: as docs/performance.md shows it. */
export function capacity({ costs, bytes }: Measured): Result[] {
  const known = WORK.flatMap((work) => (costs[work] ? [[work, costs[work]] as const] : []));
  const { application, event, body, delivery } = bytes;
  if (known.length < WORK.length || !application || !event || !body || !delivery) return [];
  const all = new Map(known);
  const sum = (works: readonly Work[], of: (cost: Cost) => number) =>
    works.reduce((total, work) => total + AMOUNTS[work] * of(all.get(work) ?? NO_COST), 0);
  const kept =
    MONTHS_KEPT * (application + DELIVERIES_AN_APPLICATION * delivery + AMOUNTS.event * event) + AMOUNTS.event * body;
  const an = {
    api: sum(REQUESTS, ({ micros }) => micros),
    workers: sum(BY_WORKERS, ({ micros }) => micros),
    database: sum(WORK, ({ databaseMicros }) => databaseMicros) * DATABASE_FACTOR,
    requests: sum(REQUESTS, () => 1),
    wal: sum(WORK, ({ walBytes }) => walBytes),
    kept,
  };
  const rows = POWERS.map((power) => rowOf(power, an));
  return [
    {
      title: 'postgres: capacity by deliveries a month',
      rows,
      marks: [],
      note: `As a table of Markdown:\n\n${markdown(rows)}`,
    },
  ];
}

const NO_COST: Cost = { micros: Number.NaN, databaseMicros: Number.NaN, walBytes: Number.NaN };

function rowOf(power: number, an: Record<'api' | 'workers' | 'database' | 'requests' | 'wal' | 'kept', number>): Row {
  const applications = 10 ** power / DELIVERIES_AN_APPLICATION;
  const atPeak = (amount: number) => (applications * amount * PEAK) / SECONDS_A_MONTH;
  const cores = (micros: number) => Number((atPeak(micros) / 1e6 / UTILISATION).toPrecision(2));
  return {
    'Deliveries a month': `10^${power}`,
    'Requests a second at the peak': rounded(atPeak(an.requests)),
    'Deliveries a second': rounded(atPeak(DELIVERIES_AN_APPLICATION)),
    'API, cores': cores(an.api),
    'Workers, cores': cores(an.workers),
    'Postgres, cores': cores(an.database),
    'Log, MB a second at the peak': rounded(atPeak(an.wal) / 1e6),
    'Log, GB a day': rounded((applications * an.wal) / DAYS_A_MONTH / 1e9),
    'GB after 90 days': rounded((applications * an.kept) / 1e9),
  };
}

function markdown(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns),
    `|${'---|'.repeat(columns.length)}`,
    ...rows.map((row) => line(columns.map((name) => row[name]))),
  ].join('\n');
}
