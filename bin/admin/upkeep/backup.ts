import type { Command } from 'commander';
import { newId } from '../../../core/ids.ts';
import { type Config, readConfig } from '../../../core/settings/config.ts';
import { connect, open, withDatabase } from '../../../db/connection/connect.ts';
import { type DatabaseFacts, databaseFacts } from '../../../db/connection/database-facts.ts';
import { schemaStatus } from '../../../db/connection/schema-status.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { acceptHead } from '../../../jobs/upkeep/audit-witnesses.ts';
import { backUp } from '../../../jobs/upkeep/back-up.ts';
import { chainAudit } from '../../../jobs/upkeep/chain-audit.ts';
import { checkBackup, restoreBackup } from '../../../jobs/upkeep/restore-backup.ts';
import { createAuditHead } from '../../service/build.ts';
import { explainExternalError } from '../../service/explain-external-error.ts';
import { type ConfirmOptions, confirmed, confirmOption } from '../cli/confirm.ts';
import { OperatorError } from '../cli/faults.ts';
import { auditOperator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { withProgress } from '../cli/progress.ts';
import { typedPath } from '../cli/read-file.ts';
import { commandLine, example, type Output, standalone, withRuntime } from '../cli/run-command.ts';
import { parseText } from '../cli/values.ts';

export function addBackupCommands(db: Command): void {
  db.command('backup')
    .description('copy an SQLite database and its documents into a folder, while the service runs')
    .requiredOption('--to <folder>', 'a new or empty folder', parseText)
    .addHelpText('after', '\nThe keys are not part of it: without ENCRYPTION_KEY, a backup cannot be read.')
    .addHelpText('after', example('db backup --to /var/backups/screening/2027-01-31'))
    .action(backup);
  db.command('note-backup')
    .description(
      'record that a backup was made by other means, such as pg_dump; doctor and metrics show the age of the last one',
    )
    .addHelpText('after', example('db note-backup'))
    .action(note);
  db.command('restore')
    .description('replace the SQLite database with a backup, keeping the old one; stop the service first')
    .requiredOption('--from <folder>', 'the folder of the backup', parseText)
    .addOption(confirmOption())
    .addHelpText('after', example('db restore --from /var/backups/screening/2027-01-31'))
    .action(restore);
}

const backup = standalone(async ({ to }: { to: string }) => {
  const config = readConfig(process.env);
  const { database } = config;
  if (database.dialect === 'postgres') throw new OperatorError(ON_POSTGRES);
  const folder = typedPath(to);
  await expectDatabase(database);
  const moment = new Date();
  const manifest = await backUp(config, { file: database.file, to: folder, now: moment }, withProgress);
  await noteBackup(database, manifest.id, moment).catch((error) => {
    throw new OperatorError(
      `the backup in ${folder} is whole, but could not be recorded in the audit log: ${explainExternalError(error) ?? error}`,
    );
  });
  const { files, missing_documents, has_documents, encryption_key } = manifest;
  const fields = {
    folder,
    backup_id: manifest.id,
    made_at: manifest.made_at,
    schema_version: manifest.schema_version,
    size_bytes: files.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    documents: files.length - 1,
    missing_documents,
    encryption_key,
  };
  const notes = [
    `Its keys are not part of it: keep the encryption key with the fingerprint ${encryption_key} elsewhere.`,
    ...(has_documents ? [] : ['The documents are in a bucket, which is not part of it: keep that by its own means.']),
    ...(missing_documents > 0 ? ['Documents are missing in the store; the backup is otherwise complete.'] : []),
  ];
  return record('The backup is complete.', fields, notes.join('\n'));
});

const note = withRuntime(async ({ db }) => {
  const [backup_id, moment] = [newId(), new Date()];
  await inTransaction(db, (trx) => auditOperator(trx, 'database.backup', backup_id, moment));
  return record('The backup was recorded.', { backup_id, made_at: moment.toISOString() });
});

const ON_POSTGRES =
  'on Postgres, backups are made with its own tools: ' +
  'pg_dump --format=custom --file=<folder>/database.dump "$DATABASE_URL", and then a copy of the documents; ' +
  'see docs/operating/back-up.md';

async function expectDatabase(database: Config['database']): Promise<void> {
  const { schema_version } = await databaseFacts(database);
  if (schema_version === null) throw new OperatorError('there is no database yet, so there is nothing to back up');
}

/** A database of an earlier version, backed up before its migration, may have no audit log yet. */
async function noteBackup(database: Config['database'], id: string, moment: Date): Promise<void> {
  await withDatabase(open(database), async (db) => {
    const { pending, compatible } = await schemaStatus(db);
    if (compatible && pending.length === 0)
      await inTransaction(db, (trx) => auditOperator(trx, 'database.backup', id, moment));
  });
}

const restore = standalone(async ({ from, ...options }: { from: string } & ConfirmOptions) => {
  const config = readConfig(process.env);
  const { database } = config;
  if (database.dialect === 'postgres')
    throw new OperatorError(
      'on Postgres, backups are restored with its own tool, pg_restore; see docs/operating/back-up.md',
    );
  const folder = typedPath(from);
  const manifest = await checkBackup(config, folder, withProgress);
  await confirmed(
    options,
    `The database ${database.file} will be replaced by the backup of ${manifest.made_at}; what was written since is not in it.`,
  );
  const place = { from: folder, manifest, file: database.file, now: new Date() };
  const keptAs = await restoreBackup(config, place, withProgress);
  await withDatabase(connect(database), async (db) => {
    await inTransaction(db, (trx) => auditOperator(trx, 'database.restore', manifest.id, new Date()));
    await chainAudit({ db });
    const { keys } = config;
    await acceptHead({ db, keys, now: () => new Date(), providers: { auditHead: await createAuditHead(config) } });
  });
  const output = factsOutput(await databaseFacts(database), `The backup of ${manifest.made_at} was restored.`);
  const kept = keptAs === undefined ? '' : `\n\nThe database that was there is kept as ${keptAs}.`;
  return {
    ...output,
    text: output.text + kept,
    json: { ...output.json, backup_id: manifest.id, kept_as: keptAs ?? null },
  };
});

/** Describes a database. @param sentence what was done to the database */
export function factsOutput(facts: DatabaseFacts, sentence = describe(facts)): Output {
  const { pending, unknown, background, rows, estimated, ...fields } = facts;
  const work = background.map(
    ({ name, rows_done, leased_by, failure }) =>
      `${name}: ${failure === null ? (leased_by === null ? 'waiting' : 'under way') : `failed (${failure})`}, ${rows_done} rows done`,
  );
  const names = { pending: shortened(pending), unknown: shortened(unknown), background: work.join('; ') };
  const about = (table: string, count: number) => (estimated.includes(table) ? `about ${count}` : count);
  const counts = Object.fromEntries(Object.entries(rows).map(([table, count]) => [table, about(table, count)]));
  const forPeople = { ...fields, ...names, ...counts };
  const next = pending.length > 0 ? `To apply what is pending:\n  ${commandLine('db migrate')}` : undefined;
  const output = { ...record(sentence, forPeople, next), json: facts };
  return facts.compatible ? output : { ...output, exitCode: 1 };
}

function shortened(names: readonly string[]): string {
  return names.length > 3 ? `${names[0]} to ${names.at(-1)} (${names.length})` : names.join(', ');
}

function describe({ schema_version, pending, unknown, compatible, background }: DatabaseFacts): string {
  if (!compatible)
    return 'A newer version of the service has changed this database; this version does not start on it.';
  if (schema_version === null)
    return 'There is no schema yet. The first start creates it, in live only with MIGRATE=true.';
  return pending.length > 0
    ? 'The schema is that of an earlier version. Make a backup, then bring it up to date.'
    : background.length > 0
      ? 'The schema is up to date. Workers run its background migrations.'
      : unknown.length > 0
        ? 'The schema is that of a newer version, and this version runs on it.'
        : 'The schema is up to date.';
}
