import { type Html, html } from '../../../core/html.ts';
import { DAY_MS, isoAfter } from '../../../core/time.ts';
import type { Database } from '../../../db/connection/database.ts';
import { type Counted, type DailyCountRow, listDailyCounts } from '../../../db/work/daily-counts.ts';
import { barChart } from './chart.ts';

const DAYS = 14;
const MONTHS = 12;

const CHARTS: readonly (readonly [title: string, isOf: (name: Counted) => boolean])[] = [
  ['Requests', (name) => name.startsWith('requests')],
  ['Delivery attempts', (name) => name === 'delivery attempts'],
  ['Documents analysed', (name) => name === 'documents analysed'],
];

/** Charts of the service's activity, from the counts that its processes add up. */
export async function activity(db: Database, now: Date): Promise<Html> {
  const days = lastDays(now);
  const months = lastMonths(now);
  const rows = await listDailyCounts(db, [...days, ...months]);
  const charts = (title: string, isOf: (name: Counted) => boolean) => {
    const ofThis = rows.filter(({ name }) => isOf(name));
    return html`${barChart(`${title} per day`, bars(days, ofThis))}${barChart(`${title} per month`, bars(months, ofThis))}`;
  };
  return html`<div class="charts">${CHARTS.map(([title, isOf]) => charts(title, isOf))}</div>
<p class="note">Counted in UTC by the processes that serve operators (OPS_PORT), and stored every minute. The last bar is the current day or month so far.</p>`;
}

function bars(periods: readonly string[], rows: readonly DailyCountRow[]) {
  return periods.map((period) => ({
    label: period,
    count: rows.reduce((sum, row) => (row.period === period ? sum + row.count : sum), 0),
  }));
}

function lastDays(now: Date): string[] {
  return Array.from({ length: DAYS }, (_, index) => isoAfter(now, (index + 1 - DAYS) * DAY_MS).slice(0, 10));
}

function lastMonths(now: Date): string[] {
  return Array.from({ length: MONTHS }, (_, index) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index + 1 - MONTHS, 1));
    return month.toISOString().slice(0, 7);
  });
}
