import { type Html, html, isolated } from '../../../../core/html.ts';
import { countDeliveries, MAX_A_DAY } from '../../../../db/webhooks/daily-deliveries.ts';
import {
  type ListedWebhook,
  listWebhooks,
  MAX_COUNTED,
  webhookNumbers,
  webhookState,
  webhookStates,
} from '../../../../db/webhooks/delivery-lists.ts';
import { oneIn, PAGE_ROWS } from '../../query.ts';
import { operatorsAnd, type Parts, page, type Visit } from '../../route.ts';
import { barChart, lastDays } from '../../views/chart.ts';
import { actionForm, field, filterChoice, filterForm } from '../../views/forms.ts';
import {
  badge,
  type Column,
  counted,
  facts,
  idLink,
  link,
  linkIn,
  moment,
  sectionLink,
  shortId,
  table,
  wayTo,
} from '../../views/parts.ts';
import { keyChoice } from '../key-choice.ts';
import { webhookOf } from './named.ts';
import { overlapField } from './secrets.ts';
import { webhookActions, windowField } from './webhook-actions.ts';
import { newWebhookRoutes } from './webhook-new.ts';

const developers = operatorsAnd('admin', 'developer');

/** A webhook's state as a badge. */
export function webhookBadge({ t }: Pick<Visit, 't'>, webhook: ListedWebhook) {
  const state = webhookState(webhook);
  return badge(state, t.text(`webhook.${state}`));
}

export function webhookColumns(visit: Visit): Record<'address' | 'state' | 'lastAttempt', Column<ListedWebhook>> {
  const { t, to } = visit;
  return {
    address: [t.text('address'), ({ id, url }) => link(to(`webhooks/${id}`), isolated(url))],
    state: [t.text('state'), (webhook) => webhookBadge(visit, webhook)],
    lastAttempt: [t.text('webhook.last-attempt'), (webhook) => moment(webhook.last_triggered_at)],
  };
}

/** Whether deliveries succeed, and since when not. */
async function deliveryChart({ t, scope, now }: Visit, { db }: Parts, webhookId: string): Promise<Html | undefined> {
  const days = lastDays(now);
  const counts = new Map((await countDeliveries(db, scope, webhookId, days)).map((one) => [one.day, one]));
  const bars = days.map((label) => {
    const { delivered = 0, failed = 0 } = counts.get(label) ?? {};
    return { label, count: delivered + failed, failed };
  });
  if (bars.every(({ count }) => count === 0)) return undefined;
  return html`${barChart(t, t.text('webhook.chart'), bars)}
<p class="note">${t.text('webhook.chart-note', { limit: MAX_A_DAY })}</p>`;
}

export const webhookRoutes = [
  page('/webhooks', developers, async (visit, parts) => {
    const { query, to, now, scope, t } = visit;
    const { db } = parts;
    const state = oneIn(query, 'status', webhookStates);
    const { clientId, shown } = await keyChoice(visit, parts);
    const found = await listWebhooks(db, scope, { state, clientId }, PAGE_ROWS);
    const ids = found.map(({ id }) => id);
    const numbersOf = await webhookNumbers(db, ids, now);
    const columns = webhookColumns(visit);
    const states = webhookStates.map((one) => [one, t.text(`webhook.${one}`)] as const);
    const stateField = filterChoice(t, 'status', t.text('state'), states, state);
    const isFiltered = state !== undefined || clientId !== undefined || scope.of === 'all landlords';
    const main = html`${wayTo(visit, 'webhooks/new', t.text('webhook.new'))}
<p>${linkIn(visit, 'events', t.text('section.events'))}</p>
${filterForm(to('webhooks'), [stateField, shown], t.text('filter.show'))}
${table(
  t.text('webhooks.caption'),
  [
    columns.address,
    columns.state,
    [t.text('key'), ({ api_key_name }) => isolated(api_key_name)],
    [t.text('delivery.waiting'), ({ id }) => counted(t, numbersOf(id).pending + numbersOf(id).held, MAX_COUNTED)],
    [t.text('delivery.failed'), ({ id }) => counted(t, numbersOf(id).failed, MAX_COUNTED)],
    columns.lastAttempt,
  ],
  found,
  t.text(isFiltered ? 'webhooks.none' : 'webhooks.empty'),
)}
${found.length === PAGE_ROWS ? html`<p class="note">${t.text('webhooks.newest', { count: PAGE_ROWS })}</p>` : undefined}`;
    return { title: t.text('section.webhooks'), main };
  }),
  ...newWebhookRoutes,
  page('/webhooks/:id', developers, async (visit, parts) => {
    const { to, now, scope, t } = visit;
    const webhook = await webhookOf(visit, parts);
    const numbers = (await webhookNumbers(parts.db, [webhook.id], now))(webhook.id);
    const here = `webhooks/${webhook.id}`;
    const log = `deliveries?webhook=${webhook.id}`;
    const { host } = new URL(webhook.url);
    const isPaused = webhook.paused_at !== null;
    const pauseReason = field('reason', t.text('reason'), { value: t.text('webhook.pause-reason'), isRequired: true });
    const isOperator = scope.of === 'all landlords';
    const count = (status: string, number: number) =>
      linkIn(visit, `${log}&status=${status}`, counted(t, number, MAX_COUNTED));
    const mayAct = visit.may('POST', `${here}/test`);
    const main = html`${isPaused ? html`<p class="lead">${t.rich('webhook.is-paused', { reason: webhook.pause_reason ?? '' })}</p>` : undefined}
${isPaused ? actionForm(visit, { to: `${here}/resume`, label: t.text('webhook.resume') }) : actionForm(visit, { to: `${here}/pause`, label: t.text('webhook.pause'), fields: [pauseReason] })}
${numbers.failed > 0 && !isPaused ? actionForm(visit, { to: `${here}/redeliver-failed`, label: t.text('webhook.redeliver'), fields: [windowField(visit)] }) : undefined}
${facts([
  [t.text('address'), isolated(webhook.url)],
  [t.text('webhook'), shortId(webhook.id)],
  [t.text('key'), linkIn(visit, `keys/${webhook.client_id}`, isolated(webhook.api_key_name))],
  [t.text('landlord'), isOperator ? idLink(visit, `landlords/${webhook.landlord_id}`, webhook.landlord_id) : null],
  [t.text('webhook.signed'), t.text(webhook.sealed_secret === null ? 'webhook.no-secret' : 'yes')],
  [t.text('webhook.former-secrets'), moment(numbers.formerSecretsUntil)],
  [t.text('webhook.failing-since'), moment(webhook.failing_since)],
  [t.text('webhook.paused-since'), moment(webhook.paused_at)],
  [t.text('webhook.last-attempt'), moment(webhook.last_triggered_at)],
  [t.text('created'), moment(webhook.created_at)],
  [t.text('delivery.waiting'), count('pending', numbers.pending)],
  [t.text('delivery.held'), count('held', numbers.held)],
  [t.text('delivery.failed'), count('failed', numbers.failed)],
])}
${await deliveryChart(visit, parts, webhook.id)}
<p>${link(to(log), t.text('webhook.deliveries'))}</p>
${mayAct ? html`<h2>${t.text('webhook.test')}</h2><p class="lead">${t.text('webhook.test-text')}</p>` : undefined}
${actionForm(visit, { to: `${here}/test`, label: t.text('webhook.test-button') })}
${mayAct ? html`<h2>${t.text('webhook.secret')}</h2>` : undefined}
${actionForm(visit, { to: `${here}/rotate-secret`, label: t.text('secret.new'), fields: [overlapField(t, 'secret.old-signing')] })}
${mayAct ? html`<h2>${t.text('webhook.delete')}</h2><p class="lead">${t.text('webhook.delete-text')}</p>` : undefined}
${actionForm(visit, { to: `${here}/delete`, label: t.text('webhook.delete'), final: { sure: t.rich('sure.webhook', { host }) } })}`;
    const heading = html`${isolated(host)} ${webhookBadge(visit, webhook)}`;
    return { title: t.text('webhook'), heading, above: [sectionLink(visit, 'webhooks')], main };
  }),
  ...webhookActions,
];
