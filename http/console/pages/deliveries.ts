import { Conflict } from '../../../core/errors.ts';
import { type Html, html, isolated } from '../../../core/html.ts';
import { sentence } from '../../../core/text.ts';
import {
  type DeliveryState,
  deliveryState,
  deliveryStates,
  findDeliveryHistory,
  type ListedDelivery,
} from '../../../db/webhooks/delivery-lists.ts';
import { type LogFilter, MAX_WEBHOOKS, readDeliveryLog } from '../../../db/webhooks/delivery-log.ts';
import { eventNames } from '../../../db/webhooks/events.ts';
import { redeliver, redeliveryRefusals } from '../../../jobs/webhooks/redeliver.ts';
import { oneIn, PAGE_ROWS, positionIn, positionText, textIn } from '../query.ts';
import { action, expectFound, type GoTo, page, type Visit } from '../route.ts';
import { choice, field, filterForm } from '../views/forms.ts';
import { livePart } from '../views/live.ts';
import { badge, code, link, moment, older, table } from '../views/parts.ts';
import { deliveryBody, deliveryPage } from './delivery.ts';

export const deliveryRoutes = [
  page('/deliveries', async (visit, { db }) => {
    const filter = filterOf(visit.query);
    const { rows, next } = await readDeliveryLog(db, filter, positionIn(visit.query), PAGE_ROWS);
    const main = html`<h1>Deliveries</h1>
${filters(visit, filter)}
${livePart(
  'log',
  html`${rows.length > 0 ? deliveryTable(visit, rows) : empty(next !== undefined)}
${older(visit.to('deliveries'), visit.query, positionText(next))}`,
)}`;
    return { title: 'Deliveries', main, state: [rows, next] };
  }),
  page('/deliveries/:id', deliveryPage),
  page('/deliveries/:id/body', deliveryBody),
  action('/deliveries/:id/redeliver', async ({ param, actor }, console): Promise<GoTo> => {
    const { delivery } = expectFound(await findDeliveryHistory(console.db, param('id')), 'Delivery');
    const outcome = await redeliver(console, delivery, actor);
    if (outcome !== 'sent') throw new Conflict(sentence(`It was not sent again: ${redeliveryRefusals[outcome]}`));
    return { goTo: `deliveries/${delivery.id}`, notice: 'redelivered' };
  }),
];

function filterOf(query: URLSearchParams): LogFilter {
  return {
    state: oneIn(query, 'status', deliveryStates),
    event: oneIn(query, 'event', eventNames),
    webhookId: textIn(query, 'webhook'),
    landlordId: textIn(query, 'landlord'),
  };
}

const STATE_WORDS: Record<DeliveryState, string> = {
  pending: 'Waiting',
  held: 'Held',
  delivered: 'Delivered',
  failed: 'Failed',
};

function filters({ to }: Visit, { state, event = '', webhookId = '', landlordId = '' }: LogFilter): Html {
  const states = deliveryStates.map((one) => [one, STATE_WORDS[one]] as const);
  return filterForm(
    to('deliveries'),
    html`${choice('status', 'Status', [['', 'Any'], ...states], state ?? '')}
${choice('event', 'Event', [['', 'Any'], ...eventNames.map((name) => [name, name] as const)], event)}
${field('webhook', 'Webhook', webhookId, 'id')}
${field('landlord', 'Landlord', landlordId, `id; of its ${MAX_WEBHOOKS} newest webhooks`)}`,
  );
}

function empty(isMore: boolean): Html {
  return isMore
    ? html`<p class="lead">None among those that were looked through. Look further back.</p>`
    : html`<p class="lead">There are no such deliveries.</p>`;
}

export function deliveryTable({ to }: Pick<Visit, 'to'>, rows: readonly ListedDelivery[]): Html {
  return table(
    'Deliveries, newest first',
    ['Created', 'Event', 'Status', 'Endpoint', 'Attempts', 'Last answer'],
    rows.map((row) => [
      link(to(`deliveries/${row.id}`), moment(row.created_at)),
      row.event,
      badge(deliveryState(row)),
      isolated(new URL(row.url).host),
      row.attempts,
      row.last_error === null ? row.last_status_code && code(String(row.last_status_code)) : isolated(row.last_error),
    ]),
  );
}
