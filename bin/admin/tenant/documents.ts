import { basename } from 'node:path';
import type { Command } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { fileNameOf } from '../../../core/rules/file-names.ts';
import { lockTenantOfKey } from '../../../db/applications/tenants.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { type DocumentRow, findAllDocuments, findAnyDocument } from '../../../db/documents/documents.ts';
import { findOpenRun } from '../../../db/documents/forensic-runs.ts';
import { addDocuments, storingDocuments } from '../../../jobs/documents/add-document.ts';
import { tidyDocuments } from '../../../jobs/documents/tidy-documents.ts';
import { OperatorError } from '../cli/faults.ts';
import { apiKeyOption, applicationOption, type KeyChoice, namedKeyOf } from '../cli/key-choice.ts';
import { namedTenant } from '../cli/named.ts';
import { auditOperator } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { streamGivenFile, typedPath } from '../cli/read-file.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { parseText } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';
import { writePrivateFile } from '../cli/write-file.ts';

export function addDocumentCommands(document: Command): void {
  document
    .command('add')
    .description(
      'add a document of a tenant, for one API key; the forensic analysis starts automatically once KYC is completed',
    )
    .argument('<tenant>', 'the id or e-mail address of the tenant', canonicalId)
    .argument('<file>', 'the document; its type is detected from its bytes')
    .option('--name <name>', "the name of the document; the file's name by default", parseText)
    .addOption(applicationOption())
    .addOption(apiKeyOption())
    .addHelpText('after', example('document add marta.ruiz@mail.example ./payslip.pdf --name "Payslip January.pdf"'))
    .action(add);
  document
    .command('list')
    .description('list the documents of a tenant')
    .argument('<tenant>', 'the id or e-mail address of the tenant', canonicalId)
    .addHelpText('after', example('document list marta.ruiz@mail.example'))
    .action(listDocuments);
  document
    .command('extract')
    .description('write a document, decrypted, to a file that only you can read')
    .argument('<document>', 'the id of the document', canonicalId)
    .option('--to <file>', "the file; by default the document's name, in the current folder")
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', example('document extract <document id> --to ./payslip.pdf'))
    .action(extract);
  document
    .command('tidy')
    .description('remove stored bytes that belong to no document, a day after they were stored; run it from cron')
    .addHelpText('after', example('document tidy'))
    .action(tidy);
}

const add = withRuntime(async (runtime, idOrEmail: string, file: string, options: { name?: string } & KeyChoice) => {
  const { db, queue, now } = runtime;
  const tenant = await namedTenant(db, idOrEmail);
  const of = await namedKeyOf(db, tenant, options);
  const document = { name: options.name ?? basename(file), content: streamGivenFile(file) };
  const { added, run } = await storingDocuments(runtime, [document], async (trx, stored) => {
    await lockTenantOfKey(trx, of);
    const [row] = await addDocuments(trx, queue, of, stored, 'operator', now());
    if (row) await auditOperator(trx, 'document.add', row.id, now());
    return { added: row, run: await findOpenRun(trx, of) };
  });
  if (!added) throw new Error('The document was not added.');
  const next = run
    ? 'A forensic analysis is queued or under way.'
    : 'The forensic analysis starts automatically once the identity verification (KYC) is completed.';
  return record(
    'The document was added.',
    { ...view({ ...added, removed_at: null, removed_for: null }), forensic_run_id: run?.id ?? null },
    next,
  );
});

const listDocuments = withReads(async ({ reads: db }, idOrEmail: string) => {
  const tenant = await namedTenant(db, idOrEmail);
  return list((await findAllDocuments(db, ALL_LANDLORDS, tenant.id)).map(view), {
    columns: ['document_id', 'name', 'media_type', 'size_bytes', 'source', 'created_at'],
    cut: ['name'],
    drop: ['created_at', 'source', 'size_bytes'],
    empty: `The tenant has no documents yet. Add one:\n  ${commandLine(`document add ${tenant.email} <file>`)}`,
  });
});

const extract = withRuntime(async ({ db, providers, now }, id: string, options: { to?: string; force?: true }) => {
  const row = await findAnyDocument(db, ALL_LANDLORDS, id);
  if (!row)
    throw new OperatorError(
      `no document has the id "${id}"; list those of a tenant with ${commandLine('document list <tenant>')}`,
    );
  const file = typedPath(options.to ?? fileNameOf(row.name));
  // Recorded before the file can be read: an operator who reads it and presses Ctrl-C has read it.
  await inTransaction(db, (trx) => auditOperator(trx, 'document.extract', row.id, now()));
  await writePrivateFile(file, providers.documents.get(row.sha256), options.force ?? false);
  return record('The document was extracted.', { file, ...view(row) });
});

const tidy = withRuntime(async (runtime) => {
  const { removed, bytes, left } = await tidyDocuments(runtime);
  if (removed > 0)
    await inTransaction(runtime.db, (trx) => auditOperator(trx, 'document.tidy', 'store', runtime.now()));
  const advice =
    left > 0
      ? 'What was left is being stored again just now, or is in a bucket whose server ignores conditional requests.'
      : undefined;
  return record('The stored documents were tidied.', { removed, bytes, left }, advice);
});

function view({ id, tenant_id, name, type, media_type, size_bytes, sha256, source, created_at }: DocumentRow) {
  return { document_id: id, tenant_id, name, type, media_type, size_bytes, sha256, source, created_at };
}
