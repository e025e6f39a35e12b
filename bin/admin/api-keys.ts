import type { Command } from 'commander';
import { createApiKey, revokeApiKey } from '../../db/api-keys.ts';
import { OperatorError } from './faults.ts';
import { getLandlord } from './landlords.ts';
import { list, record } from './output.ts';
import { example, typed, withRuntime } from './run-command.ts';
import { parseText } from './values.ts';

export function addApiKeyCommands(key: Command): void {
  key
    .command('create')
    .description('create an API key; its secret is shown this once')
    .requiredOption('--landlord <id>', 'the landlord it acts for')
    .requiredOption('--name <name>', 'what the key is for', parseText)
    .addHelpText('after', example('key create --landlord <landlord id> --name "Website"'))
    .action(create);
  key
    .command('list')
    .description('list the API keys, without their secrets')
    .option('--landlord <id>', 'those of one landlord')
    .addHelpText('after', example('key list'))
    .action(listKeys);
  key
    .command('revoke')
    .description('revoke an API key; its tokens stop working at once, and its webhooks hear of nothing more')
    .argument('<client_id>', 'the client_id of the key')
    .addHelpText('after', example('key revoke <client_id>'))
    .action(revoke);
}

const create = withRuntime(async ({ db, now }, options: { landlord: string; name: string }) => {
  const landlord = await getLandlord(db, options.landlord);
  const { apiKey, clientSecret } = await createApiKey(db, landlord.id, options.name, now());
  const { client_id, landlord_id, name, created_at } = apiKey;
  return record(
    'The API key was created.',
    { client_id, client_secret: clientSecret, landlord_id, name, created_at },
    'Keep the client_secret now: it is not stored and cannot be shown again.',
  );
});

const listKeys = withRuntime(async ({ db }, options: { landlord?: string }) => {
  const landlord = options.landlord === undefined ? undefined : await getLandlord(db, options.landlord);
  const rows = await db('api_keys')
    .join('landlords', 'landlords.id', 'api_keys.landlord_id')
    .where(landlord ? { landlord_id: landlord.id } : {})
    .orderBy('api_keys.created_at')
    .orderBy('api_keys.id')
    .select(
      'client_id',
      'api_keys.name',
      'landlord_id',
      'landlords.name as landlord_name',
      'api_keys.created_at',
      'revoked_at',
    );
  return list(rows, {
    columns: ['client_id', 'name', 'landlord_name', 'created_at', 'revoked_at'],
    cut: ['name', 'landlord_name'],
    empty: `There are no API keys. Make one:\n  ${typed('key create --landlord <landlord id> --name "Website"')}`,
  });
});

/** Revoking a key twice is no mistake: what was wanted is the case. */
const revoke = withRuntime(async ({ db, now }, clientId: string) => {
  const revokedNow = await revokeApiKey(db, clientId, now());
  const apiKey = await db('api_keys').where({ client_id: clientId }).first('client_id', 'name', 'revoked_at');
  if (!apiKey)
    throw new OperatorError(`no API key has the client_id "${clientId}"; list them with ${typed('key list')}`);
  const sentence = revokedNow
    ? 'The API key was revoked. Its tokens stopped working.'
    : 'The API key had been revoked before; nothing changed.';
  return record(sentence, apiKey);
});
