import { type Command, Option } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { unsealJson } from '../../../core/secrets/secrets.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { deliveryState } from '../../../db/webhooks/delivery-lists.ts';
import { deliveriesOfEvent, eventNames, findEvent, listEvents } from '../../../db/webhooks/events.ts';
import { expectFound, namedTenant } from '../cli/named.ts';
import { auditRead } from '../cli/operator.ts';
import { list, plain, record, shortMoment } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { limitOption, parseMoment } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';

export function addEventCommands(event: Command): void {
  event
    .command('list')
    .description('list the events that webhooks received, newest first')
    .option('--tenant <tenant>', 'events about one tenant: the id or e-mail address')
    .addOption(new Option('--event <event>', 'those of one kind').choices(eventNames))
    .option('--since <moment>', 'those from this date or moment on', parseMoment)
    .addOption(limitOption())
    .addHelpText('after', example('event list', 'event list --tenant marta.ruiz@mail.example --since 2027-01-31'))
    .action(listAll);
  event
    .command('show')
    .description('show an event: its outcome at each webhook and, on request, its body')
    .argument('<event>', 'the id of the event', canonicalId)
    .option('--body', 'also show the body, which contains personal data and is kept for a limited time')
    .addHelpText('after', example('event show <event id>', 'event show <event id> --body'))
    .action(show);
}

interface ListOptions {
  tenant?: string;
  event?: string;
  since?: Date;
  limit: number;
}

const listAll = withReads(async ({ reads: db, now }, { tenant, event, since, limit }: ListOptions) => {
  const tenantId = tenant === undefined ? undefined : (await namedTenant(db, tenant)).id;
  const found = await listEvents(db, ALL_LANDLORDS, { tenantId, event, since }, limit + 1);
  const rows = found.map(({ id, is_expired, ...row }) => ({
    event_id: id,
    ...row,
    body_kept: !is_expired,
  }));
  return list(rows, {
    columns: ['event_id', 'event', ...(tenantId === undefined ? ['tenant_id' as const] : []), 'taken', 'created_at'],
    cut: ['event'],
    drop: [...(tenantId === undefined ? ['tenant_id' as const] : []), 'taken', 'created_at'],
    limit,
    empty: 'There are no such events.',
    forPeople: (row) => ({
      ...row,
      taken: `${row.delivered} of ${row.webhooks}`,
      created_at: shortMoment(row.created_at, now()),
    }),
  });
});

const show = withRuntime(async ({ db, keys, now }, id: string, { body: isBodyWanted }: { body?: true }) => {
  const event = expectFound(await findEvent(db, id), 'event', id, 'event list');
  if (isBodyWanted) await auditRead(db, 'event.read', id, now());
  const { body: sealed, event: name, tenant_id, created_at } = event;
  const body = sealed !== null && isBodyWanted ? unsealJson(sealed, keys.encryption) : null;
  const fields = { event_id: id, event: name, tenant_id, created_at, body_kept: sealed !== null };
  const deliveries = (await deliveriesOfEvent(db, id)).map((row) => ({
    delivery_id: row.id,
    webhook_id: row.webhook_id,
    url: row.url,
    client_id: row.client_id,
    status: deliveryState(row),
    attempts: row.attempts,
    last_error: row.last_error,
    finished_at: row.finished_at,
  }));
  const { text: table } = list(deliveries, {
    columns: ['delivery_id', 'url', 'status', 'attempts', 'last_error'],
    cut: ['url', 'last_error'],
    drop: ['attempts', 'url'],
    note: deliveries.length > 0 ? `The story of one: ${commandLine('delivery explain <delivery id>')}` : undefined,
    empty: 'No webhook received it: there was none at the time.',
  });
  const parts = [record('This event was sent.', fields).text, table];
  if (isBodyWanted) parts.push(body === null ? 'The body is no longer kept.' : readable(body));
  return { json: { ...fields, deliveries, ...(isBodyWanted ? { body } : {}) }, text: parts.join('\n\n') };
});

function readable(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2).split('\n').map(plain).join('\n');
}
