import type { Command } from 'commander';
import { revokeApiKey, setApiKeyExpiry } from '../../../db/access/api-keys.ts';
import { type ConfirmOptions, confirmed, confirmOption } from '../cli/confirm.ts';
import { OperatorError, UsageError } from '../cli/faults.ts';
import { apiKeyFields, namedApiKey } from '../cli/named.ts';
import { audited } from '../cli/operator.ts';
import { filled, record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { parseComing } from '../cli/values.ts';

const NOTES = `
From that moment on the key is refused like a revoked one: its secrets, its tokens,
and its webhooks hear of nothing more. Unlike a revoked one it can be brought back, with
a later moment or --never. Its webhooks are not told what they missed.`;

export function addExpireCommand(key: Command): void {
  key
    .command('expire')
    .description('say until when an API key acts')
    .argument('<client_id>', 'the client_id of the key')
    .option('--at <when>', 'a later moment, or a duration from now such as 12h or 90d', parseComing)
    .option('--never', 'until it is revoked')
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

const expire = withRuntime(async ({ db, now }, clientId: string, { at, never }: Options) => {
  if ((at === undefined) === (never === undefined)) throw new UsageError('give --at or --never');
  const moment = now();
  const expiresAt = at?.(moment);
  if (expiresAt && expiresAt <= moment) throw new UsageError('--at is past; to end a key at once, use key revoke');
  const apiKey = await namedApiKey(db, clientId, moment);
  const isChanged = await audited(db, ['key.expire', apiKey.id, moment], (trx) =>
    setApiKeyExpiry(trx, apiKey.id, expiresAt),
  );
  const changed = await namedApiKey(db, clientId, moment);
  if (changed.revoked_at !== null) throw new OperatorError('the API key was revoked, which is for good');
  const fields = apiKeyFields(changed, moment);
  return { ...record(sentence(isChanged, expiresAt), filled(fields)), json: fields };
});

/** Setting the same end twice is a no-op. */
function sentence(isChanged: boolean, expiresAt: Date | undefined): string {
  if (!isChanged) return 'The API key had this end before; nothing changed.';
  return expiresAt ? 'The API key acts until then.' : 'The API key acts until it is revoked.';
}

export function addRevokeCommand(key: Command): void {
  key
    .command('revoke')
    .description(
      'end an API key for good: its tokens and secrets stop working at once, and its webhooks hear of nothing more',
    )
    .argument('<client_id>', 'the client_id of the key')
    .addOption(confirmOption())
    .addHelpText('after', example('key revoke <client_id>', 'key revoke <client_id> --yes'))
    .action(revoke);
}

/** Idempotent: revoking a revoked key is a no-op. */
const revoke = withRuntime(async ({ db, now }, clientId: string, options: ConfirmOptions) => {
  const { id, name, landlord_name, revoked_at } = await namedApiKey(db, clientId, now());
  if (revoked_at === null)
    await confirmed(
      options,
      `The API key "${name}" of ${landlord_name} ends for good: its tokens and secrets stop working at once, and its webhooks hear of nothing more.`,
    );
  const moment = now();
  const isRevoked = await audited(db, ['key.revoke', id, moment], (trx) => revokeApiKey(trx, clientId, moment));
  const fields = apiKeyFields(await namedApiKey(db, clientId, moment), moment);
  const sentence = isRevoked
    ? 'The API key was revoked. Its tokens stopped working.'
    : 'The API key had been revoked before; nothing changed.';
  return { ...record(sentence, filled(fields)), json: fields };
});
