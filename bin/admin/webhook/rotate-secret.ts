import { newWebhookSecret } from '@tenant-screening/webhook-tools/signatures';
import { type Command, Option } from 'commander';
import { contractSchema } from '../../../core/contract.ts';
import { canonicalId } from '../../../core/ids.ts';
import { rotateSecret } from '../../../jobs/webhooks/webhook-care.ts';
import { OperatorError } from '../cli/faults.ts';
import { operator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { readSecretFile } from '../cli/read-file.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { overlapOption } from '../cli/values.ts';
import { namedWebhook } from './named.ts';

const NOTES = `
During the overlap, each delivery has signatures of both secrets, so a receiver
with either one accepts it. Secrets replaced before sign, too, up to ten in all.
An overlap of 0 ends all of them at once: use it for leaked ones.`;

export function addRotateCommand(webhook: Command): void {
  webhook
    .command('rotate-secret')
    .description('sign with a new secret, which is shown only once; the old one also signs for a while')
    .argument('<webhook>', 'the id of the webhook', canonicalId)
    .addOption(overlapOption('how long the old secret keeps signing'))
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
  if (!rotated) throw new OperatorError('the webhook already has this secret; nothing changed');
  const { formerUntil } = rotated;
  const sentence = formerUntil
    ? 'The secret was replaced. The old one also signs for a while, as do others replaced before.'
    : 'The webhook now signs with this secret only.';
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

/** Reads the secret chosen by the integrator. */
export function secretFileOption(): Option {
  return new Option(
    '--secret-file <file>',
    'read the secret from a file, or - for standard input; a final line break is ignored',
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
  const { readBySchema } = await import('../cli/contract-rules.ts');
  const schema = { ...contractSchema('WebhookRegistration')['properties'][field], storableText: true };
  const read = readBySchema<string>(schema, value);
  if ('faults' in read) throw new OperatorError(`${name} ${read.faults.map(({ message }) => message).join(' and ')}`);
}
