import type { Command } from 'commander';
import { type Config, readConfig } from '../../../core/settings/config.ts';
import { doBackground } from '../../../db/connection/background-migrations.ts';
import { type Database, open, withDatabase } from '../../../db/connection/connect.ts';
import { type DatabaseFacts, databaseFacts } from '../../../db/connection/database-facts.ts';
import { migrate } from '../../../db/connection/migrate.ts';
import { schemaStatus } from '../../../db/connection/schema-status.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { backgroundMigrations } from '../../../db/migrations/background.ts';
import { backgroundOf } from '../../service/background-migrations.ts';
import { OperatorError } from '../cli/faults.ts';
import { auditOperator } from '../cli/operator.ts';
import { example, type Output, standalone } from '../cli/run-command.ts';
import { addBackupCommands, factsOutput } from './backup.ts';

export function addDatabaseCommands(db: Command): void {
  db.command('status')
    .description('show where the database is, its schema, what is pending, and how much is in it; changes nothing')
    .addHelpText('after', '\nExits with 1 when a newer version has changed the schema.')
    .addHelpText('after', example('db status'))
    .action(status);
  db.command('migrate')
    .description(
      'bring the schema up to date, beside the running service; a start does it too, in live with MIGRATE=true',
    )
    .option('--dry-run', 'name what would be applied, and change nothing')
    .option(
      '--background',
      'do the long work now, too, which workers do otherwise: before the migrations, and after them',
    )
    .addHelpText(
      'after',
      '\nMay be interrupted at any time, and repeated: each migration is applied whole or not at all.',
    )
    .addHelpText('after', example('db migrate'))
    .action(migrateNow);
  addBackupCommands(db);
}

/** Without building the service: the database may be of any version, or missing. */
const status = standalone(async () => factsOutput(await databaseFacts(readConfig(process.env).database)));

interface MigrateOptions {
  dryRun?: true;
  background?: true;
}

const migrateNow = standalone(async (options: MigrateOptions) => {
  const { database } = readConfig(process.env);
  if (options.dryRun) return dryRun(await databaseFacts(database));
  const applied = await withDatabase(open(database), async (db) => {
    if (options.background && (await schemaStatus(db)).version !== null) await finishBackground(database, db);
    const names = await migrate(db, { onLocked: showLocked });
    const last = names.at(-1);
    if (last !== undefined) await inTransaction(db, (trx) => auditOperator(trx, 'database.migrate', last, new Date()));
    if (options.background) await finishBackground(database, db);
    return names;
  });
  const sentence =
    applied.length > 0 ? `Migrations that were applied: ${applied.length}.` : 'The schema was up to date already.';
  const output = factsOutput(await databaseFacts(database), sentence);
  return { ...output, json: { ...output.json, applied, dry_run: false } };
});

function dryRun(facts: DatabaseFacts): Output {
  const { pending } = facts;
  const count = `Migrations that would be applied: ${pending.length}. Nothing was changed.`;
  const output = factsOutput(facts, [count, ...pending.map((name) => `  ${name}`)].join('\n'));
  return { ...output, json: { ...output.json, applied: [], dry_run: true } };
}

/** To standard error: standard output may be JSON. */
function showLocked(migration: string): void {
  process.stderr.write(`Migration ${migration}: a transaction holds its table; trying again shortly.\n`);
}

/** @throws OperatorError when another process does it, or it failed */
async function finishBackground(database: Config['database'], db: Database): Promise<void> {
  if (!(await db.schema.hasTable('background_migrations'))) return;
  const background = { ...backgroundOf({ database }, db), now: () => new Date() };
  if (!(await doBackground(background, backgroundMigrations)))
    throw new OperatorError('another process does the background migrations; db status shows how far they are');
}
