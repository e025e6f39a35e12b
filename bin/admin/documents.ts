import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import type { Command } from 'commander';
import type { Transaction } from '../../db/connect.ts';
import type { DocumentRow } from '../../db/rows.ts';
import { findDocuments } from '../../db/tenants.ts';
import { addDocuments, storeDocument } from '../../jobs/add-document.ts';
import { OperatorError } from './faults.ts';
import { list, record } from './output.ts';
import { example, typed, withRuntime } from './run-command.ts';
import { namedTenant } from './tenants.ts';
import { parseMediaType, parseText } from './values.ts';

const mediaTypes: Record<string, string> = {
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.webp': 'image/webp',
  '.heic': 'image/heic',
};

export function addDocumentCommands(program: Command): void {
  const document = program.command('document').description('add or list documents of a tenant');
  document
    .command('add')
    .description('give a document to a tenant; the forensic analysis starts by itself once KYC is completed')
    .argument('<tenant>', 'the id or e-mail address of the tenant')
    .argument('<file>', 'the document')
    .option('--name <name>', "what the document is called; otherwise the file's name", parseText)
    .option('--media-type <type>', "otherwise by the file's ending", parseMediaType)
    .addHelpText('after', example('document add marta.ruiz@mail.example ./payslip.pdf --name "Payslip January.pdf"'))
    .action(add);
  document
    .command('list')
    .description('list the documents of a tenant')
    .argument('<tenant>', 'the id or e-mail address of the tenant')
    .addHelpText('after', example('document list marta.ruiz@mail.example'))
    .action(listDocuments);
}

interface AddOptions {
  name?: string;
  mediaType?: string;
}

const add = withRuntime(async ({ db, queue, providers, now }, idOrEmail: string, file: string, options: AddOptions) => {
  const tenant = await namedTenant(db, idOrEmail);
  const content = await readGivenFile(file);
  if (content.length === 0) throw new OperatorError(`the file ${resolve(file)} is empty; give a document with content`);
  const stored = await storeDocument(providers.documents, {
    name: options.name ?? basename(file),
    mediaType: options.mediaType ?? mediaTypes[extname(file).toLowerCase()] ?? 'application/octet-stream',
    content,
  });
  return db.transaction(async (trx) => {
    const [added] = await addDocuments(trx, queue, tenant.id, [stored], 'operator', now());
    if (!added) throw new Error('The document was not added.');
    const run = await openRun(trx, tenant.id);
    const next = run
      ? 'A forensic analysis is queued or under way.'
      : 'The forensic analysis starts by itself once the identity verification (KYC) is completed.';
    return record('The document was added.', { ...view(added), forensic_run_id: run?.id ?? null }, next);
  });
});

const listDocuments = withRuntime(async ({ db }, idOrEmail: string) => {
  const tenant = await namedTenant(db, idOrEmail);
  return list((await findDocuments(db, tenant.id)).map(view), {
    columns: ['document_id', 'name', 'media_type', 'size_bytes', 'source', 'created_at'],
    cut: ['name'],
    empty: `The tenant has no documents yet. Add one:\n  ${typed(`document add ${tenant.email} <file>`)}`,
  });
});

function openRun(trx: Transaction, tenantId: string) {
  return trx('forensic_runs').where({ tenant_id: tenantId }).whereIn('status', ['pending', 'processing']).first('id');
}

function view({ id, tenant_id, name, media_type, size_bytes, source, created_at }: DocumentRow) {
  return { document_id: id, tenant_id, name, media_type, size_bytes, source, created_at };
}

/** @throws OperatorError when the file cannot be read */
export async function readGivenFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const errno =
      error instanceof Error && 'errno' in error && typeof error.errno === 'number' ? error.errno : undefined;
    const reason = errno === undefined ? String(error) : getSystemErrorMessage(errno);
    throw new OperatorError(`cannot read ${resolve(file)}: ${reason}`);
  }
}
