import { expect } from 'chai';
import type { Database } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { insertForensicRun } from '../../db/documents/forensic-runs.ts';
import { type WorkRow, workTables } from '../../db/work/work.ts';
import type { Client } from './client.ts';
import { emitTestEvent, type Hook } from './deliveries.ts';
import type { TestService } from './service.ts';
import { ofTheirKey } from './tenant-of-key.ts';

/** Creates one unit of work of each kind, about people in the client's application. */
export async function causeEveryKind(test: TestService, client: Client, name: string): Promise<void> {
  const { db, queue } = test.service.runtime;
  const lead = `${name}+kyc-verified+eid-verified@mail.example`;
  const guest = `${name}-guest@mail.example`;
  const tenants = [lead, guest].map((email) => ({ email, is_lead: email === lead }));
  const [{ id: leadId }, { id: guestId }] = [await test.tenant(lead), await test.tenant(guest, { documents: 1 })];
  await client.ok('createApplication', { body: { title: name, tenants } });
  await client.ok('initiateKyc', { params: { tenantId: leadId } });
  await client.ok('initiateEid', { params: { tenantId: leadId }, body: { redirect_url: 'https://letting.example/' } });
  await inTransaction(db, async (trx) =>
    queue.send(trx, 'run-forensic', [await insertForensicRun(trx, await ofTheirKey(trx, guestId), new Date())]),
  );
  await emitTestEvent(test, guestId);
}

/** Asserts that no work has failed, and that each delivery was sent once. */
export async function expectDoneOnce(db: Database, { receiver }: Hook): Promise<void> {
  for (const table of workTables) expect(await db<WorkRow>(table).where('failures', '>', 0), table).to.deep.equal([]);
  expect(await db('deliveries').whereNot({ status: 'delivered', attempts: 1 })).to.deep.equal([]);
  const sent = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(sent).to.have.members(await db('deliveries').pluck('id'));
}
