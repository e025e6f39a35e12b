import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { SERVICE } from '../../db/audit/audit.ts';
import { insertBankConnection } from '../../db/banking/bank-connections.ts';
import type { Database } from '../../db/connection/database.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { insertForensicRun } from '../../db/documents/forensic-runs.ts';
import { type WorkRow, workTables } from '../../db/work/work.ts';
import { sealMemory } from '../../jobs/banking/memory.ts';
import { requestReport } from '../../jobs/reports/reports.ts';
import type { JobName } from '../../jobs/runtime.ts';
import type { Client } from './client.ts';
import { emitTestEvent, type Hook } from './deliveries.ts';
import type { TestService } from './service.ts';
import { ofTheirKey } from './tenant-of-key.ts';

/** Two people of one application of the client. */
interface Cast {
  test: TestService;
  client: Client;
  name: string;
  leadId: string;
  guestId: string;
  /** Creates their application the first time, and returns the same one afterwards. */
  apply(): Promise<string>;
}

/** In this order: the application comes first. The type demands every kind of work. */
const causes: Record<JobName, (cast: Cast) => Promise<unknown>> = {
  'send-invite': ({ apply }) => apply(),
  'complete-kyc': ({ client, leadId }) => client.ok('initiateKyc', { params: { tenantId: leadId } }),
  'complete-eid': ({ client, leadId }) => {
    const body = { redirect_url: 'https://letting.example/' };
    return client.ok('initiateEid', { params: { tenantId: leadId }, body });
  },
  'run-forensic': ({ test: { service }, guestId }) => {
    const { db, queue } = service.runtime;
    return inTransaction(db, async (trx) =>
      queue.send(trx, 'run-forensic', [await insertForensicRun(trx, await ofTheirKey(trx, guestId), new Date())]),
    );
  },
  'fetch-bank': async ({ test, guestId }) =>
    endBankConsent(test, await inTransaction(test.service.runtime.db, (trx) => ofTheirKey(trx, guestId))),
  'make-report': async ({ test, name, apply }) => {
    const asked = { scope: ALL_LANDLORDS, actor: SERVICE, viewer: name };
    await requestReport(test.service.runtime, await apply(), 'en', asked);
  },
  'deliver-webhook': ({ test, guestId }) => emitTestEvent(test, guestId),
};

/** Creates one unit of work of each kind, about people in the client's application. */
export async function causeEveryKind(test: TestService, client: Client, name: string): Promise<void> {
  const lead = `${name}+kyc-verified+eid-verified@mail.example`;
  const guest = `${name}-guest@mail.example`;
  const tenants = [lead, guest].map((email) => ({ email, is_lead: email === lead }));
  const [{ id: leadId }, { id: guestId }] = [await test.tenant(lead), await test.tenant(guest, { documents: 1 })];
  const apply = async () =>
    (await client.ok('createApplication', { body: { title: name, tenants } })).data.application_id;
  for (const cause of Object.values(causes)) await cause({ test, client, name, leadId, guestId, apply });
}

/** A person has withdrawn after the simulated bank granted: the consent is still to be ended there. */
export async function endBankConsent({ service: { runtime } }: TestService, of: TenantOfKey): Promise<void> {
  const { db, queue, keys, now } = runtime;
  const moment = now().toISOString();
  const grant = JSON.stringify({ scenario: 'salary', holder: '', since: 0 });
  const nothing = { state_hash: null, browser_hash: null, sealed_statement: null, document_id: null };
  await inTransaction(db, async (trx) => {
    const row = {
      ...of,
      ...nothing,
      ...{ id: newId(), participant_id: '', provider: 'sandbox', bank: 'Bank', country: 'ES' },
      ...{ status: 'ending' as const, ends_as: 'withdrawn' as const },
      sealed_memory: sealMemory({ back: '', holder: '', grant }, { keys }),
      ...{ agreed_at: moment, agreed_to: 'Everything', expires_at: isoAfter(now(), DAY_MS), created_at: moment },
      ...{
        due_at: moment,
        leased_by: null,
        correlation_id: null,
        failures: 0,
        expiries: 0,
        failure: null,
        finished_at: null,
      },
    };
    await insertBankConnection(trx, row);
    await queue.send(trx, 'fetch-bank', [row.id]);
  });
}

/** Asserts that no work has failed, and that each delivery was sent once. */
export async function expectDoneOnce(db: Database, { receiver }: Hook): Promise<void> {
  for (const table of workTables) expect(await db<WorkRow>(table).where('failures', '>', 0), table).to.deep.equal([]);
  expect(await db('deliveries').whereNot({ status: 'delivered', attempts: 1 })).to.deep.equal([]);
  const sent = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(sent).to.have.members(await db('deliveries').pluck('id'));
}
