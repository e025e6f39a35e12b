import { type Command, Option } from 'commander';
import { newWebhookSecret, rotateSecret } from '../../../jobs/webhooks/webhook-care.ts';
import { OperatorError } from '../cli/faults.ts';
import { operator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { readSecretFile } from '../cli/read-file.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { overlapOption } from '../cli/values.ts';
import { namedWebhook } from './named.ts';

const NOTES = `
During the overlap each delivery carries signatures of both secrets, and a receiver that knows either accepts it. With an
overlap of 0 the old secret, and those that were replaced before it, end at once: for secrets that others may know.`;

export function addRotateCommand(webhook: Command): void {
  webhook
    .command('rotate-secret')
    .description('sign with a new secret, which is shown this once; the old one signs beside it for a while')
    .argument('<webhook>', 'the id of the webhook')
    .addOption(overlapOption('how long the old secret signs on'))
    .addOption(secretFileOption())
    .addHelpText('after', NOTES)
    .addHelpText(
      'after',
      example(
        'webhook rotate-secret <webhook id>',
        'webhook rotate-secret <webhook id> --overlap 7d --secret-file ./secret.txt',
      ),
    )
    .action(rotate);
}

interface Options {
  overlap: number;
  secretFile?: string;
}

const rotate = withRuntime(async (runtime, id: string, { overlap, secretFile }: Options) => {
  const { url, client_id } = await namedWebhook(runtime.db, id);
  const given = secretFile === undefined ? undefined : await readWebhookSecret(secretFile);
  const secret = given ?? newWebhookSecret();
  const rotated = await rotateSecret(runtime, id, { secret, overlapMs: overlap }, operator());
  if (!rotated) throw new OperatorError('this is the secret of the webhook already; nothing changed');
  const { formerUntil } = rotated;
  const sentence = formerUntil
    ? 'The secret was replaced. The old one signs beside it for a while, as do others that were replaced before.'
    : 'The webhook signs with this secret alone from now on.';
  const next = [
    given
      ? 'Give the receiver the new secret, if it does not have it yet.'
      : 'Keep the secret now and give it to the receiver: it cannot be shown again.',
    ...(formerUntil ? ['A replacement with --overlap 0 ends all former secrets at once.'] : []),
  ].join('\n');
  const fields = {
    webhook_id: id,
    url,
    client_id,
    secret: given === undefined ? secret : null,
    former_secrets_until: formerUntil,
  };
  return record(sentence, fields, next);
});

/** The secret that the integrator chose. */
export function secretFileOption(): Option {
  return new Option(
    '--secret-file <file>',
    'take the secret from a file, or - for standard input; one line break at its end is not part of it',
  );
}

/** @throws OperatorError when it is empty, or the contract does not allow it */
export async function readWebhookSecret(file: string): Promise<string> {
  const { secret } = await readSecretFile(file);
  await checkWebhookField('secret', 'the secret', secret);
  return secret;
}

/** @throws OperatorError when the contract does not allow the value */
export async function checkWebhookField(field: 'url' | 'secret', name: string, value: string): Promise<void> {
  const { contractSchema, readBySchema } = await import('../cli/contract-rules.ts');
  const schema = { ...contractSchema('WebhookRegistration')['properties'][field], storableText: true };
  const read = readBySchema<string>(schema, value);
  if ('faults' in read) throw new OperatorError(`${name} ${read.faults.map(({ message }) => message).join(' and ')}`);
}
