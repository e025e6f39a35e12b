import type { Command } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { rotateKey } from '../../../jobs/access/keys.ts';
import { OperatorError } from '../cli/faults.ts';
import { namedApiKey } from '../cli/named.ts';
import { operator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { overlapOption } from '../cli/values.ts';

const NOTES = `
During the overlap, the integration gets tokens with either secret. Secrets
replaced earlier keep their own overlap, up to ten of them. An overlap of 0 ends
all former secrets at once: use it for leaked ones. Tokens issued before stay
valid for their hour; only key revoke ends them.`;

export function addRotateKeyCommand(key: Command): void {
  key
    .command('rotate')
    .description('give an API key a new secret, which is shown only once; the former one is accepted for a while')
    .argument('<client_id>', 'the client_id of the key, which stays the same', canonicalId)
    .addOption(overlapOption('how long the former secret is accepted'))
    .addHelpText('after', NOTES)
    .addHelpText('after', example('key rotate <client_id>', 'key rotate <client_id> --overlap 0'))
    .action(rotate);
}

const rotate = withRuntime(async (runtime, clientId: string, { overlap }: { overlap: number }) => {
  await namedApiKey(runtime.db, clientId, runtime.now());
  const rotated = await rotateKey(runtime, clientId, overlap, operator());
  if (rotated === undefined) throw new OperatorError('the API key was deleted in the meantime');
  if (typeof rotated === 'string') throw new OperatorError(`${rotated}; none of its secrets is accepted`);
  const { client_id, name, landlord_id, former_secrets_until } = rotated.apiKey;
  const sentence = former_secrets_until
    ? 'The API key has a new secret. The former one is also accepted for a while, as are others replaced before.'
    : 'The API key has a new secret; no other is accepted any more.';
  const next = [
    'Keep the client_secret now and give it to the integrator: it cannot be shown again.',
    'Tokens issued before stay valid for their hour.',
    ...(former_secrets_until ? ['A rotation with --overlap 0 ends all former secrets at once.'] : []),
  ].join('\n');
  return record(
    sentence,
    { client_id, client_secret: rotated.clientSecret, landlord_id, name, former_secrets_until },
    next,
  );
});
