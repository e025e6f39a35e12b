import { Readable } from 'node:stream';
import { NotFound } from '../../core/errors.ts';
import type { BankStatement } from '../../core/rules/bank-statement.ts';
import { lockTenantOfKey } from '../../db/applications/tenants.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import { changeBankConnection, findOwnConnections } from '../../db/banking/bank-connections.ts';
import { dueAt } from '../../db/work/work.ts';
import { addDocuments, storingDocuments } from '../documents/add-document.ts';
import { lockUploader, type Uploader } from '../documents/uploads.ts';
import type { Runtime } from '../runtime.ts';
import { openStatement } from './memory.ts';

/**
 * Makes what was read a document of the person, like an uploaded statement but drawn from the bank's data. A no-op unless the person is
 * looking at it. @throws NotFound, ProviderUnavailable
 */
export async function handIn(
  runtime: Pick<Runtime, 'db' | 'queue' | 'providers' | 'keys' | 'log' | 'now'>,
  who: Uploader,
  id: string,
): Promise<void> {
  const { db, queue, now } = runtime;
  const [row] = await findOwnConnections(db, who.participantId, id);
  if (!row) throw new NotFound('Connection');
  const statement = openStatement(row, runtime);
  if (row.status !== 'fetched' || !statement) return;
  // Loaded when it is needed: the library is large.
  const { drawStatement } = await import('./draw-statement.ts');
  const content = Readable.from([await drawStatement(statement)]);
  await storingDocuments(runtime, [{ name: nameOf(statement), content }], async (trx, stored) => {
    await lockUploader(trx, who);
    const moment = now();
    const of = { tenant_id: row.tenant_id, api_key_id: row.api_key_id };
    await lockTenantOfKey(trx, of);
    const typed = stored.map((document) => ({ ...document, type: 'bank_statement' as const }));
    const finished = { status: 'handed' as const, ...dueAt(null), finished_at: moment.toISOString() };
    if (!(await changeBankConnection(trx, row, finished))) return;
    const [document] = await addDocuments(trx, queue, of, typed, 'bank', moment);
    await changeBankConnection(trx, { id, status: 'handed' }, { document_id: document?.id ?? null });
    await recordAudit(trx, { kind: 'person', id: who.participantId }, 'bank.hand-in', id, moment);
  });
}

function nameOf({ bank, from, to }: BankStatement): string {
  const plain = bank
    .normalize('NFKD')
    .replace(/[^\w -]/g, '')
    .trim()
    .replace(/\s+/g, '-')
    .toLowerCase();
  return `bank-statement-${plain || 'bank'}-${from}-${to}.pdf`;
}
