import type { Command } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { createLandlord, listLandlords, renameLandlord } from '../../../db/access/landlords.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { namedLandlord } from '../cli/named.ts';
import { audited, auditOperator } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { limitOption, parseText } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';
import { addBrandCommands } from './brands.ts';
import { addLandlordSettingsCommand } from './landlord-settings.ts';

export function addLandlordCommands(landlord: Command): void {
  landlord
    .command('create')
    .description('create a landlord')
    .requiredOption('--name <name>', 'the name of the landlord', parseText)
    .addHelpText('after', example('landlord create --name "Casa Clara"'))
    .action(create);
  landlord
    .command('list')
    .description('list the landlords, newest first')
    .addOption(limitOption())
    .addHelpText('after', example('landlord list'))
    .action(listAll);
  landlord
    .command('rename')
    .description('rename a landlord')
    .argument('<landlord>', 'the id of the landlord', canonicalId)
    .requiredOption('--name <name>', 'the new name', parseText)
    .addHelpText('after', example('landlord rename <landlord id> --name "Casa Clara y Luz"'))
    .action(rename);
  addBrandCommands(landlord);
  addLandlordSettingsCommand(landlord);
}

const create = withRuntime(async ({ db, now }, { name }: { name: string }) => {
  const moment = now();
  const { id, created_at } = await inTransaction(db, async (trx) => {
    const created = await createLandlord(trx, name, moment);
    await auditOperator(trx, 'landlord.create', created.id, moment);
    return created;
  });
  const next = `Next, make a key:\n  ${commandLine(`key create --landlord ${id} --name "Website"`)}`;
  return record('The landlord was created.', { landlord_id: id, name, created_at }, next);
});

const listAll = withReads(async ({ reads: db }, { limit }: { limit: number }) => {
  const found = await listLandlords(db, limit + 1);
  const rows = found.map(({ id, name, created_at }) => ({ landlord_id: id, name, created_at }));
  return list(rows, {
    columns: ['landlord_id', 'name', 'created_at'],
    cut: ['name'],
    drop: ['created_at'],
    limit,
    empty: `There are no landlords yet. Create one:\n  ${commandLine('landlord create --name "Casa Clara"')}`,
  });
});

const rename = withRuntime(async ({ db, now }, id: string, { name }: { name: string }) => {
  const { created_at } = await namedLandlord(db, id);
  const renamed = await audited(db, ['landlord.rename', id, now()], (trx) => renameLandlord(trx, id, name));
  const sentence = renamed ? 'The landlord was renamed.' : 'The landlord already had this name; nothing changed.';
  return record(sentence, { landlord_id: id, name, created_at });
});
