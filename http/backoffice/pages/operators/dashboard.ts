import { verdictOn } from '../../../../core/conditions/observation.ts';
import type { ConditionId } from '../../../../core/conditions/table.ts';
import { type Html, html } from '../../../../core/html.ts';
import { MAX_COUNTED } from '../../../../db/work/work-lists.ts';
import type { Observed } from '../../../../jobs/conditions/look.ts';
import type { JobName } from '../../../../jobs/runtime.ts';
import { waitingWork } from '../../../../jobs/upkeep/service-state.ts';
import { type Console, operatorsOnly, page, type Visit } from '../../route.ts';
import { activity } from '../../views/activity.ts';
import { livePart } from '../../views/live.ts';
import { badge, type Column, code, counted, duration, link, moment, table } from '../../views/parts.ts';

/** The database is checked for each page. The page does not wait longer for anything, and says what is not known yet. */
const LOOK = { waitMs: 3_000, freshMs: { database: 0 } };

export const dashboardRoutes = [
  page('/', operatorsOnly, async (visit, { db, kinds, conditions }: Console) => {
    const { now, t } = visit;
    const [observed, work, charts] = await Promise.all([
      conditions.current(LOOK),
      waitingWork({ db, kinds }, now),
      activity(db, visit),
    ]);
    const amiss = observed.filter(({ state }) => state !== 'ok');
    const well = observed.filter(({ state }) => state === 'ok');
    const columns: readonly Column<(typeof work)[number]>[] = [
      ['Kind', ({ kind }) => KINDS[kind]],
      ['Due', ({ waiting }) => counted(t, waiting, MAX_COUNTED)],
      ['Oldest due for', ({ waiting, oldestDueSeconds }) => (waiting > 0 ? duration(oldestDueSeconds) : undefined)],
    ];
    const parts = html`<p class="lead">${verdictOn(observed)}</p>
${amiss.length > 0 ? html`<ul class="amiss">${amiss.map((one) => card(one, visit))}</ul>` : undefined}
<h2>Waiting work</h2>
${table('Work waiting for a worker', columns, work)}
<h2>Activity</h2>
${charts}
<h2>Passed checks</h2>
<details><summary>${well.length} checks found nothing</summary>
<ul class="plain">${well.map(({ condition, found }) => html`<li>${badge('ok')} ${code(condition)} ${found}</li>`)}</ul></details>`;
    // Seconds, and the numbers of what is well, would change the state on every poll.
    const waiting = work.map(({ kind, waiting, oldestDueSeconds }) => [
      kind,
      waiting,
      Math.floor(oldestDueSeconds / 60),
    ]);
    const state = observed.map((one) => (one.state === 'ok' ? one.condition : [one.condition, one.state, one.found]));
    return { title: 'Overview', main: livePart('overview', parts), state: [state, waiting, charts.markup] };
  }),
];

const KINDS: Record<JobName, string> = {
  'send-invite': 'Invitations',
  'complete-kyc': 'Identity checks (KYC)',
  'complete-eid': 'National eID flows',
  'run-forensic': 'Document analyses',
  'deliver-webhook': 'Deliveries',
  'fetch-bank': 'Bank readings',
  'make-report': 'Reports',
};

/** The console page with details on a condition. */
const PLACES: Partial<Record<ConditionId, [path: string, words: string]>> = {
  webhooks: ['webhooks?status=paused', 'See the paused webhooks'],
  'failing-webhooks': ['webhooks?status=failing', 'See the failing webhooks'],
  erasures: ['privacy', 'See the requests'],
  deliveries: ['deliveries?status=failed', 'See the failed deliveries'],
  'failing-deliveries': ['deliveries?status=failed', 'See the failed deliveries'],
};

function card({ condition, state, found, advice, command, since }: Observed, { to }: Visit): Html {
  const place = PLACES[condition];
  const next = place
    ? link(to(place[0]), place[1])
    : html`${advice}${command === undefined ? undefined : html` ${code(command)}`}`;
  const sinceWhen = since && html` Unknown since ${moment(since.toISOString())}.`;
  return html`<li class="${state === 'warning' ? 'warning' : 'problem'}" data-condition="${condition}">${badge(state)}<p>${found}${sinceWhen}</p><p>${next}</p></li>`;
}
