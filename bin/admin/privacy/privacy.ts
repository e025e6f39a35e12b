import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { NotFound, on } from '../../../core/errors.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { tidyDocuments } from '../../../jobs/documents/tidy-documents.ts';
import type { Receipt } from '../../../jobs/privacy/erase-receipt.ts';
import { erasePerson, finishErasures } from '../../../jobs/privacy/privacy-erase.ts';
import { exportPerson } from '../../../jobs/privacy/privacy-export.ts';
import { retain, retentionNow } from '../../../jobs/privacy/retain.ts';
import { type ConfirmOptions, confirmed, confirmOption } from '../cli/confirm.ts';
import { OperatorError } from '../cli/faults.ts';
import { auditOperator } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { withProgress } from '../cli/progress.ts';
import { typedPath } from '../cli/read-file.ts';
import { commandLine, example, type Output, withRuntime } from '../cli/run-command.ts';
import { refuseExisting, writePrivateFile } from '../cli/write-file.ts';
import { archiveOf } from './archive.ts';

const ABOUT = 'the id or e-mail address of the tenant, or the address of somebody who takes part without an account';

export function addPrivacyCommands(privacy: Command): void {
  privacy
    .command('export')
    .description('write everything that is held about a person to a ZIP file that only you can read')
    .argument('<person>', ABOUT)
    .requiredOption('--to <file>', 'the file')
    .option('--force', 'replace the file if there is one')
    .addHelpText('after', example('privacy export marta.ruiz@mail.example --to ./marta-ruiz.zip'))
    .action(exportOne);
  privacy
    .command('erase')
    .description('erase a person for ever; what others need stays, without the person')
    .argument('<person>', ABOUT)
    .option('--dry-run', 'say what would be erased, and change nothing')
    .option('--receipt <file>', 'write the receipt to a file too; it holds no personal data')
    .addOption(confirmOption())
    .addHelpText(
      'after',
      example('privacy erase <tenant id> --dry-run', 'privacy erase <tenant id> --receipt ./receipt.json'),
    )
    .action(eraseOne);
  privacy
    .command('retention')
    .description('forget now what is kept for long enough (RETAIN_*_DAYS); workers do it every hour')
    .option('--dry-run', 'show the rules and how much is due, and change nothing')
    .addOption(confirmOption())
    .addHelpText('after', example('privacy retention --dry-run', 'privacy retention'))
    .action(retention);
}

const exportOne = withRuntime(async (runtime, person: string, options: { to: string; force?: true }) => {
  const { db, now } = runtime;
  const file = typedPath(options.to);
  const held = await exportPerson(runtime, person).catch(
    on(NotFound, () => {
      throw new OperatorError(`nothing is held about "${person}"; see who there is with ${commandLine('tenant list')}`);
    }),
  );
  // Recorded before the file can be read, as in `document extract`.
  await inTransaction(db, (trx) => auditOperator(trx, 'tenant.export', held.id, now()));
  await withProgress('Documents', held.documents.length, (tick) =>
    writePrivateFile(file, archiveOf(held, runtime.providers.documents, tick), options.force ?? false),
  );
  const fields = { file, tenant_id: held.tenantId, documents: held.documents.length, mails: held.mails.length };
  return record('What is held about the person was exported.', fields);
});

interface EraseOptions {
  dryRun?: true;
  receipt?: string;
  yes?: boolean;
}

const eraseOne = withRuntime(async (runtime, person: string, options: EraseOptions) => {
  const { dryRun = false, receipt } = options;
  if (receipt !== undefined) await refuseExisting(typedPath(receipt));
  if (!dryRun)
    await confirmed(options, 'This erases the person with all of their documents and results. It cannot be undone.');
  const written = await erasePerson(runtime, person, { note: auditOperator, dryRun }).catch(
    on(NotFound, () => undefined),
  );
  if (!written) {
    // Finishes an earlier erasure that was interrupted.
    if (dryRun) return nothingStored();
    await tidyDocuments(runtime);
    return (await finishErasures(runtime)) ? nothingStored() : incompleteWipe();
  }
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

/** The clean-up that an earlier receipt promised is still incomplete. */
function incompleteWipe(): Output {
  const { json } = nothingStored();
  const text =
    'No row is held about this person, but bytes of deleted rows are still in the file of SQLite: another process was at it for too long. Erase once more to wipe them.';
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
  if (!dryRun && due > 0) await confirmed(options, `What is due is forgotten for good: ${due} in all.`);
  if (!dryRun) await withProgress('Forgotten', due, (tick) => retain(runtime, auditOperator, tick));
  const left = dryRun ? rules : await retentionNow(runtime);
  const rows = rules.map((rule, index) => ({ ...rule, left: left[index]?.due ?? null }));
  return list(rows, {
    columns: dryRun ? ['rule', 'setting', 'days', 'due'] : ['rule', 'setting', 'days', 'due', 'left'],
    empty: '',
    note: 'What has no days is kept until it is erased.',
  });
});
