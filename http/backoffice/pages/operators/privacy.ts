import { Conflict, ValidationError } from '../../../../core/errors.ts';
import { type Html, html, isolated } from '../../../../core/html.ts';
import { DAY_MS, isoAfter } from '../../../../core/time.ts';
import { findOpenErasureRequest, listErasureRequests } from '../../../../db/privacy/erasure-requests.ts';
import { refuseErasure } from '../../../../jobs/privacy/operator-requests.ts';
import { type PlannedRemoval, retentionPlan } from '../../../../jobs/privacy/retention-plan.ts';
import { PAGE_ROWS, textIn } from '../../query.ts';
import { action, expectFound, type GoTo, operatorsOnly, page } from '../../route.ts';
import { actionForm, field } from '../../views/forms.ts';
import { badge, code, facts, link, moment, table } from '../../views/parts.ts';
import { aboutPerson, personalDataRoutes, personSearch } from './personal-data.ts';

const SOON_MS = 7 * DAY_MS;

export const privacyRoutes = [
  page('/privacy', operatorsOnly, async (visit, { db, retention }) => {
    const { to } = visit;
    const found = await listErasureRequests(db, PAGE_ROWS + 1);
    const rows = found
      .slice(0, PAGE_ROWS)
      .map((row) => [
        link(to(`privacy/requests/${row.participant_id}`), isolated(row.email)),
        isolated(row.landlord),
        html`${moment(row.due_at)} ${urgency(row.due_at, visit.now)}`,
        moment(row.requested_at),
      ]);
    const plan = await retentionPlan({ db, retention });
    const main = html`<h1>Privacy</h1>
<h2>Requests for erasure</h2>
${rows.length > 0 ? table('Open requests for erasure, earliest due date first', ['Person', 'Landlord', 'Answer due', 'Asked'], rows) : html`<p class="lead">No request for erasure is open.</p>`}
${found.length > PAGE_ROWS ? html`<p class="note">These ${PAGE_ROWS} are due first; there are more.</p>` : undefined}
<h2>Export or erase a person</h2>
${personSearch(to)}
<h2>Retention</h2>
<p class="lead">Workers delete due data every hour. Data that open work needs is kept until that work ends; accounts are kept while the person takes part in an application. Landlords may choose fewer days.</p>
${table(
  'What retention removes next',
  ['Data', 'Kept for', 'Earliest next removal', 'Setting'],
  plan.map((one) => retentionRow(one, visit.now)),
)}`;
    return { title: 'Privacy', main };
  }),
  page('/privacy/requests/:id', operatorsOnly, async (visit, { db }) => {
    const { to } = visit;
    const request = expectFound(await findOpenErasureRequest(db, visit.param('id')), 'Open request');
    const others = Number(request.other_landlords);
    const scope = { who: request.email, landlordId: others > 0 ? request.landlord_id : undefined };
    const main = html`<p class="crumbs">${link(to('privacy'), 'Privacy')}</p>
<h1>${isolated(request.email)} ${urgency(request.due_at, visit.now)}</h1>
<p class="lead">This person asked for erasure of the data that one landlord holds. Ask the landlord whether the law requires any of it to be kept.</p>
${facts([
  ['Answer due', moment(request.due_at)],
  ['Asked', moment(request.requested_at)],
  ['Landlord', link(to(`landlords/${request.landlord_id}`), isolated(request.landlord))],
  ['Application', link(to(`applications/${request.application_id}`), code(request.application_id))],
  ['Participant', code(request.participant_id)],
  [
    'Other landlords',
    others > 0 ? `${others}: their data and the account stay` : 'none: the person is erased completely',
  ],
])}
${aboutPerson(visit, scope)}
${visit.may('POST', 'privacy/export') ? html`<h2>Refuse the request</h2><p class="lead">The person can read the reason through their link.</p>` : undefined}
${actionForm(visit, { to: `privacy/requests/${request.participant_id}/refuse`, label: 'Refuse', fields: field('reason', 'Reason, in words for the person', '') })}`;
    return { title: 'Request for erasure', main };
  }),
  action('/privacy/requests/:id/refuse', operatorsOnly, async ({ param, actor, form }, console): Promise<GoTo> => {
    const reason = textIn(form, 'reason');
    if (reason === undefined) throw new ValidationError([], 'Give the reason: the person reads it.');
    if (!(await refuseErasure(console, param('id'), reason, actor)))
      throw new Conflict('This person no longer waits for an answer.');
    return { goTo: 'privacy', notice: 'refused' };
  }),
  ...personalDataRoutes,
];

function urgency(dueAt: string, now: Date): Html | undefined {
  if (dueAt <= now.toISOString()) return badge('overdue');
  return dueAt <= isoAfter(now, SOON_MS) ? badge('due soon') : undefined;
}

function retentionRow({ rule, days, nextAt, setting }: PlannedRemoval, now: Date) {
  const isDue = nextAt !== undefined && nextAt <= now.toISOString();
  const next = nextAt === undefined ? null : moment(nextAt);
  return [
    `${rule.charAt(0).toUpperCase()}${rule.slice(1)}`,
    days === null ? 'until erased' : `${days} days`,
    isDue ? html`${next ?? ''} ${badge('due')}` : next,
    code(setting),
  ];
}
