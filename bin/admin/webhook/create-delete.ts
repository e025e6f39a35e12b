import { newWebhookSecret } from '@tenant-screening/webhook-tools/signatures';
import type { Command } from 'commander';
import { readCallerAddress } from '../../../core/addresses/caller-address.ts';
import { ValidationError } from '../../../core/errors.ts';
import { canonicalId } from '../../../core/ids.ts';
import { sealText } from '../../../core/secrets/secrets.ts';
import { whyNotInForce } from '../../../db/access/api-key-states.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { insertWebhook } from '../../../db/webhooks/webhooks.ts';
import { checkAddress } from '../../../jobs/check-address.ts';
import { remove } from '../../../jobs/webhooks/webhook-care.ts';
import { type ConfirmOptions, confirmed, confirmOption } from '../cli/confirm.ts';
import { OperatorError } from '../cli/faults.ts';
import { namedApiKey } from '../cli/named.ts';
import { auditOperator, operator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { parseText } from '../cli/values.ts';
import { namedWebhook } from './named.ts';
import { checkWebhookField, readWebhookSecret, secretFileOption } from './rotate-secret.ts';

const NOTES = `
The address follows the rules of the API: in live, it is public and https.
Without --secret-file, a secret is generated and shown only once. Nothing is
sent yet; try it with webhook test.`;

export function addCreateCommand(webhook: Command): void {
  webhook
    .command('create')
    .description('register an address for the events of an API key, as its integration can through the API')
    .requiredOption('--client-id <client_id>', 'the API key whose events it receives', parseText)
    .requiredOption('--url <url>', 'where events are sent', parseText)
    .addOption(secretFileOption().conflicts('unsigned'))
    .option('--unsigned', 'send without a signature: the receiver cannot verify the sender')
    .addHelpText('after', NOTES)
    .addHelpText('after', example('webhook create --client-id <client_id> --url https://letting.example/hooks'))
    .action(create);
}

interface Options {
  clientId: string;
  url: string;
  secretFile?: string;
  unsigned?: true;
}

const create = withRuntime(async ({ db, keys, addresses, providers, now }, options: Options) => {
  const { clientId, url, secretFile, unsigned } = options;
  const moment = now();
  const key = await namedApiKey(db, clientId, moment);
  const keyEnd = whyNotInForce(key, moment);
  if (keyEnd !== undefined) throw new OperatorError(`${keyEnd}; its webhooks get nothing`);
  await checkWebhookField('url', 'the address', url);
  const { fault, remedy = '' } = readCallerAddress(url, addresses);
  if (fault !== undefined) throw new ValidationError([{ field: 'url', message: `${fault}${remedy}` }]);
  await checkAddress('url', url, { addresses, providers });
  const given = secretFile === undefined ? undefined : await readWebhookSecret(secretFile);
  const secret = unsigned ? undefined : (given ?? newWebhookSecret());
  const sealedSecret = secret === undefined ? null : sealText(secret, keys.encryption);
  const id = await inTransaction(db, async (trx) => {
    const webhookId = await insertWebhook(trx, { apiKeyId: key.id, url, sealedSecret }, moment);
    await auditOperator(trx, 'webhook.create', webhookId, moment);
    return webhookId;
  });
  const made = given === undefined ? (secret ?? null) : null;
  const fields = { webhook_id: id, url, client_id: clientId, signed: secret !== undefined, secret: made };
  const next = [
    ...(made === null ? [] : ['Keep the secret now and give it to the receiver: it cannot be shown again.']),
    `Send it a sample event:\n  ${commandLine(`webhook test ${id}`)}`,
  ].join('\n');
  return record('The webhook was created.', fields, next);
});

export function addDeleteCommand(webhook: Command): void {
  webhook
    .command('delete')
    .description(
      'delete a webhook with its deliveries, pending ones included, and its secrets; to hold deliveries, pause it',
    )
    .argument('<webhook>', 'the id of the webhook', canonicalId)
    .addOption(confirmOption())
    .addHelpText('after', example('webhook delete <webhook id>', 'webhook delete <webhook id> --yes'))
    .action(deleteOne);
}

const deleteOne = withRuntime(async (runtime, id: string, options: ConfirmOptions) => {
  const { url, client_id } = await namedWebhook(runtime.db, id);
  await confirmed(options, `The webhook ${id} to ${url} is permanently deleted with all its deliveries.`);
  const deliveries = await remove(runtime, id, operator());
  if (deliveries === undefined) throw new OperatorError('the webhook was deleted in the meantime');
  return record('The webhook was deleted.', { webhook_id: id, url, client_id, deliveries });
});
