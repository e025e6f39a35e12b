import { type Command, Option } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { type ApiKeyState, apiKeyStates } from '../../../db/access/api-key-states.ts';
import { createApiKey, listApiKeys } from '../../../db/access/api-keys.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { UsageError } from '../cli/faults.ts';
import { apiKeyFields, namedApiKey, namedLandlord } from '../cli/named.ts';
import { auditOperator } from '../cli/operator.ts';
import { filled, list, record, shortMoment } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { limitOption, parseComing, parseText } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';
import { addExpireCommand, addRevokeCommand } from './key-end.ts';
import { addRotateKeyCommand } from './rotate-client-secret.ts';

const KEEP_IT = 'Keep the client_secret now: it is not stored and cannot be shown again.';

export function addApiKeyCommands(key: Command): void {
  key
    .command('create')
    .description('create an API key; its secret is shown only once')
    .requiredOption('--landlord <id>', 'the landlord it acts for')
    .requiredOption('--name <name>', 'what the key is for', parseText)
    .option('--expires <when>', 'when it expires: a time, or a duration such as 90d; never by default', parseComing)
    .addHelpText(
      'after',
      example(
        'key create --landlord <landlord id> --name "Website"',
        'key create --landlord <landlord id> --name "Trial" --expires 30d --json',
      ),
    )
    .action(create);
  key
    .command('list')
    .description('list the API keys, without their secrets, newest first; of a landlord, those in force before others')
    .option('--landlord <id>', 'those of one landlord')
    .addOption(new Option('--status <status>', 'those in one state').choices(apiKeyStates))
    .addOption(limitOption())
    .addHelpText('after', example('key list --status expiring'))
    .action(listKeys);
  key
    .command('show')
    .description('show one API key, without its secret')
    .argument('<client_id>', 'the client_id of the key', canonicalId)
    .addHelpText('after', example('key show <client_id>'))
    .action(show);
  addRotateKeyCommand(key);
  addExpireCommand(key);
  addRevokeCommand(key);
}

interface CreateOptions {
  landlord: string;
  name: string;
  expires?: (now: Date) => Date;
}

const create = withRuntime(async ({ db, mode, now }, { landlord, name, expires }: CreateOptions) => {
  const moment = now();
  const expiresAt = expires?.(moment);
  if (expiresAt && expiresAt <= moment) throw new UsageError('--expires is in the past; give a later time');
  const { id: landlordId } = await namedLandlord(db, landlord);
  const { apiKey, clientSecret } = await inTransaction(db, async (trx) => {
    const created = await createApiKey(trx, landlordId, name, moment, { mode, expiresAt });
    await auditOperator(trx, 'key.create', created.apiKey.id, moment);
    return created;
  });
  const { client_id, landlord_id, created_at, expires_at } = apiKey;
  const fields = { client_id, client_secret: clientSecret, landlord_id, name, created_at, expires_at };
  return { ...record('The API key was created.', filled(fields), KEEP_IT), json: fields };
});

interface ListOptions {
  landlord?: string;
  status?: ApiKeyState;
  limit: number;
}

const listKeys = withReads(async ({ reads: db, now }, { landlord, status, limit }: ListOptions) => {
  const moment = now();
  const landlordId = landlord === undefined ? undefined : (await namedLandlord(db, landlord)).id;
  const found = await listApiKeys(db, ALL_LANDLORDS, { landlordId, state: status }, limit + 1, moment);
  const rows = found.map((apiKey) => apiKeyFields(apiKey, moment));
  const notes = rows
    .slice(0, limit)
    .filter((row) => row.former_secrets_until !== null)
    .map((row) => `${row.client_id}: a former secret works until ${shortMoment(row.former_secrets_until, moment)}.`);
  return list(rows, {
    columns: ['client_id', 'name', 'landlord_name', 'status', 'last_used'],
    cut: ['name', 'landlord_name'],
    drop: ['landlord_name', 'last_used'],
    limit,
    note: notes.join('\n'),
    empty: `There are no such API keys. Create one:\n  ${commandLine('key create --landlord <landlord id> --name "Website"')}`,
    forPeople: (row) => ({
      ...row,
      status: row.status === 'expiring' ? `until ${shortMoment(row.expires_at, moment)}` : row.status,
      last_used: shortMoment(row.last_used_at, moment),
    }),
  });
});

const show = withRuntime(async ({ db, now }, clientId: string) => {
  const moment = now();
  const fields = apiKeyFields(await namedApiKey(db, clientId, moment), moment);
  const used =
    fields.last_used_at === null
      ? 'It was never used.'
      : `It was last used in the minute of ${fields.last_used_at.slice(0, 16).replace('T', ' ')}Z.`;
  return { ...record(used, filled(fields)), json: fields };
});
