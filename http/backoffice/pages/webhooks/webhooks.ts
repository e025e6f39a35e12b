import { html, isolated } from '../../../../core/html.ts';
import {
  listWebhooks,
  MAX_COUNTED,
  webhookNumbers,
  webhookState,
  webhookStates,
} from '../../../../db/webhooks/delivery-lists.ts';
import { oneIn, PAGE_ROWS } from '../../query.ts';
import { operatorsAnd, page } from '../../route.ts';
import { actionForm, choice, field, filterForm } from '../../views/forms.ts';
import { badge, code, counted, facts, link, linkIn, moment, table } from '../../views/parts.ts';
import { keyChoice } from '../key-choice.ts';
import { webhookOf } from './named.ts';
import { overlapField } from './secrets.ts';
import { webhookActions, windowField } from './webhook-actions.ts';
import { newWebhookRoutes } from './webhook-new.ts';

const developers = operatorsAnd('admin', 'developer');

export const webhookRoutes = [
  page('/webhooks', developers, async (visit, parts) => {
    const { query, to, now, scope, t } = visit;
    const { db } = parts;
    const state = oneIn(query, 'status', webhookStates);
    const { clientId, shown } = await keyChoice(visit, parts);
    const found = await listWebhooks(db, scope, { state, clientId }, PAGE_ROWS);
    const numbersOf = await webhookNumbers(
      db,
      found.map(({ id }) => id),
      now,
    );
    const rows = found.map((webhook) => {
      const { pending, held, failed } = numbersOf(webhook.id);
      const current = webhookState(webhook);
      return [
        link(to(`webhooks/${webhook.id}`), isolated(webhook.url)),
        badge(current, t.text(`webhook.${current}`)),
        isolated(webhook.api_key_name),
        counted(t, pending + held, MAX_COUNTED),
        counted(t, failed, MAX_COUNTED),
        moment(webhook.last_triggered_at),
      ];
    });
    const any = [['', t.text('filter.any')] as const];
    const states = [...any, ...webhookStates.map((one) => [one, t.text(`webhook.${one}`)] as const)];
    const columns = [
      ...[t.text('address'), t.text('state'), t.text('key')],
      ...[t.text('delivery.waiting'), t.text('delivery.failed'), t.text('webhook.last-attempt')],
    ];
    const isFiltered = state !== undefined || clientId !== undefined || scope.of === 'all landlords';
    const main = html`<h1>${t.text('section.webhooks')}</h1>
${visit.may('GET', 'webhooks/new') ? html`<p><a class="button" href="${to('webhooks/new')}">${t.text('webhook.new')}</a></p>` : undefined}
${filterForm(to('webhooks'), html`${choice('status', t.text('state'), states, state ?? '')}${shown}`, t.text('filter.show'))}
${rows.length > 0 ? table(t.text('webhooks.caption'), columns, rows) : html`<p class="lead">${t.text(isFiltered ? 'webhooks.none' : 'webhooks.empty')}</p>`}
${rows.length === PAGE_ROWS ? html`<p class="note">${t.text('webhooks.newest', { count: PAGE_ROWS })}</p>` : undefined}`;
    return { title: t.text('section.webhooks'), main };
  }),
  ...newWebhookRoutes,
  page('/webhooks/:id', developers, async (visit, parts) => {
    const { to, now, scope, t } = visit;
    const webhook = await webhookOf(visit, parts);
    const numbers = (await webhookNumbers(parts.db, [webhook.id], now))(webhook.id);
    const here = `webhooks/${webhook.id}`;
    const log = `deliveries?webhook=${webhook.id}`;
    const isPaused = webhook.paused_at !== null;
    const state = webhookState(webhook);
    const pauseReason = field('reason', t.text('reason'), t.text('webhook.pause-reason'));
    const isOperator = scope.of === 'all landlords';
    const count = (status: string, number: number) =>
      linkIn(visit, `${log}&status=${status}`, counted(t, number, MAX_COUNTED));
    const main = html`<p class="crumbs">${link(to('webhooks'), t.text('section.webhooks'))}</p>
<h1>${isolated(new URL(webhook.url).host)} ${badge(state, t.text(`webhook.${state}`))}</h1>
${isPaused ? html`<p class="lead">${t.rich('webhook.is-paused', { reason: webhook.pause_reason ?? '' })}</p>` : undefined}
${isPaused ? actionForm(visit, { to: `${here}/resume`, label: t.text('webhook.resume') }) : actionForm(visit, { to: `${here}/pause`, label: t.text('webhook.pause'), fields: pauseReason })}
${numbers.failed > 0 && !isPaused ? actionForm(visit, { to: `${here}/redeliver-failed`, label: t.text('webhook.redeliver'), fields: windowField(visit) }) : undefined}
${facts([
  [t.text('address'), isolated(webhook.url)],
  [t.text('webhook'), code(webhook.id)],
  [t.text('key'), linkIn(visit, `keys/${webhook.client_id}`, isolated(webhook.api_key_name))],
  [
    t.text('landlord'),
    isOperator ? linkIn(visit, `landlords/${webhook.landlord_id}`, code(webhook.landlord_id)) : null,
  ],
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
<p>${link(to(log), t.text('webhook.deliveries'))}</p>
${visit.may('POST', `${here}/test`) ? html`<h2>${t.text('webhook.test')}</h2><p class="lead">${t.text('webhook.test-text')}</p>` : undefined}
${actionForm(visit, { to: `${here}/test`, label: t.text('webhook.test-button') })}
${visit.may('POST', `${here}/rotate-secret`) ? html`<h2>${t.text('webhook.secret')}</h2>` : undefined}
${actionForm(visit, { to: `${here}/rotate-secret`, label: t.text('secret.new'), fields: overlapField(t, 'secret.old-signing') })}
${visit.may('POST', `${here}/delete`) ? html`<h2>${t.text('webhook.delete')}</h2><p class="lead">${t.text('webhook.delete-text')}</p>` : undefined}
${actionForm(visit, { to: `${here}/delete`, label: t.text('webhook.delete'), isFinal: true })}`;
    return { title: t.text('webhook'), main };
  }),
  ...webhookActions,
];
