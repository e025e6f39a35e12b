import { expect } from 'chai';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { dialect } from '../../harness/database/databases.ts';
import { useService } from '../../harness/service/service.ts';

const TITLE = 'Flat <b>on</b> https://evil.example/x';

describe(`the pages of a verification on ${dialect}`, () => {
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

  it('name no application that the person has declined while they take part in another', async () => {
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

  it('name them at the simulated national eID, and where a flow has ended', async () => {
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
