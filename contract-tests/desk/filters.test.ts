import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import { type StepName, stepNames } from '../../core/rules/progress.ts';
import { setLandlordSettings } from '../../db/access/landlord-settings.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { addProperty } from '../../db/properties/properties.ts';
import { addWorkspace } from '../../db/properties/workspaces.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { payslip } from '../../packages/forensics/tests/fixtures/payslip.ts';
import { pdfOf } from '../../packages/forensics/tests/fixtures/pdf.ts';
import { analysed } from '../console/scene.ts';
import { raisedPayslip } from '../documents/raised-payslip.ts';

databases('either');

describe('the list of applications at the desk', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const agent = suiteFixture(() =>
    MemberBrowser.signIn(test, 'agent', { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] }),
  );
  const DAYS = ['2026-01-30', '2026-01-31', '2026-02-01'];
  const property = suiteFixture(async () => {
    for (const day of DAYS) {
      const body = { title: `Flat of ${day}`, tenants: [{ email: `of-${day}@mail.example`, is_lead: true }] };
      const { application_id } = (await test.alice.ok('createApplication', { body })).data;
      await db()('applications')
        .where({ id: application_id })
        .update({ created_at: `${day}T23:59:59.999Z` });
    }
    const body = { title: 'Of Bob', tenants: [{ email: 'of-bob@mail.example', is_lead: true }] };
    await test.bob.ok('createApplication', { body });
    const added = await inTransaction(db(), async (trx) => {
      const workspace = await addWorkspace(trx, test.landlords.ours, 'Madrid', new Date());
      return addProperty(trx, workspace, { property_reference: 'MAD-1' });
    });
    const titles = ['Flat of 2026-01-31', 'Of Bob'];
    await db()('applications').whereIn('title', titles).update({ property_internal_id: added.id });
    return added;
  });
  const shown = async (query: string) => {
    const { status, text } = await agent.open(`/applications?${query}`);
    expect(status).to.equal(200);
    expect(text).to.not.include('Of Bob');
    return DAYS.filter((day) => text.includes(`Flat of ${day}`));
  };

  it('narrows to days, of which the first and the last count whole', async () => {
    expect(await shown('')).to.deep.equal(DAYS);
    expect(await shown('from=2026-01-31')).to.deep.equal(DAYS.slice(1));
    expect(await shown('until=2026-01-31')).to.deep.equal(DAYS.slice(0, 2));
    expect(await shown('from=2026-01-31&until=2026-01-31')).to.deep.equal(['2026-01-31']);
    expect(await shown('until=2026-01-29')).to.deep.equal([]);
  });

  it('narrows to a property, within the keys of the member', async () => {
    expect(await shown(`property=${property.property_id}`)).to.deep.equal(['2026-01-31']);
    expect(await shown(`property=${property.property_id}&from=2026-02-01`)).to.deep.equal([]);
  });

  it('another landlord’s property and an absent one have no applications', async () => {
    const other = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.other });
    for (const id of [property.property_id, 'absent'])
      expect((await other.open(`/applications?property=${id}`)).text).to.include('There are no such applications.');
  });

  it('a day that is no day is refused', async () => {
    for (const query of ['from=yesterday', 'until=2026-1-1', 'from=2026-13-01'])
      expect((await agent.open(`/applications?${query}`)).status, query).to.equal(400);
  });
});

describe('the list of applications by what is missing and what an analysis found', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const as = (role: 'agent' | 'viewer') =>
    MemberBrowser.signIn(test, role, { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] });
  let agent: MemberBrowser;
  const shown = async (query: string, by = agent) => {
    const { status, text } = await by.open(`/applications?${query}`);
    expect(status).to.equal(200);
    return [...text.matchAll(/<bdi>(Lacks \w+|Tampered)<\/bdi>/g)].map(([, title]) => title).toSorted();
  };

  /** An application of one person who has done everything but one step. */
  async function lacking(step: StepName | undefined, title: string, papers = PAPERS): Promise<void> {
    const email = `${title.replace(' ', '-').toLowerCase()}@mail.example`;
    const { id: tenant } = await test.tenant(email, { name: title });
    const body = { title, tenants: [{ email, is_lead: true }] };
    await test.alice.ok('createApplication', { body });
    const done = new Date().toISOString();
    const key = await db()('api_keys').where({ client_id: test.alice.clientId }).first('id');
    const of = { tenant_id: tenant, api_key_id: key?.id ?? '' };
    const check = { ...of, created_at: done, finished_at: done, expires_at: done, failures: 0, provider: 'sandbox' };
    if (step !== 'answer') await db()('participants').where({ email }).update({ consent_status: 'accepted' });
    if (step !== 'profile') await db()('tenants').where({ id: tenant }).update({ profile_completed_at: done });
    if (step !== 'documents') await analysed(test, tenant, papers);
    if (step === 'analysis') await db()('forensic_runs').where({ tenant_id: tenant }).update({ status: 'failed' });
    if (step !== 'kyc') await db()('kyc_verifications').insert({ ...check, id: newId(), status: 'verified' });
    if (step !== 'eid')
      await db()('eid_flows').insert({ ...check, id: newId(), status: 'succeeded', redirect_url: 'https://a.example' });
  }

  before(async () => {
    agent = await as('agent');
    await inTransaction(db(), (trx) => setLandlordSettings(trx, test.landlords.ours, { documents: 'any' }));
    for (const step of stepNames) await lacking(step, `Lacks ${step}`);
    await lacking(undefined, 'Tampered', [{ name: 'payslip.pdf', bytes: raisedPayslip('Marta Ruiz') }]);
  });

  for (const step of stepNames)
    it(`narrows to those in which a person lacks a step: ${step}`, async () => {
      // Without documents, there is no analysis either.
      const also = step === 'analysis' ? ['Lacks documents'] : [];
      expect(await shown(`missing=${step}`)).to.deep.equal([`Lacks ${step}`, ...also].toSorted());
    });

  it('narrows to those in which a person is in a state, declined and removed included, and says how many are', async () => {
    const of = (step: StepName) => ({ email: `lacks-${step}@mail.example` });
    const left = { ...of('kyc'), removed_at: new Date().toISOString(), consent_status: 'rejected' } as const;
    await db()('participants').where(of('eid')).update({ consent_status: 'rejected' });
    await db()('participants').where(of('kyc')).update(left);
    try {
      expect(await shown('state=pending')).to.deep.equal(['Lacks answer']);
      expect(await shown('state=declined')).to.deep.equal(['Lacks eid']);
      expect(await shown('state=removed')).to.deep.equal(['Lacks kyc']);
      expect(await shown('state=accepted')).to.have.members(
        (await shown('')).filter((title) => !/answer|eid|kyc/.test(title ?? '')),
      );
      expect(await shown('state=declined&missing=eid')).to.deep.equal([]);
      const { text } = await agent.open('/applications?state=removed');
      expect(text).to.match(/removed<\/span>\s*1/);
    } finally {
      await db()('participants').update({ consent_status: 'accepted', removed_at: null });
      await db()('participants').where(of('answer')).update({ consent_status: 'pending' });
    }
  });

  it('a person who has declined or left lacks nothing', async () => {
    const of = { email: 'lacks-answer@mail.example' };
    await db()('participants').where(of).update({ consent_status: 'rejected' });
    expect(await shown('missing=answer')).to.deep.equal([]);
    await db()('participants').where(of).update({ consent_status: 'pending' });
  });

  it('narrows to an outcome, and each person of it sees that an agent looked', async () => {
    await db()('looks').delete();
    expect(await shown('outcome=tampered')).to.deep.equal(['Tampered']);
    expect(await shown('outcome=tampered&missing=kyc')).to.deep.equal([]);
    expect(await db()('looks').select('looker', 'what')).to.deep.equal([{ looker: 'agent', what: 'analysis' }]);
    const read = await db()('audit_entries').where({ action: 'forensic.read', actor: agent.id });
    expect(read).to.have.length(1);
  });

  it('viewers filter by what is missing, and learn no outcome', async () => {
    const viewer = await as('viewer');
    expect(await shown('missing=kyc', viewer)).to.deep.equal(['Lacks kyc']);
    expect((await viewer.open('/applications')).text)
      .to.include('name="missing"')
      .and.not.include('name="outcome"');
    expect(await shown('outcome=tampered', viewer)).to.deep.equal(await shown('', viewer));
  });

  it('refuses a state, a step and an outcome that do not exist', async () => {
    for (const query of ['state=gone', 'missing=rent', 'outcome=good'])
      expect((await agent.open(`/applications?${query}`)).status, query).to.equal(400);
  });

  it('searches some applications at a time, says how far it got, and continues from there', async () => {
    const add = (number: number) =>
      test.alice.ok('createApplication', {
        body: { title: `Newer ${number}`, tenants: [{ email: `newer-${number}@mail.example`, is_lead: true }] },
      });
    for (let first = 0; first < 120; first += 40)
      await Promise.all(Array.from({ length: 40 }, (_, index) => add(first + index)));
    const newest = db()('applications').where('title', 'like', 'Newer %').select('id');
    await db()('participants').whereIn('application_id', newest).update({ consent_status: 'rejected' });
    const { text } = await agent.open('/applications?missing=answer');
    expect(text).to.include('100 applications were searched').and.not.include('There are no such');
    const next = /href="[^"]*\?([^"]*before=[^"]*)" rel="next"/.exec(text)?.[1] ?? expect.fail('no way on');
    expect(await shown(next.replaceAll('&#38;', '&'))).to.deep.equal(['Lacks answer']);
  });
});

const PAPERS = [{ name: 'letter.pdf', bytes: pdfOf([payslip({ name: 'Ana Ruiz' })]) }];
