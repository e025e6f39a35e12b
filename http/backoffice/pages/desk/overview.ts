import { type Html, html, isolated } from '../../../../core/html.ts';
import { listApplications } from '../../../../db/applications/application-lists.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import { listWebhooks, MAX_COUNTED, webhookNumbers, webhookState } from '../../../../db/webhooks/delivery-lists.ts';
import { findWaiting, UNANSWERED_DAYS } from '../../../../jobs/invitations/waiting.ts';
import { membersOnly, type Parts, page, type Visit } from '../../route.ts';
import { badge, counted, link, moment, table, wayTo } from '../../views/parts.ts';
import { applicationColumns } from '../applications/applications.ts';
import { erasuresIn, isOverdue, waitOf } from '../applications/erasure.ts';
import { webhookBadge } from '../webhooks/webhooks.ts';

const NEWEST = 10;
const MAX_WAITING = 12;

/** What needs attention comes first. */
export const overviewRoutes = [
  page('/', membersOnly('admin', 'agent', 'developer', 'viewer'), async (visit, parts) => {
    const people = html`${await waitingPeople(visit, parts)}${await erasureRequests(visit, parts)}`;
    const needs = html`${await troubledWebhooks(visit, parts)}${people}`;
    const newest = await newestApplications(visit, parts);
    return { title: visit.t.text('section.overview'), main: html`${needs}${newest}` };
  }),
];

async function troubledWebhooks(visit: Visit<OneLandlord>, { db }: Parts): Promise<Html | undefined> {
  const { t, to, scope, now } = visit;
  if (!visit.may('GET', 'webhooks')) return undefined;
  const found = [
    ...(await listWebhooks(db, scope, { state: 'failing' }, NEWEST)),
    ...(await listWebhooks(db, scope, { state: 'paused' }, NEWEST)),
  ];
  if (found.length === 0) return html`<p class="lead">${badge('ok', t.text('overview.webhooks-well'))}</p>`;
  const ids = found.map(({ id }) => id);
  const numbersOf = await webhookNumbers(db, ids, now);
  const items = found.map((webhook) => {
    const { failed, held, pending } = numbersOf(webhook.id);
    const open = counted(t, held + pending, MAX_COUNTED);
    const tone = webhookState(webhook) === 'paused' ? 'warning' : 'problem';
    return html`<li class="${tone}">${webhookBadge(visit, webhook)}<p>${link(to(`webhooks/${webhook.id}`), isolated(webhook.url))}</p><p>${t.text('overview.webhook', { failed: counted(t, failed, MAX_COUNTED), open })}</p></li>`;
  });
  return html`<h2>${t.text('overview.webhooks')}</h2><ul class="amiss">${items}</ul>`;
}

/** People who do not get further without the landlord, for those who decide about them. */
async function waitingPeople(visit: Visit<OneLandlord>, parts: Parts): Promise<Html | undefined> {
  const { t, to, scope, visitor } = visit;
  if (!visitor.looker) return undefined;
  const found = await findWaiting(parts, scope);
  const items = found
    .slice(0, MAX_WAITING)
    .map(
      ({ applicationId, title, email, why, since }) =>
        html`<li class="${why === 'mail-failed' ? 'problem' : 'warning'}">${link(to(`applications/${applicationId}`), isolated(email))} <span class="soft">${isolated(title || t.text('application.untitled'))}</span><p>${t.text(`overview.${why}`, { days: UNANSWERED_DAYS })} <span class="soft">${moment(since)}</span></p></li>`,
    );
  if (items.length === 0) return undefined;
  const others = found.length - items.length;
  return html`<h2>${t.text('overview.waiting')}</h2><ul class="amiss">${items}</ul>
${others > 0 ? html`<p class="note">${t.text('overview.others', { count: others })}</p>` : undefined}`;
}

/** Requests for erasure, which the operator answers. */
async function erasureRequests(visit: Visit<OneLandlord>, parts: Parts): Promise<Html | undefined> {
  const { t, to, now } = visit;
  const found = await erasuresIn(visit, parts);
  if (found.length === 0) return undefined;
  const items = found
    .slice(0, MAX_WAITING)
    .map(
      (request) =>
        html`<li class="${isOverdue(request, now) ? 'problem' : 'warning'}">${link(to(`applications/${request.application_id}`), isolated(request.email))} <span class="soft">${isolated(request.title || t.text('application.untitled'))}</span><p>${waitOf(visit, request)}</p></li>`,
    );
  const others = found.length - items.length;
  return html`<h2>${t.text('overview.erasures')}</h2><ul class="amiss">${items}</ul>
<p class="note">${t.text('erasure.text')}${others > 0 ? html` ${t.text('overview.others', { count: others })}` : undefined}</p>`;
}

async function newestApplications(visit: Visit<OneLandlord>, parts: Parts): Promise<Html | undefined> {
  const { t, scope } = visit;
  if (!visit.may('GET', 'applications')) return undefined;
  const found = await listApplications(parts.db, scope, {}, NEWEST);
  const columns = await applicationColumns(visit, parts, found);
  return html`<h2>${t.text('overview.applications')}</h2>
${table(t.text('applications.caption'), columns, found, t.text('applications.empty'))}
${wayTo(visit, 'applications/new', t.text('create.title'))}`;
}
