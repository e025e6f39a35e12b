import { type Html, html, isolated } from '../../../../core/html.ts';
import { unsealJson } from '../../../../core/secrets/secrets.ts';
import { isInForce } from '../../../../db/access/api-key-states.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import type { Database } from '../../../../db/connection/database.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import type { DeliveryAttemptRow } from '../../../../db/webhooks/deliveries.ts';
import {
  type DeliveryHistory,
  type DeliveryState,
  deliveryState,
  findDeliveryHistory,
  MAX_SHOWN_ATTEMPTS,
} from '../../../../db/webhooks/delivery-lists.ts';
import { findEvent } from '../../../../db/webhooks/events.ts';
import { adviseOn } from '../../../../jobs/webhooks/delivery-advice.ts';
import { expectFound, type PageRoute, type Parts, type Visit } from '../../route.ts';
import { actionForm } from '../../views/forms.ts';
import { livePart } from '../../views/live.ts';
import { badge, english, facts, idLink, link, moment, sectionLink, shortId } from '../../views/parts.ts';

/** One delivery: its state and next step, then each attempt. */
export const deliveryPage: PageRoute<Parts>['handle'] = async (visit, { db, webhooks }) => {
  const history = await historyOf(visit, db);
  const { delivery, webhook, attempts } = history;
  const { to, now, t } = visit;
  const explanation = explained(visit, history, webhooks.retryDelaysMs);
  const { command } = adviseOn(history, webhooks.retryDelaysMs, now);
  const again = command?.startsWith('delivery redeliver')
    ? actionForm(visit, { to: `deliveries/${delivery.id}/redeliver`, label: t.text('delivery.again') })
    : undefined;
  const resume = command?.startsWith('webhook resume')
    ? actionForm(visit, { to: `webhooks/${webhook.id}/resume`, label: t.text('webhook.resume') })
    : undefined;
  const parts = html`<h1>${delivery.event} ${deliveryBadge(t, deliveryState(delivery))}</h1>
<p class="lead">${explanation}</p>
${again}${resume}
${facts([
  [t.text('delivery'), shortId(delivery.id)],
  [t.text('endpoint'), isolated(delivery.url)],
  [t.text('webhook'), idLink(visit, `webhooks/${webhook.id}`, webhook.id)],
  [t.text('person'), idLink(visit, `people/${delivery.tenant_id}`, delivery.tenant_id)],
  [t.text('created'), moment(delivery.created_at)],
  [t.text('delivery.next'), moment(delivery.due_at)],
  [t.text('delivery.ended'), moment(delivery.finished_at)],
  [t.text('webhook.signed'), t.text(webhook.sealed_secret === null ? 'webhook.no-secret' : 'yes')],
  [
    t.text('delivery.body'),
    delivery.payload_expired
      ? t.text('delivery.body-expired')
      : link(to(`deliveries/${delivery.id}/body`), t.text('delivery.body-show')),
  ],
])}
<h2>${t.text('attempts')}</h2>
${delivery.attempts > MAX_SHOWN_ATTEMPTS ? html`<p class="note">${t.text('attempts.newest', { limit: MAX_SHOWN_ATTEMPTS })}</p>` : undefined}
${attempts.length > 0 ? html`<ol class="attempts">${attempts.toReversed().map((one) => attempt(one, history, visit))}</ol>` : html`<p class="lead">${t.text('attempts.none')}</p>`}`;
  return {
    title: t.text('delivery.title', { event: delivery.event }),
    heading: false,
    above: [sectionLink(visit, 'deliveries')],
    main: livePart('delivery', parts),
    state: [delivery, webhook.paused_at, attempts, explanation],
  };
};

export function deliveryBadge(t: Visit['t'], state: DeliveryState): Html {
  return badge(state, t.text(`delivery.${state}`));
}

/** Operators read the advice of the command line. */
function explained({ scope, t, now }: Visit, history: DeliveryHistory, retryDelaysMs: readonly number[]): Html {
  if (scope.of === 'all landlords') return html`${adviseOn(history, retryDelaysMs, now).explanation}`;
  const { delivery, webhook } = history;
  const { attempts, last_error } = delivery;
  const state = deliveryState(delivery);
  const isOver = !isInForce(webhook, now);
  if (state === 'delivered') return t.rich('advice.delivered', { attempts });
  if (state === 'failed') {
    const why = t.rich('advice.failed', { attempts, fault: last_error ?? '' });
    return isOver ? html`${why} ${t.text('redelivery.key-revoked')}` : why;
  }
  if (webhook.paused_at !== null) return t.rich('advice.held', { reason: webhook.pause_reason ?? '' });
  if (delivery.due_at === null || delivery.due_at <= now.toISOString()) return t.rich('advice.now');
  return t.rich('advice.waiting', { attempts, all: retryDelaysMs.length + 1 });
}

/** What an endpoint answered, or that there is nothing of it. */
export function responseOf(t: Visit['t'], statusCode: number | null, excerpt: string | null): Html {
  if (excerpt !== null && excerpt !== '') return html`<pre tabindex="0" translate="no">${excerpt}</pre>`;
  return html`<pre tabindex="0">${t.text(statusCode === null ? 'attempt.no-response' : 'attempt.empty-response')}</pre>`;
}

function attempt(
  { number, started_at, duration_ms, status_code, error, response_excerpt }: DeliveryAttemptRow,
  { delivery, webhook }: DeliveryHistory,
  { t }: Visit,
): Html {
  const seconds = Math.floor(Date.parse(started_at) / 1000);
  const request = [
    `POST ${delivery.url}`,
    'content-type: application/json',
    `webhook-id: ${delivery.id}`,
    `webhook-timestamp: ${seconds}`,
    ...(webhook.sealed_secret === null ? [] : ['webhook-signature: v1,…']),
  ];
  const took = t.text('attempt.took-seconds', { seconds: duration_ms / 1000 });
  const answer = english(error) ?? t.text('attempt.answered', { status: status_code ?? 0 });
  return html`<li>
<h3>${t.text('attempt.number', { number })} ${deliveryBadge(t, error === null ? 'delivered' : 'failed')}</h3>
<p>${moment(started_at)}, ${took}: ${answer}.</p>
<div class="pair">
<div><h4>${t.text('attempt.request')}</h4><pre tabindex="0" translate="no">${request.join('\n')}</pre></div>
<div><h4>${t.text('attempt.response')} ${status_code ?? ''}</h4>${responseOf(t, status_code, response_excerpt)}</div>
</div>
</li>`;
}

/** The sent body, which contains personal data. */
export const deliveryBody: PageRoute<Parts>['handle'] = async (visit, { db, keys }) => {
  const { delivery } = await historyOf(visit, db);
  const { to, actor, now, t } = visit;
  const event = expectFound(await findEvent(db, delivery.event_id), 'Event');
  const sealed = event.body;
  // Recorded before it is shown, so that no read goes unrecorded.
  if (sealed !== null) await inTransaction(db, (trx) => recordAudit(trx, actor, 'event.read', event.id, now));
  const body = sealed === null ? undefined : JSON.stringify(JSON.parse(unsealJson(sealed, keys.encryption)), null, 2);
  const main = html`<p class="lead">${t.text(body === undefined ? 'delivery.body-expired' : 'recorded')}</p>
${body === undefined ? undefined : html`<pre tabindex="0" translate="no">${body}</pre>`}`;
  return {
    title: t.text('delivery.body-of', { event: delivery.event }),
    heading: t.rich('delivery.body-of', { event: delivery.event }),
    above: [sectionLink(visit, 'deliveries'), link(to(`deliveries/${delivery.id}`), t.text('delivery'))],
    main,
  };
};

/** The delivery of the address, in the visitor's scope. @throws NotFound */
export async function historyOf({ param, scope }: Visit, db: Database): Promise<DeliveryHistory> {
  return expectFound(await findDeliveryHistory(db, scope, param('id')), 'Delivery');
}
