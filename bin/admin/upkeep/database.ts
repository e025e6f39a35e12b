import type { Command } from 'commander';
import { type Config, readConfig } from '../../../core/settings/config.ts';
import { doBackground } from '../../../db/connection/background-migrations.ts';
import { open, withDatabase } from '../../../db/connection/connect.ts';
import type { Database } from '../../../db/connection/database.ts';
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
    .description('show where the database is, its schema, pending migrations and row counts; changes nothing')
    .addHelpText('after', '\nExits with 1 when a newer version has changed the schema.')
    .addHelpText('after', example('db status'))
    .action(status);
  db.command('migrate')
    .description(
      'bring the schema up to date while the service runs; a start does so too, in live only with MIGRATE=true',
    )
    .option('--dry-run', 'list what would be applied, and change nothing')
    .option(
      '--background',
      'also run the background migrations, which workers otherwise do, before and after the others',
    )
    .addHelpText(
      'after',
      '\nIt can be interrupted at any time and repeated: each migration is applied fully\nor not at all.',
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
    applied.length > 0 ? `Migrations that were applied: ${applied.length}.` : 'The schema was already up to date.';
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

/** @throws OperatorError when another process is migrating, or the migration failed */
async function finishBackground(database: Config['database'], db: Database): Promise<void> {
  if (!(await db.schema.hasTable('background_migrations'))) return;
  const background = { ...backgroundOf({ database }, db), now: () => new Date() };
  if (!(await doBackground(background, backgroundMigrations)))
    throw new OperatorError(
      'another process does the background migrations, or the last waits until the upgrade is a day old; db status shows how far they are',
    );
}
