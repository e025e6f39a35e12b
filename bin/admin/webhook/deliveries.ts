import { type Command, Option } from 'commander';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import {
  type DeliveryState,
  deliveryState,
  deliveryStates,
  type ListedDelivery,
  listDeliveries,
} from '../../../db/webhooks/delivery-lists.ts';
import { eventNames } from '../../../db/webhooks/events.ts';
import { namedTenant } from '../cli/named.ts';
import { list, shortMoment } from '../cli/output.ts';
import { example } from '../cli/run-command.ts';
import { limitOption, parseMoment } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';
import { addExplainCommand } from './explain.ts';
import { namedWebhook } from './named.ts';
import { addRedeliverCommand } from './redeliver.ts';

export function addDeliveryCommands(delivery: Command): void {
  delivery
    .command('list')
    .description('list deliveries of events to webhooks, newest first')
    .addOption(
      new Option('--status <status>', 'those in one state; held: its webhook is paused').choices(deliveryStates),
    )
    .option('--webhook <id>', 'those to one webhook')
    .option('--tenant <tenant>', 'those about one tenant: the id or e-mail address')
    .addOption(new Option('--event <event>', 'those of one event').choices(eventNames))
    .option('--since <moment>', 'those of events from this date or moment on', parseMoment)
    .option('--until <moment>', 'those of events before this date or moment', parseMoment)
    .addOption(limitOption())
    .addHelpText(
      'after',
      example('delivery list --status failed', 'delivery list --webhook <webhook id> --since 2027-01-31'),
    )
    .action(listAll);
  addExplainCommand(delivery);
  addRedeliverCommand(delivery);
}

interface ListOptions {
  status?: DeliveryState;
  webhook?: string;
  tenant?: string;
  event?: string;
  since?: Date;
  until?: Date;
  limit: number;
}

const listAll = withReads(async ({ reads: db, now }, { status, webhook, tenant, limit, ...others }: ListOptions) => {
  const filter = {
    ...others,
    state: status,
    webhookId: webhook === undefined ? undefined : (await namedWebhook(db, webhook)).id,
    tenantId: tenant === undefined ? undefined : (await namedTenant(db, tenant)).id,
  };
  const rows = (await listDeliveries(db, ALL_LANDLORDS, filter, limit + 1)).map(view);
  return list(rows, {
    columns: ['delivery_id', 'event', 'host', 'outcome', 'tried', 'created_at'],
    cut: ['host', 'outcome'],
    drop: ['tried', 'host', 'created_at'],
    limit,
    empty: 'There are no such deliveries.',
    forPeople: (row) => ({
      ...row,
      host: new URL(row.url).host,
      outcome: row.status === 'delivered' || row.last_error === null ? row.status : `${row.status}: ${row.last_error}`,
      tried: row.attempts,
      created_at: shortMoment(row.created_at, now()),
    }),
  });
});

function view(row: ListedDelivery) {
  return {
    delivery_id: row.id,
    event: row.event,
    tenant_id: row.tenant_id,
    webhook_id: row.webhook_id,
    url: row.url,
    status: deliveryState(row),
    attempts: row.attempts,
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    next_attempt_at: row.due_at,
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}
