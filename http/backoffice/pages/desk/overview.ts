import { type Html, html, isolated } from '../../../../core/html.ts';
import { countParticipants, listApplications } from '../../../../db/applications/application-lists.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import { listWebhooks, MAX_COUNTED, webhookNumbers, webhookState } from '../../../../db/webhooks/delivery-lists.ts';
import { membersOnly, type Parts, page, type Visit } from '../../route.ts';
import { badge, counted, link, moment, table } from '../../views/parts.ts';

const NEWEST = 10;

/** What needs attention comes first. */
export const overviewRoutes = [
  page('/', membersOnly('admin', 'agent', 'developer', 'viewer'), async (visit, parts) => {
    const { t } = visit;
    const [troubled, newest] = [await troubledWebhooks(visit, parts), await newestApplications(visit, parts)];
    const main = html`<h1>${t.text('section.overview')}</h1>
${troubled}${newest}`;
    return { title: t.text('section.overview'), main };
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
    const state = webhookState(webhook);
    const { failed, held, pending } = numbersOf(webhook.id);
    const open = counted(t, held + pending, MAX_COUNTED);
    return html`<li class="${state === 'paused' ? 'warning' : 'problem'}">${badge(state, t.text(`webhook.${state}`))}<p>${link(to(`webhooks/${webhook.id}`), isolated(webhook.url))}</p><p>${t.text('overview.webhook', { failed: counted(t, failed, MAX_COUNTED), open })}</p></li>`;
  });
  return html`<h2>${t.text('overview.webhooks')}</h2><ul class="amiss">${items}</ul>`;
}

async function newestApplications(visit: Visit<OneLandlord>, { db }: Parts): Promise<Html | undefined> {
  const { t, to, scope } = visit;
  if (!visit.may('GET', 'applications')) return undefined;
  const found = await listApplications(db, scope, {}, NEWEST);
  const create = visit.may('GET', 'applications/new')
    ? html`<p><a class="button" href="${to('applications/new')}">${t.text('create.title')}</a></p>`
    : undefined;
  const title = html`<h2>${t.text('overview.applications')}</h2>`;
  if (found.length === 0) return html`${title}<p class="lead">${t.text('applications.empty')}</p>${create}`;
  const ids = found.map(({ id }) => id);
  const countsOf = await countParticipants(db, ids);
  const rows = found.map((row) => {
    const { participants, pending } = countsOf(row.id);
    const name = isolated(row.title || t.text('application.untitled'));
    return [
      link(to(`applications/${row.id}`), name),
      row.lead_email === null ? null : isolated(row.lead_email),
      participants,
      pending > 0 ? pending : t.text('none'),
      moment(row.created_at),
    ];
  });
  const columns = [
    'application.title',
    'role.lead',
    'application.participants',
    'application.unanswered',
    'created',
  ] as const;
  return html`${title}${table(
    t.text('applications.caption'),
    columns.map((column) => t.text(column)),
    rows,
  )}${create}`;
}
