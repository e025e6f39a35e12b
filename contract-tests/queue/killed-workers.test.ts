import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type WorkRow, type WorkTable, workTables } from '../../db/work/work.ts';
import { databases } from '../../harness/database/dialect.ts';
import { workDone } from '../../harness/database/open-work.ts';
import { until } from '../../harness/process/until.ts';
import { causeEveryKind } from '../../harness/service/every-kind.ts';
import { useOutsideWorkers } from '../../harness/service/outside-workers.ts';

databases('both');

const SECRET = 'whsec_YSBraWxsZWQgd29ya2VyIGxvc2VzIG5vdGhpbmcu';

describe('work whose worker is killed between its effects and their record', () => {
  const { test, hook, startWorker } = useOutsideWorkers(SECRET);
  /** The ids of the work that the killed worker held. */
  const held = new Map<WorkTable, string[]>();

  before(async () => {
    const killed = await startWorker({}, './hanging-worker.ts', ['after-effects']);
    await causeEveryKind(test, test.alice, 'held');
    await until('it held work of every kind', async () => {
      for (const table of workTables) held.set(table, await leasedIds(table));
      return [...held.values()].every((ids) => ids.length === 1);
    });
    await hook.receiver.next('EID_SUCCESS');
    await until('the mail was out', async () => (await mails()).length === 1);
    await killed.kill();
    await startWorker();
    await workDone(test.service.runtime.db);
  });
  const rows = (table: WorkTable) => test.service.runtime.db<WorkRow>(table);
  const leasedIds = (table: WorkTable) => rows(table).whereNot({ leased_by: 'queue' }).pluck('id');
  // A mail is written under a temporary name first.
  const mails = async () => {
    const files = await readdir(join(test.folder, 'mailbox')).catch(() => []);
    return files.filter((file) => file.endsWith('.eml'));
  };
  const heldRow = async (table: WorkTable) => {
    const row = await rows(table)
      .where({ id: held.get(table)?.[0] ?? '' })
      .first();
    return { status: row?.status, failures: row?.failures, failure: row?.failure };
  };

  it('is done by another worker without counting a failure: an invitation, which remains one mail', async () => {
    expect(await heldRow('invites')).to.deep.equal({ status: 'sent', failures: 0, failure: null });
    expect(await mails()).to.deep.equal([`${held.get('invites')?.[0]}.eml`]);
  });

  for (const [what, table, status] of [
    ['a KYC verification', 'kyc_verifications', 'verified'],
    ['a national eID', 'eid_flows', 'succeeded'],
    ['an analysis', 'forensic_runs', 'completed'],
    ['the end of a bank consent', 'bank_connections', 'withdrawn'],
  ] as const)
    it(`is done by another worker without counting a failure: ${what}`, async () => {
      expect(await heldRow(table)).to.deep.equal({ status, failures: 0, failure: null });
    });

  it('is done by another worker without counting an attempt: a delivery, which keeps its id', async () => {
    const [id = ''] = held.get('deliveries') ?? [];
    expect(await heldRow('deliveries')).to.deep.equal({ status: 'delivered', failures: 0, failure: null });
    expect(await test.service.runtime.db('deliveries').where({ id }).first()).to.include({ attempts: 1 });
    const sent = hook.receiver.received.filter(({ headers }) => headers['webhook-id'] === id);
    expect(sent.map(({ body }) => body)).to.deep.equal([sent[0]?.body, sent[0]?.body]);
  });

  it('sends each outcome once', async () => {
    const { received, faults } = hook.receiver;
    expect(faults).to.deep.equal([]);
    const deliveries = await test.service.runtime.db('deliveries').select('id', 'event_id', 'attempts');
    expect(new Set(deliveries.map(({ event_id }) => event_id)).size).to.equal(deliveries.length);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).to.equal(deliveries.length);
    const events = await test.service.runtime.db('events').pluck('event');
    // The national eID adds a document, which is also analysed.
    const analyses = ['FORENSIC_ANALYSIS_DATA', 'FORENSIC_ANALYSIS_DATA'];
    expect(events).to.have.members(['EID_SUCCESS', 'EID_SUCCESS', 'KYC_VERIFICATION_DATA', ...analyses]);
  });
});
