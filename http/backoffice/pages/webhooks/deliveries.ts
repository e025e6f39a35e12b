import { type Html, html, isolated } from '../../../../core/html.ts';
import {
  deliveryState,
  deliveryStates,
  findDeliveryHistory,
  type ListedDelivery,
} from '../../../../db/webhooks/delivery-lists.ts';
import { type LogFilter, MAX_WEBHOOKS, readDeliveryLog } from '../../../../db/webhooks/delivery-log.ts';
import { eventNames } from '../../../../db/webhooks/events.ts';
import { redeliver } from '../../../../jobs/webhooks/redeliver.ts';
import { oneIn, PAGE_ROWS, positionIn, positionText, textIn } from '../../query.ts';
import { action, expectFound, operatorsAnd, page, type Visit } from '../../route.ts';
import { actionForm, field, filterChoice, filterForm } from '../../views/forms.ts';
import { livePart } from '../../views/live.ts';
import { type Column, code, english, link, moment, older, table } from '../../views/parts.ts';
import { deliveryBadge, deliveryBody, deliveryPage, historyOf } from './delivery.ts';
import { redeliveryRefusal } from './refusals.ts';

const developers = operatorsAnd('admin', 'developer');

/** The form that sends chosen deliveries again. */
const CHOSEN = 'chosen';

export const deliveryRoutes = [
  page('/deliveries', developers, async (visit, { db }) => {
    const { t } = visit;
    const filter = filterOf(visit);
    const { rows, next } = await readDeliveryLog(db, visit.scope, filter, positionIn(visit.query), PAGE_ROWS);
    const isChoice = filter.state === 'failed' && rows.length > 0 && visit.may('POST', 'deliveries/redeliver');
    const again = { to: 'deliveries/redeliver', label: t.text('deliveries.again'), id: CHOSEN };
    const main = html`${filters(visit, filter)}
${isChoice ? actionForm(visit, again) : undefined}
${livePart(
  'log',
  html`${deliveryTable(visit, rows, t.text(emptyText(visit, next !== undefined)), isChoice)}
${older(t, visit.to('deliveries'), visit.query, positionText(next))}`,
)}`;
    return { title: t.text('section.deliveries'), main, state: [rows, next] };
  }),
  action('/deliveries/redeliver', developers, async (visit, parts) => {
    const { form, scope, actor } = visit;
    const chosen = [];
    for (const id of form.getAll('delivery').slice(0, PAGE_ROWS))
      chosen.push(expectFound(await findDeliveryHistory(parts.db, scope, id), 'Delivery').delivery);
    let sent = 0;
    for (const delivery of chosen) if ((await redeliver(parts, delivery, actor)) === 'sent') sent += 1;
    return { goTo: 'deliveries?status=failed', notice: sent > 0 ? 'redelivered-failed' : 'unchanged' };
  }),
  page('/deliveries/:id', developers, deliveryPage),
  page('/deliveries/:id/body', developers, deliveryBody),
  action('/deliveries/:id/redeliver', developers, async (visit, parts) => {
    const { delivery } = await historyOf(visit, parts.db);
    const outcome = await redeliver(parts, delivery, visit.actor);
    if (outcome !== 'sent') throw redeliveryRefusal(visit.t, outcome);
    return { goTo: `deliveries/${delivery.id}`, notice: 'redelivered' };
  }),
];

function filterOf({ query, scope }: Visit): LogFilter {
  return {
    state: oneIn(query, 'status', deliveryStates),
    event: oneIn(query, 'event', eventNames),
    webhookId: textIn(query, 'webhook'),
    landlordId: scope.of === 'all landlords' ? textIn(query, 'landlord') : undefined,
  };
}

function filters({ to, t, scope }: Visit, { state, event, webhookId = '', landlordId = '' }: LogFilter): Html {
  const states = deliveryStates.map((one) => [one, t.text(`delivery.${one}`)] as const);
  const events = eventNames.map((name) => [name, name] as const);
  const isOperator = scope.of === 'all landlords';
  return filterForm(
    to('deliveries'),
    [
      filterChoice(t, 'status', t.text('state'), states, state),
      filterChoice(t, 'event', t.text('event'), events, event),
      field('webhook', t.text('webhook'), { value: webhookId, hint: 'id' }),
      isOperator
        ? field('landlord', t.text('landlord'), {
            value: landlordId,
            hint: `id; of its ${MAX_WEBHOOKS} newest webhooks`,
          })
        : undefined,
    ],
    t.text('filter.show'),
  );
}

function emptyText({ query, scope }: Visit, isMore: boolean) {
  if (isMore) return 'deliveries.look-further';
  return query.size > 0 || scope.of === 'all landlords' ? 'deliveries.none' : 'deliveries.empty';
}

/** @param empty what a list without deliveries says @param isChoice whether rows are chosen for the form `CHOSEN` */
export function deliveryTable(
  { to, t, refused }: Pick<Visit, 'to' | 't' | 'refused'>,
  rows: readonly ListedDelivery[],
  empty: string,
  isChoice = false,
) {
  const chosen: Column<ListedDelivery> = [
    t.text('deliveries.choose'),
    ({ id, event }) =>
      html`<input type="checkbox" name="delivery" value="${id}" form="${CHOSEN}" aria-label="${t.text('deliveries.choose')}: ${event}"${refused?.sent.getAll('delivery').includes(id) ? html` checked` : undefined}>`,
  ];
  const columns: readonly Column<ListedDelivery>[] = [
    [t.text('created'), ({ id, created_at }) => link(to(`deliveries/${id}`), moment(created_at))],
    [t.text('event'), ({ event }) => code(event)],
    [t.text('state'), (row) => deliveryBadge(t, deliveryState(row))],
    [t.text('endpoint'), ({ url }) => isolated(new URL(url).host)],
    [t.text('attempts'), ({ attempts }) => attempts],
    [
      t.text('last-answer'),
      ({ last_error, last_status_code: status }) => english(last_error) ?? (status && code(String(status))),
    ],
  ];
  return table(t.text('deliveries.caption'), isChoice ? [...columns, chosen] : columns, rows, empty);
}
