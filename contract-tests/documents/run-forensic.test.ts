import { Readable } from 'node:stream';
import { expect } from 'chai';
import { unsealJson } from '../../core/secrets/secrets.ts';
import { settingsOf } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, testFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { startTestService, useServicePerTest } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { payslip } from '../../packages/forensics/tests/fixtures/payslip.ts';
import { pdfOf } from '../../packages/forensics/tests/fixtures/pdf.ts';
import { startLoggedService } from '../edge/logged-service.ts';
import { raisedPayslip } from './raised-payslip.ts';

databases('either');

interface Told {
  document_id: string;
  name: string;
  outcome: string;
  facts: { sha256: string; size_bytes: number };
  checks: { rule: string; status: string; findings?: { message: string; evidence: Record<string, unknown>[] }[] }[];
}

const marked = (name: string) => `${name}+kyc-verified+eid-verified@mail.example`;

describe('a forensic analysis', () => {
  const test = useServicePerTest();
  const receiver = testFixture(() => Receiver.start());
  beforeEach(async () => {
    await test.alice.ok('createWebhook', { body: { url: receiver.url } });
  });

  const apply = (...emails: string[]) => {
    const tenants = emails.map((email, index) => ({ email, is_lead: index === 0 }));
    return test.alice.ok('createApplication', { body: { title: emails.join(), tenants } });
  };
  const handIn = async (email: string, bytes: Uint8Array) => {
    const { id } = await test.tenant(email);
    const { runtime } = test.service;
    const file = { name: 'payslip.pdf', content: Readable.from([Buffer.from(bytes)]) };
    await storingDocuments(runtime, [file], async (trx, stored) =>
      addDocuments(trx, runtime.queue, await ofTheirKey(trx, id), stored, 'operator', new Date()),
    );
    return id;
  };
  /** The event data once the tenant's identity is verified. */
  const analysed = async (tenantId: string): Promise<Told> => {
    await test.alice.ok('initiateKyc', { params: { tenantId } });
    const event = await eventually(`${tenantId} was analysed`, () =>
      receiver.received.find(
        ({ event, data }) => event === 'FORENSIC_ANALYSIS_DATA' && data?.['tenant_id'] === tenantId,
      ),
    );
    const [document] = JSON.parse(event.body).data.documents;
    return document;
  };
  const elsewhere = ({ checks }: Told) => checks.find(({ rule }) => rule === 'seen-elsewhere');

  it('reports what a document said before it was changed, and where, and stores that', async () => {
    await apply(marked('raised'));
    const tenantId = await handIn(marked('raised'), raisedPayslip('Erika Muster'));
    const told = await analysed(tenantId);
    expect(told.outcome).to.equal('tampered');
    const check = told.checks.find(({ rule }) => rule === 'revised-text');
    const [evidence] = check?.findings?.[0]?.evidence ?? [];
    expect(evidence).to.deep.include({ page: 1, before: '2.280,40', after: '3.280,40' });
    const run = await test.service.runtime.db('forensic_runs').where({ tenant_id: tenantId }).first('result');
    const kept = JSON.parse(unsealJson(run?.result ?? '', test.service.runtime.keys.encryption));
    expect(kept.documents).to.deep.equal([told]);
    expect(kept.engine).to.have.keys('name', 'version');
    expect(kept.analysed_at).to.match(/Z$/);
  });

  it('finds nothing in the sandbox’s documents', async () => {
    await apply(marked('sample'));
    const { id } = await test.tenant(marked('sample'), { documents: 1 });
    expect((await analysed(id)).outcome).to.equal('no_finding');
  });

  it('reports that a stranger submitted the same file, but not a member of the same household', async () => {
    const bytes = pdfOf([payslip()]);
    await apply(marked('anna'), marked('bernd'));
    await apply(marked('stranger'));
    const [anna, bernd] = [await handIn(marked('anna'), bytes), await handIn(marked('bernd'), bytes)];
    expect(elsewhere(await analysed(anna))?.status).to.equal('passed');
    const stranger = await analysed(await handIn(marked('stranger'), bytes));
    expect(elsewhere(stranger)?.findings?.map(({ message }) => message)).to.deep.equal([
      '2 other tenants submitted the same file.',
    ]);
    expect(stranger.outcome).to.equal('suspicious');
    const text = JSON.stringify(stranger);
    for (const word of ['anna', 'bernd', anna, bernd]) expect(text).to.not.include(word);
    expect(elsewhere(await analysed(bernd))?.findings?.map(({ message }) => message)).to.deep.equal([
      'Another tenant submitted the same file.',
    ]);
  });

  it('interrupted by a stop is taken over by the next process, without counting a failure', async () => {
    await apply(marked('late'));
    const tenantId = await handIn(marked('late'), raisedPayslip('Late Comer'));
    const { runtime } = test.service;
    await runtime.forensics.close();
    await test.alice.ok('initiateKyc', { params: { tenantId } });
    const run = () => runtime.db('forensic_runs').where({ tenant_id: tenantId }).first();
    await eventually('it was begun', async () => (await run())?.status === 'processing');
    await runtime.queue.stop();
    // As if the stopped process's lease had expired.
    await runtime
      .db('forensic_runs')
      .where({ tenant_id: tenantId })
      .update({ due_at: new Date(0).toISOString() });
    const { database } = test.config;
    const next = await startTestService({
      ...settingsOf(database),
      DATA_DIR: test.folder,
    });
    try {
      await receiver.next('FORENSIC_ANALYSIS_DATA');
      expect(await run()).to.include({ status: 'completed', failures: 0 });
    } finally {
      await next.stop();
    }
  });
});

describe('the log of an analysis', () => {
  const logged = suiteFixture(() => startLoggedService());

  it('has a line for each document, without its content, owner or name', async () => {
    const email = marked('reserved');
    await logged.client.authenticate();
    await logged.client.ok('createApplication', { body: { title: 'Any', tenants: [{ email, is_lead: true }] } });
    const tenantId = await logged.tenantWithDocument(
      email,
      'Reservada',
      'Net pay 4711.00 of Reservada for January, paid into the account known to the employer',
    );
    await logged.client.ok('initiateKyc', { params: { tenantId } });
    const line = await eventually('it was analysed', () =>
      logged.lines().find(({ msg }) => msg === 'document analysed'),
    );
    expect(line).to.include({ level: 'info', outcome: 'no_finding', kind: 'pdf', pages: 1 });
    expect(line).to.include.keys('document_id', 'size_bytes', 'duration_ms', 'found', 'checks');
    expect(JSON.stringify(line)).to.not.match(/reserved|reservada|4711/i);
  });
});
