import { expect } from 'chai';
import { setLandlordBrand } from '../../db/access/landlord-brands.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { type TestService, useService } from '../../harness/service/service.ts';
import { openOnboarding } from '../../jobs/invitations/onboarding.ts';

databases('either');

const TITLE = 'Flat <b>on</b> https://evil.example/x';

describe('the pages of a verification', () => {
  const test = useService({ RUN_WORKERS: 'false' });

  const applicant = async (email: string) => {
    const { id } = await test.tenant(email, { name: 'Known Elsewhere' });
    const tenants = [
      { email, is_lead: true },
      { email: `other-${email}`, is_lead: false },
    ];
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: TITLE, tenants } })).data;
    return { tenantId: id, applicationId: application_id };
  };
  const asks = (text: string) =>
    expect(text)
      .to.include('Asked by <strong><bdi>Casa Clara</bdi></strong>')
      .and.include('<bdi>Flat &#60;b&#62;on&#60;/b&#62; https://evil.example/x</bdi>')
      .and.not.include('href="https://evil')
      .and.not.include('@mail.example');

  it('name the landlord and the application as text, in every state of KYC, and no account', async () => {
    const { tenantId, applicationId } = await applicant('kyc@mail.example');
    const { verification_url } = (await test.alice.ok('initiateKyc', { params: { tenantId } })).data;
    const browser = new WebBrowser();
    asks((await browser.follow(verification_url)).text);
    await browser.agree(verification_url);
    const first = await browser.follow(verification_url);
    asks(first.text);
    expect(first.text).to.not.include('Known Elsewhere');
    const params = { applicationId, email: 'kyc@mail.example' };
    await test.alice.ok('updateParticipant', { params, body: { name: 'Marta Ruiz' } });
    expect((await browser.follow(verification_url)).text).to.include('value="Marta Ruiz"');
    asks((await browser.open(`${verification_url}/left`)).text);
    for (const status of ['verified', 'rejected', 'failed', 'expired'] as const) {
      await test.service.runtime.db('kyc_verifications').where({ tenant_id: tenantId }).update({ status });
      asks((await browser.open(verification_url)).text);
    }
  });

  it('name no application that the person declined while they take part in another', async () => {
    const email = 'declined-one@mail.example';
    const { tenantId } = await applicant(email);
    const tenants = [
      { email, is_lead: true },
      { email: 'third@mail.example', is_lead: false },
    ];
    const body = { title: 'Declined house', tenants };
    const { application_id } = (await test.alice.ok('createApplication', { body })).data;
    await test.service.runtime
      .db('participants')
      .where({ application_id, email })
      .update({ consent_status: 'rejected' });
    const { verification_url } = (await test.alice.ok('initiateKyc', { params: { tenantId } })).data;
    const page = await new WebBrowser().follow(verification_url);
    asks(page.text);
    expect(page.text).to.not.include('Declined house');
  });

  it('show no name given by another landlord, or by the person there', async () => {
    const email = 'two-landlords@mail.example';
    const { id: tenantId } = await test.tenant(email, { name: 'Known Elsewhere' });
    const body = { title: 'House', tenants: [{ email, is_lead: true }] };
    const { db } = test.service.runtime;
    const pagesFor = async (client: TestService['alice'], name?: string) => {
      const { application_id } = (await client.ok('createApplication', { body })).data;
      const params = { applicationId: application_id, email };
      if (name) await client.ok('updateParticipant', { params, body: { name } });
      const { verification_url } = (await client.ok('initiateKyc', { params: { tenantId } })).data;
      const browser = new WebBrowser();
      await browser.agree(verification_url);
      const onboarding = await onboardingOf(application_id);
      return [(await browser.follow(verification_url)).text, (await browser.open(onboarding)).text];
    };
    const onboardingOf = async (application_id: string) => {
      const participant = await db('participants').where({ application_id }).first();
      if (!participant) return expect.fail('There is no participant.');
      const { token } = await inTransaction(db, (trx) => openOnboarding(trx, participant, 60_000, new Date()));
      return `${test.service.url}/onboarding/${token}`;
    };
    for (const page of await pagesFor(test.charlie, 'Named By Charlie'))
      expect(page).to.include('value="Named By Charlie"');
    for (const page of await pagesFor(test.alice))
      expect(page)
        .to.include('name="name"')
        .and.include('value=""')
        .and.not.match(/Known Elsewhere|Named By Charlie/);
  });

  it('have their landlord’s colour and logo, and no other’s, from our own host and permanently cached', async () => {
    const { db } = test.service.runtime;
    const content = Buffer.from('a logo');
    const brand = (change: Parameters<typeof setLandlordBrand>[2]) =>
      inTransaction(db, (trx) => setLandlordBrand(trx, test.landlords.ours, change));
    await brand({ colour: '#ffd400', logo: { content, width: 480, height: 96 } });
    const pageFor = async (client: TestService['alice'], email: string) => {
      const { id: tenantId } = await test.tenant(email, { of: client });
      const { verification_url } = (await client.ok('initiateKyc', { params: { tenantId } })).data;
      return { url: verification_url, text: (await new WebBrowser().open(verification_url)).text };
    };
    const files = ({ text }: { text: string }) =>
      [...text.matchAll(/(?:href|src)="([^"]+verify\/brand\/[^"]+)"/g)].map(([, path = '']) => path);
    const ours = await pageFor(test.alice, 'of-ours@mail.example');
    expect(ours.text).to.match(/<img class="logo" src="[^"]+" alt="Casa Clara" width="240" height="48">/);
    expect(files(await pageFor(test.charlie, 'of-theirs@mail.example'))).to.deep.equal([]);
    const [css = '', png = ''] = files(ours).map((path) => new URL(path, ours.url).href);
    const get = async (address: string) => {
      const answer = await fetch(address);
      return [
        answer.status,
        answer.headers.get('content-type'),
        answer.headers.get('cache-control'),
        await answer.text(),
      ];
    };
    const forGood = 'public, max-age=31536000, immutable';
    expect(await get(png)).to.deep.equal([200, 'image/png', forGood, 'a logo']);
    const [status, type, kept, colours] = await get(css);
    expect([status, type, kept]).to.deep.equal([200, 'text/css; charset=utf-8', forGood]);
    expect(colours).to.include('--brand: #ffd400;').and.include('--on-brand: #000000;');
    const older = css.replace(/brand\/[^/]+/, 'brand/older');
    expect((await get(older)).slice(0, 3)).to.deep.equal([200, 'text/css; charset=utf-8', 'no-store']);
    for (const name of ['logo.gif', 'red.css', 'ffd40.css', 'constructor'])
      expect((await get(png.replace('logo.png', name)))[0], name).to.equal(404);
    expect((await get(png.replace(/brand\/[^/]+/, 'brand/%00')))[0]).to.equal(404);
    await brand({ colour: null, logo: null });
    expect((await get(png))[0]).to.equal(404);
    expect(files(await pageFor(test.alice, 'of-nobody@mail.example'))).to.deep.equal([]);
  });

  it('name them at the simulated national eID, and at the end of a flow', async () => {
    const { tenantId } = await applicant('eid@mail.example');
    const body = { redirect_url: 'https://letting.example/back' };
    const { verification_link } = (await test.alice.ok('initiateEid', { params: { tenantId }, body })).data;
    const browser = new WebBrowser();
    asks((await browser.open(verification_link)).text);
    await browser.agree(verification_link);
    const page = await browser.follow(verification_link);
    asks(page.text);
    expect(page.text).to.not.include('Known Elsewhere');
    for (const status of ['cancelled', 'failed', 'expired'] as const) {
      await test.service.runtime.db('eid_flows').where({ tenant_id: tenantId }).update({ status });
      asks((await browser.open(verification_link)).text);
    }
  });
});
