import type { Command } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { expireKey, revokeKey } from '../../../jobs/access/keys.ts';
import { type ConfirmOptions, confirmed, confirmOption } from '../cli/confirm.ts';
import { OperatorError, UsageError } from '../cli/faults.ts';
import { apiKeyFields, namedApiKey } from '../cli/named.ts';
import { operator } from '../cli/operator.ts';
import { filled, record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { parseComing } from '../cli/values.ts';

const NOTES = `
From then on, the key’s secrets and tokens are refused, and its webhooks get
nothing further. Unlike a revoked key, it can be reinstated with a later time or
--never. Its webhooks do not receive the events they missed.`;

export function addExpireCommand(key: Command): void {
  key
    .command('expire')
    .description('set when an API key expires')
    .argument('<client_id>', 'the client_id of the key', canonicalId)
    .option('--at <when>', 'a time, or a duration from now such as 12h or 90d', parseComing)
    .option('--never', 'valid until revoked')
    .addHelpText('after', NOTES)
    .addHelpText(
      'after',
      example(
        'key expire <client_id> --at 2027-01-31T12:00:00Z',
        'key expire <client_id> --at 7d',
        'key expire <client_id> --never',
      ),
    )
    .action(expire);
}

interface Options {
  at?: (now: Date) => Date;
  never?: true;
}

const expire = withRuntime(async (runtime, clientId: string, { at, never }: Options) => {
  const { db, now } = runtime;
  if ((at === undefined) === (never === undefined)) throw new UsageError('give --at or --never');
  const moment = now();
  const expiresAt = at?.(moment);
  if (expiresAt && expiresAt <= moment) throw new UsageError('--at is in the past; to end a key now, use key revoke');
  const apiKey = await namedApiKey(db, clientId, moment);
  const isChanged = await expireKey(runtime, apiKey, expiresAt, operator());
  const changed = await namedApiKey(db, clientId, moment);
  if (changed.revoked_at !== null) throw new OperatorError('the API key was revoked, which is permanent');
  const fields = apiKeyFields(changed, moment);
  return { ...record(sentence(isChanged, expiresAt), filled(fields)), json: fields };
});

/** Setting the same end twice is a no-op. */
function sentence(isChanged: boolean, expiresAt: Date | undefined): string {
  if (!isChanged) return 'The API key already had this end; nothing changed.';
  return expiresAt ? 'The API key is valid until then.' : 'The API key is valid until it is revoked.';
}

export function addRevokeCommand(key: Command): void {
  key
    .command('revoke')
    .description(
      'end an API key permanently: its tokens and secrets stop working immediately, and its webhooks get nothing further',
    )
    .argument('<client_id>', 'the client_id of the key', canonicalId)
    .addOption(confirmOption())
    .addHelpText('after', example('key revoke <client_id>', 'key revoke <client_id> --yes'))
    .action(revoke);
}

/** Idempotent: revoking a revoked key is a no-op. */
const revoke = withRuntime(async (runtime, clientId: string, options: ConfirmOptions) => {
  const { db, now } = runtime;
  const apiKey = await namedApiKey(db, clientId, now());
  const { name, landlord_name, revoked_at } = apiKey;
  if (revoked_at === null)
    await confirmed(
      options,
      `The API key "${name}" of ${landlord_name} ends permanently: its tokens and secrets stop working immediately, and its webhooks get nothing further.`,
    );
  const moment = now();
  const isRevoked = await revokeKey(runtime, apiKey, operator());
  const fields = apiKeyFields(await namedApiKey(db, clientId, moment), moment);
  const sentence = isRevoked
    ? 'The API key was revoked. Its tokens stopped working.'
    : 'The API key was already revoked; nothing changed.';
  return { ...record(sentence, filled(fields)), json: fields };
});
