import type { Command } from 'commander';
import { readConfig } from '../../../core/settings/config.ts';
import { migrate, open, withDatabase } from '../../../db/connection/connect.ts';
import { databaseFacts } from '../../../db/connection/database-facts.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { auditOperator } from '../cli/operator.ts';
import { example, standalone } from '../cli/run-command.ts';
import { addBackupCommands, factsOutput } from './backup.ts';

export function addDatabaseCommands(db: Command): void {
  db.command('status')
    .description('show where the database is, its schema, what is pending, and how much is in it; changes nothing')
    .addHelpText('after', '\nExits with 1 when a newer version has changed the schema.')
    .addHelpText('after', example('db status'))
    .action(status);
  db.command('migrate')
    .description('bring the schema up to date now; starting the service does it too')
    .addHelpText('after', example('db migrate'))
    .action(migrateNow);
  addBackupCommands(db);
}

/** Without building the service: the database may be of any version, or missing. */
const status = standalone(async () => factsOutput(await databaseFacts(readConfig(process.env).database)));

const migrateNow = standalone(async () => {
  const { database } = readConfig(process.env);
  const applied = await withDatabase(open(database), async (db) => {
    const names = await migrate(db);
    const last = names.at(-1);
    if (last !== undefined) await inTransaction(db, (trx) => auditOperator(trx, 'database.migrate', last, new Date()));
    return names;
  });
  const sentence =
    applied.length > 0 ? `Migrations that were applied: ${applied.length}.` : 'The schema was up to date already.';
  const output = factsOutput(await databaseFacts(database), sentence);
  return { ...output, json: { ...output.json, applied } };
});
