import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { NotFound, on } from '../../../core/errors.ts';
import { canonicalId } from '../../../core/ids.ts';
import { findKeysOfLandlord } from '../../../db/access/api-keys.ts';
import type { Database } from '../../../db/connection/database.ts';
import type { Scope } from '../../../db/privacy/persons.ts';
import type { Receipt } from '../../../jobs/privacy/erase-receipt.ts';
import { copyForOperator, eraseForOperator, erasureWarning } from '../../../jobs/privacy/operator-requests.ts';
import { retain, retentionNow } from '../../../jobs/privacy/retain.ts';
import { type ConfirmOptions, confirmed, confirmOption } from '../cli/confirm.ts';
import { OperatorError } from '../cli/faults.ts';
import { namedLandlord } from '../cli/named.ts';
import { auditOperator, operator } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { withProgress } from '../cli/progress.ts';
import { typedPath } from '../cli/read-file.ts';
import { commandLine, example, type Output, withRuntime } from '../cli/run-command.ts';
import { withReads } from '../cli/with-reads.ts';
import { refuseExisting, writePrivateFile } from '../cli/write-file.ts';
import { addRequestCommands } from './requests.ts';

const ABOUT = 'the id or e-mail address of the tenant, or the address of a participant without an account';

export function addPrivacyCommands(privacy: Command): void {
  privacy
    .command('export')
    .description('write everything held about a person to a ZIP file that only you can read')
    .argument('<person>', ABOUT, canonicalId)
    .requiredOption('--to <file>', 'the file')
    .option('--landlord <landlord>', 'the id of a landlord: only what they hold')
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', example('privacy export marta.ruiz@mail.example --to ./marta-ruiz.zip'))
    .action(exportOne);
  privacy
    .command('erase')
    .description('erase a person permanently; what others need stays, anonymous')
    .argument('<person>', ABOUT, canonicalId)
    .option('--landlord <landlord>', 'the id of a landlord: erase only what they hold; the account stays')
    .option('--dry-run', 'show what would be erased, and change nothing')
    .option('--receipt <file>', 'also write the receipt, which holds no personal data, to a file')
    .addOption(confirmOption())
    .addHelpText(
      'after',
      example('privacy erase <tenant id> --dry-run', 'privacy erase <tenant id> --receipt ./receipt.json'),
    )
    .action(eraseOne);
  privacy
    .command('retention')
    .description('purge expired data now (RETAIN_*_DAYS); workers do it every hour')
    .option('--dry-run', 'show the rules and how much is due, and change nothing')
    .addOption(confirmOption())
    .addHelpText('after', example('privacy retention --dry-run', 'privacy retention'))
    .action(retention);
  addRequestCommands(privacy);
}

interface ExportOptions {
  landlord?: string;
  to: string;
  force?: true;
}

const exportOne = withReads(async (runtime, person: string, options: ExportOptions) => {
  const file = typedPath(options.to);
  const scope = options.landlord === undefined ? {} : await keysOf(runtime.db, options.landlord);
  const { held, content } = await copyForOperator(runtime, person, { by: operator(), scope }).catch(
    on(NotFound, () => {
      throw new OperatorError(`nothing is held about "${person}"; list tenants with ${commandLine('tenant list')}`);
    }),
  );
  await withProgress('Documents', held.documents.length, (tick) =>
    writePrivateFile(file, content(tick), options.force ?? false),
  );
  const fields = { file, tenant_id: held.tenantId, documents: held.documents.length, mails: held.mails.length };
  return record('The data held about the person was exported.', fields);
});

/** @throws OperatorError when there is no such landlord */
async function keysOf(db: Database, landlordId: string): Promise<Scope> {
  const { id } = await namedLandlord(db, landlordId);
  return { apiKeyIds: await findKeysOfLandlord(db, id) };
}

interface EraseOptions {
  landlord?: string;
  dryRun?: true;
  receipt?: string;
  yes?: boolean;
}

const eraseOne = withRuntime(async (runtime, person: string, options: EraseOptions) => {
  const { landlord, dryRun = false, receipt } = options;
  const scope = landlord === undefined ? {} : await keysOf(runtime.db, landlord);
  if (receipt !== undefined) await refuseExisting(typedPath(receipt));
  if (!dryRun) await confirmed(options, erasureWarning(landlord !== undefined));
  const written = await eraseForOperator(runtime, person, { by: operator(), scope, dryRun });
  if (written === 'incomplete') return incompleteWipe();
  if (written === 'complete') return nothingStored();
  if (receipt !== undefined)
    await writePrivateFile(
      typedPath(receipt),
      Readable.from([Buffer.from(`${JSON.stringify(written, null, 2)}\n`)]),
      false,
    );
  return shown(written);
});

/** Idempotent: erasing again is a no-op. */
function nothingStored(): Output {
  return {
    json: { receipt_id: null, counts: {} },
    text: 'Nothing is held about this person; nothing was changed.',
  };
}

/** The clean-up promised by an earlier receipt is still incomplete. */
function incompleteWipe(): Output {
  const { json } = nothingStored();
  const text =
    'No row is held about this person, but bytes of deleted rows are still in the file of SQLite: another process used it for too long. Erase once more to wipe them.';
  return { json, text, exitCode: 1 };
}

function shown(receipt: Receipt): Output {
  const { counts, left, to_do, dry_run, receipt_id, tenant_id } = receipt;
  const lines = (title: string, texts: readonly string[]) =>
    [`${title}:`, ...texts.map((text) => `  - ${text}`)].join('\n');
  const fields = { receipt_id, tenant_id, ...counts };
  const { text } = record(dry_run ? 'This would be erased; nothing was changed.' : 'The person was erased.', fields);
  return { json: receipt, text: [text, lines('What stays', left), lines('What you must do', to_do)].join('\n\n') };
}

const retention = withRuntime(async (runtime, { dryRun, ...options }: ConfirmOptions & { dryRun?: true }) => {
  const rules = await retentionNow(runtime);
  const due = rules.reduce((sum, rule) => sum + (rule.due ?? 0), 0);
  if (!dryRun && due > 0) await confirmed(options, `Expired data will be purged: ${due} in all.`);
  if (!dryRun) await withProgress('Forgotten', due, (tick) => retain(runtime, auditOperator, tick));
  const left = dryRun ? rules : await retentionNow(runtime);
  const rows = rules.map((rule, index) => ({ ...rule, left: left[index]?.due ?? null }));
  return list(rows, {
    columns: dryRun ? ['rule', 'setting', 'days', 'due'] : ['rule', 'setting', 'days', 'due', 'left'],
    empty: '',
    note: 'Data without a number of days is kept until it is erased.',
  });
});
