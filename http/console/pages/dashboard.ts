import { type Html, html } from '../../../core/html.ts';
import { MAX_COUNTED } from '../../../db/work/work-lists.ts';
import type { Finding } from '../../../jobs/upkeep/finding.ts';
import { monitoredChecks } from '../../../jobs/upkeep/monitored-checks.ts';
import { waitingWork } from '../../../jobs/upkeep/service-state.ts';
import { workChecks } from '../../../jobs/upkeep/work-checks.ts';
import { page, type Visit } from '../route.ts';
import { activity } from '../views/activity.ts';
import { livePart } from '../views/live.ts';
import { badge, code, counted, duration, link, table } from '../views/parts.ts';

export const dashboardRoutes = [
  page('/', async (visit, { db, kinds, settings }) => {
    const { now } = visit;
    // Concurrently, on few connections: each of the four runs its statements in sequence.
    const [ofWork, monitored, work, charts] = await Promise.all([
      findingsOf(workChecks(db, settings, now)),
      findingsOf(monitoredChecks(db, settings, now)),
      waitingWork({ db, kinds }, now),
      activity(db, now),
    ]);
    const findings = [...ofWork, ...monitored];
    const problems = findings.filter(({ state }) => state !== 'ok');
    const well = findings.filter(({ state }) => state === 'ok');
    const parts = html`${problems.length > 0 ? html`<ul class="amiss">${problems.map((finding) => card(finding, visit))}</ul>` : html`<p class="lead">No problems found.</p>`}
<h2>Waiting work</h2>
${table(
  'Work waiting for a worker',
  ['Kind', 'Due', 'Oldest due for'],
  work.map(({ kind, waiting, oldestDueSeconds }) => [
    KINDS[kind] ?? kind,
    counted(waiting, MAX_COUNTED),
    waiting > 0 ? duration(oldestDueSeconds) : undefined,
  ]),
)}
<h2>Activity</h2>
${charts}
<h2>Passed checks</h2>
<ul class="plain">${well.map(({ found }) => html`<li>${badge('ok')} ${found}</li>`)}</ul>`;
    const main = html`<h1>Overview</h1>
${livePart('overview', parts)}`;
    // Seconds would change the state on every poll.
    const waiting = work.map(({ kind, waiting, oldestDueSeconds }) => [
      kind,
      waiting,
      Math.floor(oldestDueSeconds / 60),
    ]);
    return { title: 'Overview', main, state: [findings, waiting, charts.markup] };
  }),
];

async function findingsOf(checks: ReturnType<typeof workChecks>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, look] of checks) findings.push({ check, ...(await look()) });
  return findings;
}

const KINDS: Record<string, string> = {
  'send-invite': 'Invitations',
  'complete-kyc': 'Identity checks (KYC)',
  'complete-eid': 'National eID flows',
  'run-forensic': 'Document analyses',
  'deliver-webhook': 'Deliveries',
};

/** The console page with details on a finding. */
const PLACES: Record<string, [path: string, words: string]> = {
  webhooks: ['webhooks?status=paused', 'See the paused webhooks'],
  erasures: ['privacy', 'See the requests'],
  deliveries: ['deliveries?status=failed', 'See the failed deliveries'],
};

function card({ check, state, found, advice, command }: Finding, { to }: Visit): Html {
  const place = PLACES[check];
  const next = place
    ? link(to(place[0]), place[1])
    : html`${advice}${command === undefined ? undefined : html` ${code(command)}`}`;
  return html`<li class="${state}">${badge(state)}<p>${found}</p><p>${next}</p></li>`;
}
