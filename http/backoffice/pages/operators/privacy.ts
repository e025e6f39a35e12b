import { Conflict, ValidationError } from '../../../../core/errors.ts';
import { type Html, html, isolated } from '../../../../core/html.ts';
import { DAY_MS, isoAfter } from '../../../../core/time.ts';
import { findOpenErasureRequest, listErasureRequests } from '../../../../db/privacy/erasure-requests.ts';
import { refuseErasure } from '../../../../jobs/privacy/operator-requests.ts';
import { type PlannedRemoval, retentionPlan } from '../../../../jobs/privacy/retention-plan.ts';
import { PAGE_ROWS, textIn } from '../../query.ts';
import { action, expectFound, operatorsOnly, page } from '../../route.ts';
import { actionForm, field } from '../../views/forms.ts';
import { badge, type Column, code, facts, idLink, link, moment, shortId, table } from '../../views/parts.ts';
import { aboutPerson, personalDataRoutes, personSearch } from './personal-data.ts';

const SOON_MS = 7 * DAY_MS;

export const privacyRoutes = [
  page('/privacy', operatorsOnly, async (visit, { db, retention }) => {
    const { to } = visit;
    const found = await listErasureRequests(db, visit.scope, {}, PAGE_ROWS + 1);
    const columns: readonly Column<(typeof found)[number]>[] = [
      ['Person', ({ participant_id, email }) => link(to(`privacy/requests/${participant_id}`), isolated(email))],
      ['Landlord', ({ landlord }) => isolated(landlord)],
      ['Answer due', ({ due_at }) => html`${moment(due_at)} ${urgency(due_at, visit.now)}`],
      ['Asked', ({ requested_at }) => moment(requested_at)],
    ];
    const caption = 'Open requests for erasure, earliest due date first';
    const plan = await retentionPlan({ db, retention });
    const main = html`<h2>Requests for erasure</h2>
${table(caption, columns, found.slice(0, PAGE_ROWS), 'No request for erasure is open.')}
${found.length > PAGE_ROWS ? html`<p class="note">These ${PAGE_ROWS} are due first; there are more.</p>` : undefined}
<h2>Export or erase a person</h2>
${personSearch(to)}
<h2>Retention</h2>
<p class="lead">Workers delete due data every hour. Data that open work needs is kept until that work ends; accounts are kept while the person takes part in an application. Landlords may choose fewer days.</p>
${table('What retention removes next', retentionColumns(visit.now), plan)}`;
    return { title: 'Privacy', main };
  }),
  page('/privacy/requests/:id', operatorsOnly, async (visit, { db }) => {
    const { to } = visit;
    const request = expectFound(await findOpenErasureRequest(db, visit.param('id')), 'Open request');
    const others = Number(request.other_landlords);
    const scope = { who: request.email, landlordId: others > 0 ? request.landlord_id : undefined };
    const main = html`<p class="lead">This person asked for erasure of the data that one landlord holds. Ask the landlord whether the law requires any of it to be kept.</p>
${facts([
  ['Answer due', moment(request.due_at)],
  ['Asked', moment(request.requested_at)],
  ['Landlord', link(to(`landlords/${request.landlord_id}`), isolated(request.landlord))],
  ['Application', idLink(visit, `applications/${request.application_id}`, request.application_id)],
  ['Participant', shortId(request.participant_id)],
  [
    'Other landlords',
    others > 0 ? `${others}: their data and the account stay` : 'none: the person is erased completely',
  ],
])}
${aboutPerson(visit, scope)}
${visit.may('POST', 'privacy/export') ? html`<h2>Refuse the request</h2><p class="lead">The person can read the reason through their link.</p>` : undefined}
${actionForm(visit, { to: `privacy/requests/${request.participant_id}/refuse`, label: 'Refuse', fields: [field('reason', 'Reason, in words for the person', { isRequired: true })] })}`;
    return {
      title: 'Request for erasure',
      heading: html`${isolated(request.email)} ${urgency(request.due_at, visit.now)}`,
      above: [link(to('privacy'), 'Privacy')],
      main,
    };
  }),
  action('/privacy/requests/:id/refuse', operatorsOnly, async ({ param, actor, form }, console) => {
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

function retentionColumns(now: Date): readonly Column<PlannedRemoval>[] {
  const due = (at: string) => html`${moment(at)} ${at <= now.toISOString() ? badge('due') : undefined}`;
  return [
    ['Data', ({ rule }) => `${rule.charAt(0).toUpperCase()}${rule.slice(1)}`],
    ['Kept for', ({ days }) => (days === null ? 'until erased' : `${days} days`)],
    ['Earliest next removal', ({ nextAt }) => nextAt && due(nextAt)],
    ['Setting', ({ setting }) => code(setting)],
  ];
}
