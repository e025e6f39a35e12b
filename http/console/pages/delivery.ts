import { type Html, html, isolated } from '../../../core/html.ts';
import { unsealJson } from '../../../core/secrets/secrets.ts';
import { recordAudit } from '../../../db/audit/audit.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import type { DeliveryAttemptRow } from '../../../db/webhooks/deliveries.ts';
import { type DeliveryHistory, deliveryState, findDeliveryHistory } from '../../../db/webhooks/delivery-lists.ts';
import { findEvent } from '../../../db/webhooks/events.ts';
import { adviseOn } from '../../../jobs/webhooks/delivery-advice.ts';
import { expectFound, type Page, type PageRoute, type Visit } from '../route.ts';
import { actionForm } from '../views/forms.ts';
import { livePart } from '../views/live.ts';
import { badge, code, facts, link, moment } from '../views/parts.ts';

/** One delivery: its state and next step, then each attempt. */
export const deliveryPage: PageRoute['handle'] = async (visit, { db, webhooks }) => {
  const history = await historyOf(visit, db);
  const { delivery, webhook, attempts } = history;
  const { to, now } = visit;
  const { explanation, command } = adviseOn(history, webhooks.retryDelaysMs, now);
  const again = command?.startsWith('delivery redeliver')
    ? actionForm(visit, { to: `deliveries/${delivery.id}/redeliver`, label: 'Deliver again' })
    : undefined;
  const resume = command?.startsWith('webhook resume')
    ? actionForm(visit, { to: `webhooks/${webhook.id}/resume`, label: 'Resume the webhook' })
    : undefined;
  const parts = html`<h1>${delivery.event} ${badge(deliveryState(delivery))}</h1>
<p class="lead">${explanation}</p>
${again}${resume}
${facts([
  ['Delivery', code(delivery.id)],
  ['Endpoint', isolated(delivery.url)],
  ['Webhook', link(to(`webhooks/${webhook.id}`), code(webhook.id))],
  ['Person', link(to(`people/${delivery.tenant_id}`), code(delivery.tenant_id))],
  ['Created', moment(delivery.created_at)],
  ['Next attempt', moment(delivery.due_at)],
  ['Ended', moment(delivery.finished_at)],
  ['Signed', webhook.sealed_secret === null ? 'no: the webhook has no secret' : 'yes'],
  [
    'Body',
    delivery.payload_expired
      ? 'no longer kept'
      : link(to(`deliveries/${delivery.id}/body`), 'Show the body (recorded)'),
  ],
])}
<h2>Attempts</h2>
${attempts.length > 0 ? html`<ol class="attempts">${attempts.toReversed().map((one) => attempt(one, history))}</ol>` : html`<p class="lead">None was recorded.</p>`}`;
  const main = html`<p class="crumbs">${link(to('deliveries'), 'Deliveries')}</p>
${livePart('delivery', parts)}`;
  return { title: `Delivery of ${delivery.event}`, main, state: [delivery, webhook.paused_at, attempts, explanation] };
};

function attempt(
  { number, started_at, duration_ms, status_code, error, response_excerpt }: DeliveryAttemptRow,
  { delivery, webhook }: DeliveryHistory,
): Html {
  const seconds = Math.floor(Date.parse(started_at) / 1000);
  const request = [
    `POST ${delivery.url}`,
    'content-type: application/json',
    `webhook-id: ${delivery.id}`,
    `webhook-timestamp: ${seconds}`,
    ...(webhook.sealed_secret === null ? [] : ['webhook-signature: v1,…']),
  ];
  return html`<li>
<h3>Attempt ${number} ${badge(error === null ? 'delivered' : 'failed')}</h3>
<p>${moment(started_at)}, took ${(duration_ms / 1000).toFixed(2)} s: ${error === null ? html`answered ${status_code ?? ''}` : isolated(error)}.</p>
<div class="pair">
<div><h4>Request</h4><pre tabindex="0">${request.join('\n')}</pre></div>
<div><h4>Response ${status_code ?? ''}</h4><pre tabindex="0">${response_excerpt ?? (status_code === null ? 'There was none.' : 'It is empty, or no longer kept.')}</pre></div>
</div>
</li>`;
}

/** The sent body, which contains personal data. */
export const deliveryBody: PageRoute['handle'] = async (visit, { db, keys }): Promise<Page> => {
  const { delivery } = await historyOf(visit, db);
  const { to, actor, now } = visit;
  const event = expectFound(await findEvent(db, delivery.event_id), 'Event');
  const sealed = event.body;
  // Recorded before it is shown, so that no read goes unrecorded.
  if (sealed !== null) await inTransaction(db, (trx) => recordAudit(trx, actor, 'event.read', event.id, now));
  const body = sealed === null ? undefined : JSON.stringify(JSON.parse(unsealJson(sealed, keys.encryption)), null, 2);
  const main = html`<p class="crumbs">${link(to('deliveries'), 'Deliveries')} ${link(to(`deliveries/${delivery.id}`), 'Delivery')}</p>
<h1>Body of ${delivery.event}</h1>
${body === undefined ? html`<p class="lead">It is no longer kept.</p>` : html`<p class="lead">Viewing this page is recorded.</p><pre tabindex="0">${body}</pre>`}`;
  return { title: `Body of ${delivery.event}`, main };
};

async function historyOf({ param }: Visit, db: Parameters<typeof findDeliveryHistory>[0]): Promise<DeliveryHistory> {
  return expectFound(await findDeliveryHistory(db, param('id')), 'Delivery');
}
