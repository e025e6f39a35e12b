import { type Command, Option } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { sentence } from '../../../core/text.ts';
import { whyNotInForce } from '../../../db/access/api-key-states.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { type EventName, eventNames } from '../../../db/webhooks/events.ts';
import { sendTest, type TestOutcome } from '../../../jobs/webhooks/webhook-care.ts';
import { OperatorError } from '../cli/faults.ts';
import { auditOperator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { namedWebhook } from './named.ts';

const NOTES = `
It sends the contract’s example, signed like every delivery. Only the
webhook-id, which starts with msg_test_, tells it apart from a real event;
without a secret there is none. EID_SUCCESS names no one; the others name a
tenant who does not exist. It is sent once, also to a paused webhook, and is not
recorded.
Exits with 1 unless the response was 2xx.`;

const RIGHT_RECEIVER =
  'A correct receiver checks the signature over the raw body, stores the webhook-id, answers 2xx within 15 s, and works afterwards.';

export function addTestCommand(webhook: Command): void {
  webhook
    .command('test')
    .description('send a sample event to a webhook now, and show its response')
    .argument('<webhook>', 'the id of the webhook', canonicalId)
    .addOption(new Option('--event <event>', 'which event').choices(eventNames).default('EID_SUCCESS'))
    .addHelpText('after', NOTES)
    .addHelpText('after', example('webhook test <webhook id>'))
    .action(test);
}

const test = withRuntime(async (runtime, id: string, { event }: { event: EventName }) => {
  const webhook = await namedWebhook(runtime.db, id);
  const keyEnd = whyNotInForce(webhook, runtime.now());
  if (keyEnd !== undefined) throw new OperatorError(`${keyEnd}, so this webhook gets nothing further`);
  const { eventExample } = await import('../cli/contract-rules.ts');
  await inTransaction(runtime.db, (trx) => auditOperator(trx, 'webhook.test', id, runtime.now()));
  const outcome = await sendTest(runtime, webhook, JSON.stringify(eventExample(event)));
  const signed = webhook.sealed_secret !== null;
  const fields = {
    webhook_id: id,
    url: webhook.url,
    event,
    message_id: outcome.messageId,
    signed,
    status_code: outcome.statusCode,
    duration_ms: outcome.durationMs,
    error: outcome.error,
    response_excerpt: outcome.excerpt || null,
  };
  const output = record(verdict(outcome), fields, signed && outcome.statusCode !== null ? RIGHT_RECEIVER : undefined);
  return outcome.error === null ? output : { ...output, exitCode: 1 };
});

function verdict({ statusCode, error, durationMs }: TestOutcome): string {
  if (error === null) return `The endpoint accepted the event: it answered ${statusCode} in ${durationMs} ms.`;
  if (statusCode === null) return sentence(`The endpoint did not accept the event: ${error}`);
  return `The endpoint did not accept the event: it answered ${statusCode}, and only 2xx is success.`;
}
