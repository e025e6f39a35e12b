import type { Command } from 'commander';
import { whyNotInForce } from '../../../db/access/api-key-states.ts';
import { lockApiKey } from '../../../db/access/api-keys.ts';
import { replaceClientSecret } from '../../../db/access/client-secrets.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { OperatorError } from '../cli/faults.ts';
import { namedApiKey } from '../cli/named.ts';
import { auditOperator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { overlapOption } from '../cli/values.ts';

const NOTES = `
During the overlap the integration gets tokens with either secret. One that was
replaced earlier is accepted as long as was said then. With an overlap of 0 all
former secrets end at once: for secrets that others may know. Tokens that were issued
before live on for their hour; only key revoke ends them.`;

export function addRotateKeyCommand(key: Command): void {
  key
    .command('rotate')
    .description('give an API key a new secret, which is shown this once; the former one is accepted for a while')
    .argument('<client_id>', 'the client_id of the key, which stays the same')
    .addOption(overlapOption('how long the former secret is accepted'))
    .addHelpText('after', NOTES)
    .addHelpText('after', example('key rotate <client_id>', 'key rotate <client_id> --overlap 0'))
    .action(rotate);
}

const rotate = withRuntime(async ({ db, mode, now }, clientId: string, { overlap }: { overlap: number }) => {
  const rotated = await inTransaction(db, async (trx) => {
    const { id } = await namedApiKey(trx, clientId, now());
    await lockApiKey(trx, id);
    const moment = now();
    const apiKey = await namedApiKey(trx, clientId, moment);
    const keyEnd = whyNotInForce(apiKey, moment);
    if (keyEnd !== undefined) throw new OperatorError(`${keyEnd}; no secret of it is accepted`);
    const formerUntil = overlap > 0 ? new Date(moment.getTime() + overlap) : undefined;
    const clientSecret = await replaceClientSecret(trx, apiKey, { mode, now: moment, formerUntil });
    await auditOperator(trx, 'key.rotate', id, moment);
    return { clientSecret, apiKey: await namedApiKey(trx, clientId, moment) };
  });
  const { client_id, name, landlord_id, former_secrets_until } = rotated.apiKey;
  const sentence = former_secrets_until
    ? 'The API key has a new secret. The former one is accepted beside it for a while, as are others that were replaced before.'
    : 'The API key has a new secret, and no other is accepted from now on.';
  const next = [
    'Keep the client_secret now and give it to the integrator: it cannot be shown again.',
    'Tokens that were issued before work on for their hour.',
    ...(former_secrets_until ? ['A rotation with --overlap 0 ends all former secrets at once.'] : []),
  ].join('\n');
  return record(
    sentence,
    { client_id, client_secret: rotated.clientSecret, landlord_id, name, former_secrets_until },
    next,
  );
});
