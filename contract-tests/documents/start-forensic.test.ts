import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { workDone } from '../../harness/database/open-work.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';

databases('either');

describe('a forensic analysis starts automatically', () => {
  let test: TestService;
  let receiver: Receiver;
  const start = async (env: Record<string, string> = {}) => {
    test = await startTestService(env);
    receiver = await Receiver.start();
    await test.alice.ok('createWebhook', { body: { url: receiver.url } });
  };
  afterEach(async () => {
    await test.stop();
    await receiver.stop();
  });

  /** An account that Alice may address. */
  const applicant = async (email: string, documents = 0) => {
    await test.alice.ok('createApplication', { body: { title: 'Forensic', tenants: [{ email, is_lead: true }] } });
    return (await test.tenant(email, { documents })).id;
  };
  const startKyc = (tenantId: string) => test.alice.ok('initiateKyc', { params: { tenantId } });
  const startEid = (tenantId: string) =>
    test.alice.ok('initiateEid', { params: { tenantId }, body: { redirect_url: 'https://letting.example/' } });
  const runs = async (tenant_id: string) =>
    (await test.service.runtime.db('forensic_runs').where({ tenant_id }).orderBy('created_at').select('status')).map(
      ({ status }) => status,
    );
  const analysed = (index = 0) =>
    receiver.next('FORENSIC_ANALYSIS_DATA', index + 1).then((deliveries) => deliveries[index]?.data);

  it('when KYC completes and there are documents', async () => {
    await start();
    const tenantId = await applicant('documents-first+kyc-verified+eid-verified@mail.example', 2);
    expect(await runs(tenantId)).to.be.empty;
    await startKyc(tenantId);
    const data = await analysed();
    expect(data).to.include({ tenant_id: tenantId });
    expect(data?.['documents']).to.have.length(2);
    expect(await runs(tenantId)).to.deep.equal(['completed']);
  });

  it('when a document arrives and KYC is completed', async () => {
    await start();
    const tenantId = await applicant('kyc-first+kyc-verified+eid-verified@mail.example');
    await startKyc(tenantId);
    await receiver.next('KYC_VERIFICATION_DATA');
    expect(await runs(tenantId)).to.be.empty;
    await test.tenant('kyc-first+kyc-verified+eid-verified@mail.example', { documents: 1 });
    expect((await analysed())?.['documents']).to.have.length(1);
    expect(await runs(tenantId)).to.deep.equal(['completed']);
  });

  it('when the national eID flow brings documents and KYC is completed', async () => {
    await start();
    const tenantId = await applicant('eid+kyc-verified+eid-verified@mail.example');
    await startKyc(tenantId);
    await receiver.next('KYC_VERIFICATION_DATA');
    await startEid(tenantId);
    await receiver.next('EID_SUCCESS');
    expect((await analysed())?.['documents']).to.have.length(1);
    expect(await runs(tenantId)).to.deep.equal(['completed']);
  });

  it('for every document when KYC and the eID flow complete simultaneously', async () => {
    await start();
    const tenantId = await applicant('both+kyc-verified+eid-verified@mail.example', 1);
    await Promise.all([startKyc(tenantId), startEid(tenantId)]);
    await Promise.all([receiver.next('KYC_VERIFICATION_DATA'), receiver.next('EID_SUCCESS')]);
    const last = await eventually('an analysis covered both documents', async () => {
      const all = receiver.received.filter(({ event }) => event === 'FORENSIC_ANALYSIS_DATA');
      const [covering] = all.filter(({ data }) => Array.isArray(data?.['documents']) && data['documents'].length === 2);
      return covering;
    });
    expect(last.data).to.include({ tenant_id: tenantId });
    // A document that arrived while the first analysis was listing them is covered twice.
    await workDone(test.service.runtime.db);
    const finished = await runs(tenantId);
    expect(new Set(finished)).to.deep.equal(new Set(['completed']));
    expect(finished.length).to.be.at.most(2);
  });

  it('again when a document arrives during the analysis, so that every document is analysed', async () => {
    await start();
    const tenantId = await applicant('late+kyc-verified+eid-verified@mail.example', 1);
    // Called once an analysis has listed its documents.
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    test.service.runtime.providers.rehearseAnalysis = async () => {
      begun.resolve();
      await released.promise;
    };
    await startKyc(tenantId);
    await begun.promise;
    await test.tenant('late+kyc-verified+eid-verified@mail.example', { documents: 1 });
    expect(await runs(tenantId), 'one at a time').to.deep.equal(['processing']);
    released.resolve();
    expect((await analysed())?.['documents']).to.have.length(1);
    expect((await analysed(1))?.['documents']).to.have.length(2);
    expect(await runs(tenantId)).to.deep.equal(['completed', 'completed']);
  });

  it('but not without KYC, after a failed KYC or without documents', async () => {
    await start();
    const noKyc = await applicant('no-kyc+kyc-verified+eid-verified@mail.example', 1);
    const failedKyc = await applicant('eva+kyc-rejected+eid-verified@mail.example', 1);
    const noDocuments = await applicant('no-documents+kyc-verified+eid-verified@mail.example');
    const failedEid = await applicant('eva+eid-failed+kyc-verified@mail.example');
    const onlyEid = await applicant('only-eid+kyc-verified+eid-verified@mail.example');
    for (const tenantId of [failedKyc, noDocuments, failedEid]) await startKyc(tenantId);
    for (const tenantId of [failedEid, onlyEid]) await startEid(tenantId);
    await workDone(test.service.runtime.db);
    for (const tenantId of [noKyc, failedKyc, noDocuments, failedEid, onlyEid])
      expect(await runs(tenantId)).to.be.empty;
    await startKyc(onlyEid);
    expect(await analysed()).to.include({ tenant_id: onlyEid });
  });
});
