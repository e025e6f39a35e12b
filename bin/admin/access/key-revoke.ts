import type { Command } from 'commander';
import { revokeApiKey } from '../../../db/access/api-keys.ts';
import { type ConfirmOptions, confirmed, confirmOption } from '../cli/confirm.ts';
import { apiKeyFields, namedApiKey } from '../cli/named.ts';
import { auditOperator } from '../cli/operator.ts';
import { filled, record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';

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
  const isRevoked = await db.transaction(async (trx) => {
    const revoked = await revokeApiKey(trx, clientId, now());
    if (revoked) await auditOperator(trx, 'key.revoke', id, now());
    return revoked;
  });
  const moment = now();
  const fields = apiKeyFields(await namedApiKey(db, clientId, moment), moment);
  const sentence = isRevoked
    ? 'The API key was revoked. Its tokens stopped working.'
    : 'The API key had been revoked before; nothing changed.';
  return { ...record(sentence, filled(fields)), json: fields };
});
