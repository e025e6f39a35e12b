import { type Command, Option } from 'commander';
import { checkCallerAddress } from '../../../core/addresses/caller-address.ts';
import { sealText } from '../../../core/secrets/secrets.ts';
import { type ApiKeyRow, whyNotInForce } from '../../../db/access/api-key-states.ts';
import type { Database } from '../../../db/connection/connect.ts';
import { insertWebhook } from '../../../db/webhooks/webhooks.ts';
import { newWebhookSecret } from '../../../jobs/webhooks/webhook-care.ts';
import { OperatorError } from '../cli/faults.ts';
import { namedApiKey } from '../cli/named.ts';
import { auditOperator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { parseText } from '../cli/values.ts';
import { readWebhookSecret } from './rotate-secret.ts';

const NOTES = `
The address obeys the rules of the API: in live it is a public one over https.
Without --secret-file a secret is made and shown this once. Nothing is sent by
this; try it with webhook test.`;

export function addCreateCommand(webhook: Command): void {
  webhook
    .command('create')
    .description('register an address for the events of an API key, as its integration can with the API')
    .requiredOption('--client-id <client_id>', 'the API key whose events it hears of', parseText)
    .requiredOption('--url <url>', 'where events are sent', parseText)
    .addOption(
      new Option(
        '--secret-file <file>',
        'take the secret from a file, or - for standard input; one line break at its end is not part of it',
      ).conflicts('unsigned'),
    )
    .option('--unsigned', 'without a secret: the receiver cannot tell who sent what it gets')
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

const create = withRuntime(async ({ db, keys, addresses, now }, options: Options) => {
  const { clientId, url, secretFile, unsigned } = options;
  const moment = now();
  const key = await namedKeyInForce(db, clientId, moment);
  await checkUrl(url);
  checkCallerAddress('url', url, addresses);
  const given = secretFile === undefined ? undefined : await readWebhookSecret(secretFile);
  const secret = unsigned ? undefined : (given ?? newWebhookSecret());
  const sealedSecret = secret === undefined ? null : sealText(secret, keys.encryption);
  const id = await db.transaction(async (trx) => {
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

/** @throws OperatorError when there is no such key, or it is not in force */
async function namedKeyInForce(db: Database, clientId: string, now: Date): Promise<ApiKeyRow> {
  const key = await namedApiKey(db, clientId, now);
  const why = whyNotInForce(key, now);
  if (why !== undefined) throw new OperatorError(`${why}; its webhooks hear of nothing`);
  return key;
}

/** @throws OperatorError when the contract does not allow it */
async function checkUrl(url: string): Promise<void> {
  const { contractSchema, readBySchema } = await import('../cli/contract-rules.ts');
  const schema = { ...contractSchema('CreateWebhookRequest')['properties'].url, storableText: true };
  const read = readBySchema<string>(schema, url);
  if ('faults' in read)
    throw new OperatorError(`the address ${read.faults.map(({ message }) => message).join(' and ')}`);
}
