import { type Command, Option } from 'commander';
import { type Database, hasSingleWriter, type Transaction } from '../../../db/connection/database.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { changes } from '../../../db/properties/apply-staged.ts';
import { badLines, type ImportLine, stageLines, withStaging } from '../../../db/properties/staged-properties.ts';
import { checkStaged, writeStaged } from '../../../jobs/properties/import-properties.ts';
import { OperatorError, UsageError } from '../cli/faults.ts';
import { namedLandlord } from '../cli/named.ts';
import { operator } from '../cli/operator.ts';
import { withProgress } from '../cli/progress.ts';
import { typedPath } from '../cli/read-file.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { writePrivateFile } from '../cli/write-file.ts';
import { type ImportReport, importOutput, type NamedBadLine, named, SHOWN_BAD_LINES } from './import-report.ts';
import { FORMATS, type Format, formatOf, openSource, type PropertySource } from './source.ts';

const HELP = `
CSV starts with a header of these columns, in any order, separated by commas,
semicolons or tabs:
  workspace_id workspace_name property_id property_reference rent_amount street
  street_number entrance_stairwell floor letter postal_code municipality
  province bedrooms bathrooms
JSON Lines has one object with these fields per line. Both are in UTF-8.

A workspace is identified by workspace_id, or else by its name; a property by
property_id, or else by property_reference within its workspace. Existing ones
are changed, missing ones added, so a file can be imported again. An empty cell
or a missing field leaves the value unchanged; null clears it.

A single JSON document also works:
  {"workspaces": [{"workspace_name": "Madrid centre", "properties": [
    {"property_reference": "MAD-1", "rent_amount": 1450.5}]}]}

The whole file is imported, or nothing. With --skip-bad, the good lines are; the
command fails only if there are none.`;

interface Options {
  landlord: string;
  format?: Format;
  skipBad?: boolean;
  dryRun?: boolean;
  badLines?: string;
  alone?: boolean;
}

/** A transaction writes about this many lines in a few seconds; on SQLite other writers give up after ten. */
const MAX_BESIDE_SERVICE = 100_000;

export function addImportCommand(property: Command): void {
  property
    .command('import')
    .description('add or change workspaces and properties from a file')
    .argument('<file>', 'a file in CSV, JSON Lines or JSON; - is standard input')
    .requiredOption('--landlord <id>', 'the landlord they belong to')
    .addOption(new Option('--format <format>', 'the format, if the file name does not show it').choices(FORMATS))
    .option('--dry-run', 'change nothing, and show what would change')
    .option('--skip-bad', 'import the good lines although there are bad ones')
    .option('--bad-lines <file>', 'write the bad lines, each with its reason, to a CSV file')
    .option(
      '--alone',
      `the service is stopped: on SQLite, for more than ${MAX_BESIDE_SERVICE.toLocaleString('en')} lines`,
    )
    .addHelpText('after', `${HELP}\n${example('property import --landlord <landlord id> ./properties.csv')}`)
    .action(importFile);
}

const importFile = withRuntime(async ({ db, now }, file: string, options: Options) => {
  const format = options.format ?? formatOf(file);
  refuseNonsense(file, format, options);
  const { id: landlordId } = await namedLandlord(db, options.landlord);
  const source = await openSource(file, format);
  const order = { ...options, landlordId, source, isDocument: format === 'json' };
  const maxLines = hasSingleWriter(db) && !options.alone ? MAX_BESIDE_SERVICE : Number.POSITIVE_INFINITY;
  const report = await withStaging(db, async (staged) => {
    await withProgress('Reading', source.size, (tick) => stageLines(staged, limited(source.read(tick), maxLines)));
    return inTransaction(staged, (trx) => importStaged(trx, order, now()));
  });
  return importOutput(report);
});

function refuseNonsense(file: string, format: Format, { skipBad, badLines }: Options): void {
  if (format === 'json' && (skipBad || badLines))
    throw new UsageError('A JSON document has no lines: it is imported whole or not at all');
  if (badLines && typedPath(badLines) === typedPath(file))
    throw new UsageError('The bad lines would replace the file; give another name to --bad-lines');
}

/** Forwards the lines. @throws OperatorError when there are more than a running service can wait for */
async function* limited(lines: AsyncIterable<ImportLine[]>, maxLines: number): AsyncGenerator<ImportLine[]> {
  let count = 0;
  for await (const read of lines) {
    count += read.length;
    if (count > maxLines)
      throw new OperatorError(
        `more than ${maxLines.toLocaleString('en')} lines at once could keep a service on SQLite from writing; split the file, or stop the service and add --alone`,
      );
    yield read;
  }
}

interface Order extends Options {
  landlordId: string;
  source: PropertySource;
  isDocument: boolean;
}

async function importStaged(trx: Transaction, order: Order, now: Date): Promise<ImportReport> {
  const { landlordId, source, isDocument, skipBad = false, dryRun = false } = order;
  const counts = await checkStaged(trx, landlordId, 'any');
  const shown = await firstBadLines(trx, source);
  if (isDocument && counts.bad > 0) throw documentFault(shown, source);
  if (order.badLines) await writePrivateFile(typedPath(order.badLines), badLinesCsv(trx, source), true);
  const isAccepted = counts.bad === 0 || (skipBad && counts.bad < counts.lines);
  if (isAccepted && !dryRun && changes(counts) > 0) {
    const writing = { landlordId, actor: operator(), now };
    await withProgress('Writing', counts.lines, (tick) => writeStaged(trx, writing, tick));
  }
  return { landlordId, counts, isAccepted, dryRun, shown };
}

async function firstBadLines(db: Database, { nameLine }: PropertySource): Promise<NamedBadLine[]> {
  for await (const lines of badLines(db)) return lines.slice(0, SHOWN_BAD_LINES).map((line) => named(line, nameLine));
  return [];
}

async function* badLinesCsv(db: Database, { nameLine }: PropertySource): AsyncGenerator<Buffer> {
  yield Buffer.from('line,reason\n');
  for await (const lines of badLines(db)) {
    const rows = lines.map((line) => named(line, nameLine));
    yield Buffer.from(rows.map(({ line, reason }) => `${line},"${reason.replaceAll('"', '""')}"\n`).join(''));
  }
}

/** Reports faults with the same paths as the schema check of a document. */
function documentFault(faults: NamedBadLine[], { nameLine }: PropertySource): OperatorError {
  const shown = faults.map(({ line, reason }) => `${nameLine(line)}${/^\w+: /.test(reason) ? '.' : ': '}${reason}`);
  return new OperatorError(`nothing was changed: ${shown.join('; ')}`);
}
