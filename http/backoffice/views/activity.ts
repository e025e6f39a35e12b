import { type Html, html } from '../../../core/html.ts';
import type { DeskTexts } from '../../../core/texts/desk-texts.ts';
import type { Database } from '../../../db/connection/database.ts';
import { type Counted, listDailyCounts } from '../../../db/work/daily-counts.ts';
import { barChart, lastDays } from './chart.ts';

const MONTHS = 12;

/** Each chart shows all, and in another colour the failed ones. Refused requests (4xx) were answered. */
const CHARTS: readonly { title: string; all: readonly Counted[]; failed: readonly Counted[] }[] = [
  {
    title: 'Requests',
    all: ['requests 2xx', 'requests 3xx', 'requests 4xx', 'requests 5xx', 'requests aborted'],
    failed: ['requests 5xx', 'requests aborted'],
  },
  { title: 'Delivery attempts', all: ['delivery attempts'], failed: ['failed delivery attempts'] },
  { title: 'Documents analysed', all: ['documents analysed'], failed: [] },
];

/** Charts of the service's activity, from the counts that its processes add up. */
export async function activity(db: Database, { now, t }: { now: Date; t: DeskTexts }): Promise<Html> {
  const days = lastDays(now);
  const months = lastMonths(now);
  const rows = await listDailyCounts(db, [...days, ...months]);
  const sum = (period: string, names: readonly Counted[]) =>
    rows.reduce((sum, row) => (row.period === period && names.includes(row.name) ? sum + row.count : sum), 0);
  const charts = CHARTS.flatMap(({ title, all, failed }) => {
    const bars = (periods: readonly string[]) =>
      periods.map((label) => ({ label, count: sum(label, all), failed: sum(label, failed) }));
    return [barChart(t, `${title} per day`, bars(days)), barChart(t, `${title} per month`, bars(months))];
  });
  return html`<div class="charts">${charts}</div>
<p class="note">Counted in UTC by the processes that serve operators (OPS_PORT), and stored every minute. The last bar is the current day or month so far.</p>`;
}

function lastMonths(now: Date): string[] {
  return Array.from({ length: MONTHS }, (_, index) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index + 1 - MONTHS, 1));
    return month.toISOString().slice(0, 7);
  });
}
