import type { Command } from 'commander';
import { createLandlord } from '../../db/api-keys.ts';
import type { Database } from '../../db/connect.ts';
import type { LandlordRow } from '../../db/rows.ts';
import { OperatorError } from './faults.ts';
import { list, record } from './output.ts';
import { example, typed, withRuntime } from './run-command.ts';
import { parseText } from './values.ts';

export function addLandlordCommands(landlord: Command): void {
  landlord
    .command('create')
    .description('create a landlord')
    .requiredOption('--name <name>', 'what the landlord is called', parseText)
    .addHelpText('after', example('landlord create --name "Casa Clara"'))
    .action(
      withRuntime(async ({ db, now }, { name }: { name: string }) => {
        const { id, created_at } = await createLandlord(db, name, now());
        const next = `Next, make a key:\n  ${typed(`key create --landlord ${id} --name "Website"`)}`;
        return record('The landlord was created.', { landlord_id: id, name, created_at }, next);
      }),
    );
  landlord
    .command('list')
    .description('list the landlords')
    .addHelpText('after', example('landlord list'))
    .action(
      withRuntime(async ({ db }) => {
        const rows = await db('landlords')
          .orderBy('created_at')
          .orderBy('id')
          .select('id as landlord_id', 'name', 'created_at');
        return list(rows, {
          columns: ['landlord_id', 'name', 'created_at'],
          cut: ['name'],
          empty: `There are no landlords yet. Make one:\n  ${typed('landlord create --name "Casa Clara"')}`,
        });
      }),
    );
}

/** @throws OperatorError when there is no such landlord */
export async function getLandlord(db: Database, id: string): Promise<LandlordRow> {
  const landlord = await db('landlords').where({ id }).first();
  if (!landlord) throw new OperatorError(`no landlord has the id "${id}"; list them with ${typed('landlord list')}`);
  return landlord;
}
