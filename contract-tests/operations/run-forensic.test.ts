import { expect } from 'chai';
import { settingsOf } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { aMinuteLater } from '../../harness/service/minute-later.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';

databases('both');

describe('run-forensic', () => {
  let test: TestService;

  /** An account that Alice may address. */
  const applicant = async (email: string, documents = 0) => {
    await test.alice.ok('createApplication', { body: { title: 'Forensic', tenants: [{ email, is_lead: true }] } });
    return (await test.tenant(email, { documents })).id;
  };
  const run = async (tenantId: string) => (await test.alice.ok('runForensic', { params: { tenantId } })).data;
  const startKyc = (tenantId: string) => test.alice.ok('initiateKyc', { params: { tenantId } });
  const statuses = async (tenant_id: string) =>
    (await test.service.runtime.db('forensic_runs').where({ tenant_id }).orderBy('created_at').select('status')).map(
      ({ status }) => status,
    );
  const events = (tenant_id: string) =>
    test.service.runtime.db('events').where({ tenant_id, event: 'FORENSIC_ANALYSIS_DATA' }).select('id');
  const notQueued = (processing_status: string) => ({ processing_status, added_to_queue: false });
  const QUEUED = { processing_status: 'QUEUED', added_to_queue: true };
  const PENDING = notQueued('PENDING');

  describe('while no worker runs', () => {
    // One for all of these tests, since each has its own person.
    before(async () => {
      test = await startTestService({ RUN_WORKERS: 'false' });
    });
    after(() => test.stop());

    /** Runs a worker on the same database until a fact holds. */
    async function process(fact: string, look: () => Promise<boolean>): Promise<void> {
      const { database } = test.config;
      const processor = await startTestService({
        ...settingsOf(database),
        DATA_DIR: test.folder,
      });
      try {
        await eventually(fact, look);
      } finally {
        await processor.stop();
      }
    }
    const verify = async (tenantId: string, status: 'verified' | 'rejected' = 'verified') => {
      await startKyc(tenantId);
      const { db } = test.service.runtime;
      const ended = () => db('kyc_verifications').where({ tenant_id: tenantId, status }).first('id');
      await process(`KYC ended as ${status}`, async () => (await ended()) !== undefined);
    };
    const analysed = async (email: string) => {
      const tenantId = await applicant(email, 1);
      await startKyc(tenantId);
      await process('the analysis is over', async () => (await statuses(tenantId)).includes('completed'));
      await aMinuteLater(test.service.runtime.db, tenantId);
      return tenantId;
    };

    it('answers DOCUMENTS_ANALYSIS_NOT_FOUND without documents, whether KYC is completed or not', async () => {
      const tenantId = await applicant('nothing+kyc-verified+eid-verified@mail.example');
      expect(await run(tenantId)).to.deep.equal(notQueued('DOCUMENTS_ANALYSIS_NOT_FOUND'));
      await verify(tenantId);
      expect(await run(tenantId)).to.deep.equal(notQueued('DOCUMENTS_ANALYSIS_NOT_FOUND'));
      expect(await statuses(tenantId)).to.be.empty;
    });

    it('answers KYC_PENDING with documents before, during and after a failed KYC', async () => {
      const tenantId = await applicant('eva+kyc-rejected+eid-verified@mail.example', 1);
      expect(await run(tenantId)).to.deep.equal(notQueued('KYC_PENDING'));
      await startKyc(tenantId);
      expect(await run(tenantId)).to.deep.equal(notQueued('KYC_PENDING'));
      await verify(tenantId, 'rejected');
      expect(await run(tenantId)).to.deep.equal(notQueued('KYC_PENDING'));
      expect(await statuses(tenantId)).to.be.empty;
    });

    it('answers PENDING while the tenant waits, without a second entry', async () => {
      const tenantId = await applicant('waits+kyc-verified+eid-verified@mail.example');
      await verify(tenantId);
      await test.tenant('waits+kyc-verified+eid-verified@mail.example', { documents: 1 });
      for (let call = 0; call < 3; call++) expect(await run(tenantId)).to.deep.equal(PENDING);
      expect(await statuses(tenantId)).to.deep.equal(['pending']);
    });

    it('answers QUEUED after a completed analysis and adds the tenant again, once', async () => {
      const tenantId = await analysed('again+kyc-verified+eid-verified@mail.example');
      expect(await run(tenantId)).to.deep.equal(QUEUED);
      expect(await run(tenantId)).to.deep.equal(PENDING);
      expect(await statuses(tenantId)).to.deep.equal(['completed', 'pending']);
    });

    it('answers QUEUED without documents when an analysis was completed earlier', async () => {
      const tenantId = await analysed('gone+kyc-verified+eid-verified@mail.example');
      await test.service.runtime.db('documents').where({ tenant_id: tenantId }).delete();
      expect(await run(tenantId)).to.deep.equal(QUEUED);
    });

    it('adds the tenant once for 500 concurrent calls', async () => {
      const tenantId = await analysed('crowd+kyc-verified+eid-verified@mail.example');
      // Opens every database connection, so that the first calls really run concurrently.
      await Promise.all(Array.from({ length: 50 }, () => test.alice.ok('listWorkspaces')));
      const answers = await Promise.all(Array.from({ length: 500 }, () => run(tenantId)));
      expect(answers.filter((answer) => answer.added_to_queue)).to.deep.equal([QUEUED]);
      expect(answers.filter((answer) => !answer.added_to_queue)).to.deep.equal(
        Array.from({ length: 499 }, () => PENDING),
      );
      expect(await statuses(tenantId)).to.deep.equal(['completed', 'pending']);
    });
  });

  describe('while a worker runs', () => {
    const receiver = testFixture(() => Receiver.start());
    afterEach(async () => {
      await test.stop();
    });
    const startWith = async (env: Record<string, string> = {}) => {
      test = await startTestService(env);
      await test.alice.ok('createWebhook', { body: { url: receiver.url } });
    };

    it('answers PROCESSING during the analysis, without waiting for it and without a second entry', async () => {
      await startWith();
      // Held until this test has looked.
      const analysis = Promise.withResolvers<void>();
      test.service.runtime.providers.rehearseAnalysis = () => analysis.promise;
      const tenantId = await applicant('during+kyc-verified+eid-verified@mail.example', 1);
      await startKyc(tenantId);
      await eventually('the analysis runs', async () => {
        const answer = await run(tenantId);
        expect(answer.added_to_queue).to.equal(answer.processing_status === 'QUEUED');
        return answer.processing_status === 'PROCESSING';
      });
      expect(await statuses(tenantId)).to.deep.equal(['processing']);
      expect(await events(tenantId)).to.be.empty;
      analysis.resolve();
      await receiver.next('FORENSIC_ANALYSIS_DATA');
      expect(await statuses(tenantId)).to.deep.equal(['completed']);
    });

    it('sends the result of each analysis once', async () => {
      await startWith();
      const tenantId = await applicant('told+kyc-verified+eid-verified@mail.example', 2);
      await startKyc(tenantId);
      const [first] = await receiver.next('FORENSIC_ANALYSIS_DATA');
      expect(first?.data).to.include({ tenant_id: tenantId });
      expect(first?.data?.['documents']).to.have.length(2);
      await aMinuteLater(test.service.runtime.db, tenantId);
      expect(await run(tenantId)).to.deep.equal(QUEUED);
      const [, second] = await receiver.next('FORENSIC_ANALYSIS_DATA', 2);
      expect(second?.data).to.include({ tenant_id: tenantId });
      expect(await events(tenantId)).to.have.length(2);
    });

    it('ends an analysis that keeps failing without an event, and queues the tenant again on request', async () => {
      await startWith();
      const tenantId = await applicant('eva+forensic-failed+kyc-verified+eid-verified@mail.example', 1);
      await startKyc(tenantId);
      await eventually('the analysis was tried', async () => (await run(tenantId)).processing_status === 'PROCESSING');
      await eventually('it was given up', async () => (await statuses(tenantId)).includes('failed'));
      expect(await events(tenantId)).to.be.empty;
      expect(await run(tenantId)).to.deep.equal(QUEUED);
      expect((await statuses(tenantId)).length).to.equal(2);
      expect(receiver.received.map(({ event }) => event)).to.deep.equal(['KYC_VERIFICATION_DATA']);
    });
  });
});
