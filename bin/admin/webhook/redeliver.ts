import type { Command } from 'commander';
import { countFailedSince } from '../../../db/webhooks/redeliveries.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import {
  type RedeliveryRefusal,
  redeliver,
  redeliverFailed,
  redeliveryRefusals,
} from '../../../jobs/webhooks/redeliver.ts';
import { OperatorError, UsageError } from '../cli/faults.ts';
import { operator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { parseMoment } from '../cli/values.ts';
import { namedDelivery } from './explain.ts';
import { namedWebhook } from './named.ts';

export function addRedeliverCommand(delivery: Command): void {
  delivery
    .command('redeliver')
    .description('deliver again at once, with the same webhook-id and body and a full retry schedule')
    .argument('[delivery]', 'the id of a delivery in any state')
    .option('--webhook <id>', 'instead: all failed deliveries of a webhook')
    .option('--failed-since <moment>', 'with --webhook: those that failed from this date or moment on', parseMoment)
    .option('--dry-run', 'with --webhook: only count them')
    .addHelpText(
      'after',
      example(
        'delivery redeliver msg_0d9c8b7a65f44e3d2c1b0a9f8e7d6c5b',
        'delivery redeliver --webhook <webhook id> --failed-since 2027-01-31T12:00:00Z --dry-run',
      ),
    )
    .action(deliverAgain);
}

interface Options {
  webhook?: string;
  failedSince?: Date;
  dryRun?: true;
}

const deliverAgain = withRuntime((runtime, id: string | undefined, { webhook, failedSince, dryRun }: Options) => {
  if (id !== undefined && !webhook && !failedSince && !dryRun) return one(runtime, id);
  if (id === undefined && webhook && failedSince) return failedOf(runtime, webhook, failedSince, dryRun ?? false);
  throw new UsageError(
    'give the id of one delivery alone, or --webhook with --failed-since, and --dry-run to count them',
  );
});

/** The service's parts that redelivery needs. */
type Needs = Pick<Runtime, 'db' | 'queue' | 'now'>;

async function one(runtime: Needs, id: string) {
  const { delivery, webhook } = await namedDelivery(runtime.db, id);
  const outcome = await redeliver(runtime, delivery, operator());
  if (outcome !== 'sent') throw refused(outcome, webhook.id);
  const fields = {
    delivery_id: id,
    event: delivery.event,
    webhook_id: webhook.id,
    url: webhook.url,
    was: delivery.status,
  };
  const repeated =
    delivery.status === 'delivered'
      ? 'It was delivered before: it has the same webhook-id, so a correct receiver recognizes the duplicate and does nothing.'
      : 'It goes out with the same webhook-id: a receiver that saw it already takes it for a repetition.';
  return record(
    'The delivery is sent again.',
    fields,
    `${repeated}\nTo follow it:\n  ${commandLine(`delivery explain ${id}`)}`,
  );
}

async function failedOf(runtime: Needs, webhookId: string, since: Date, dryRun: boolean) {
  const { url } = await namedWebhook(runtime.db, webhookId);
  const outcome = dryRun
    ? await countFailedSince(runtime.db, webhookId, since)
    : await redeliverFailed(runtime, webhookId, since, operator());
  if (typeof outcome === 'string') throw refused(outcome, webhookId);
  const fields = {
    webhook_id: webhookId,
    url,
    failed_since: since.toISOString(),
    deliveries: outcome,
    dry_run: dryRun,
  };
  const sentence = dryRun
    ? `Deliveries that would be sent again: ${outcome}.`
    : `Deliveries that are sent again: ${outcome}.`;
  const next = dryRun ? undefined : `To follow them:\n  ${commandLine(`delivery list --webhook ${webhookId}`)}`;
  return record(sentence, fields, next);
}

function refused(reason: RedeliveryRefusal, webhookId: string): OperatorError {
  const help: Partial<Record<RedeliveryRefusal, string>> = {
    'key expired': 'key expire --help',
    paused: `webhook resume ${webhookId}`,
  };
  const command = help[reason];
  return new OperatorError(`${redeliveryRefusals[reason]}${command ? `: ${commandLine(command)}` : ''}`);
}
