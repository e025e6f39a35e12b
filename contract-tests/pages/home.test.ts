import { expect } from 'chai';
import sharp from 'sharp';
import type { LandlordSettings } from '../../core/rules/landlord-settings.ts';
import { setLandlordBrand } from '../../db/access/landlord-brands.ts';
import { setLandlordSettings } from '../../db/access/landlord-settings.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { inspectedTogether } from '../../harness/service/inspected-together.ts';
import { invitationPath, look, onboardingPath, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('either');

describe('the home of a person in an application', () => {
  let serial = 0;
  const test = useService({ RUN_WORKERS: 'false' });
  inspectedTogether(() => test);
  const settings = (change: Partial<LandlordSettings>) =>
    inTransaction(test.service.runtime.db, (trx) => setLandlordSettings(trx, test.landlords.ours, change));
  const apply = async (title: string, email: string) => {
    const tenants = [email, `lead-of-${email}`].map((one) => ({ email: one, is_lead: one !== email }));
    return (await test.alice.ok('createApplication', { body: { title, tenants } })).data.application_id;
  };
  /** A person who accepted and completed their profile. */
  const settled = async (title = 'Loft') => {
    const email = `home-${++serial}@mail.example`;
    const path = await invitationPath(test, await apply(title, email), email);
    await submit(test, path, { answer: 'accept' });
    await submit(test, path, { name: 'Jonas Weber' });
    const tenant = await test.service.runtime.db('tenants').where({ email }).first('id');
    return { email, path, tenantId: tenant?.id ?? '' };
  };
  const upload = async (path: string, type: string, name: string, content: Uint8Array) => {
    const body = new FormData();
    body.append('type', type);
    body.append('file', new Blob([new Uint8Array(content)]), name);
    await fetch(`${test.service.url}${path}/documents`, { method: 'POST', body, redirect: 'manual' });
  };
  const text = async (path: string) => (await look(test, path)).text;

  it('never says that nothing is missing while a check waits, runs or ended badly, and leads on to it', async () => {
    await settings({ documents: 'any' });
    const { path, tenantId } = await settled();
    await upload(path, 'payslip', 'payslip.pdf', sampleDocument(['Payslip January']));
    expect(await text(path)).to.include('Nothing is missing.');
    const { verification_url } = (await test.alice.ok('initiateKyc', { params: { tenantId } })).data;
    const waiting = await text(path);
    expect(waiting).to.include('Still missing: your identity check.').and.include('It takes about two minutes.');
    const address = /href="([^"]*verify\/kyc\/[^"#]*)/.exec(waiting)?.[1] ?? '';
    expect(new URL(address, `${test.service.url}${path}`).href).to.equal(verification_url);
    await new WebBrowser().agree(verification_url);
    expect(await text(path))
      .to.include('Under way: your identity check.')
      .and.not.include('Nothing is missing');
    const { db } = test.service.runtime;
    const end = (change: object) => db('kyc_verifications').where({ tenant_id: tenantId }).update(change);
    await end({ status: 'rejected', failure: 'The document has expired.', finished_at: new Date().toISOString() });
    expect(await text(path))
      .to.include('Without success: your identity check.')
      .and.include('The document has expired.')
      .and.include('can start it again')
      .and.not.include('Nothing is missing');
    await end({ status: 'verified', failure: null });
    expect(await text(path))
      .to.include('Nothing is missing.')
      .and.include('Your identity is confirmed.');
    await settings({ documents: null });
  });

  it('asks for what is usual where the landlord’s language is spoken, until the landlord names a list', async () => {
    const { path } = await settled();
    await upload(path, 'other', 'letter.pdf', sampleDocument(['A letter']));
    const speak = (language: 'de' | null) =>
      inTransaction(test.service.runtime.db, (trx) => setLandlordBrand(trx, test.landlords.ours, { language }));
    const kinds = async () =>
      [...(await text(path)).matchAll(/<li>([A-Z][a-z ]+): 0 of (\d)<\/li>/g)].map((one) => one.slice(1));
    const shared = [
      ['Identity document', '1'],
      ['Payslip', '3'],
      ['Employment letter', '1'],
    ];
    expect(await kinds()).to.deep.equal([...shared, ['Tax assessment', '1'], ['Bank statement', '1']]);
    await speak('de');
    expect(await kinds()).to.deep.equal(shared);
    await settings({ documents: 'identity', guarantor_documents: 'tax_assessment:2' });
    expect(await kinds()).to.deep.equal([['Identity document', '1']]);
    await speak(null);
    await settings({ documents: null, guarantor_documents: null });
  });

  it('tells a guarantor what they sign up for before they answer, asks for their own documents, and checks them as a guarantor', async () => {
    await settings({ documents: 'payslip', guarantor_documents: 'tax_assessment:2' });
    const email = `guarantor-${++serial}@mail.example`;
    const applicationId = await apply('Loft', email);
    const body = { is_guarantor: true };
    await test.alice.ok('updateParticipant', { params: { applicationId, email }, body });
    const path = await onboardingPath(test, applicationId, email);
    expect(await text(path))
      .to.include('Would you like to be the guarantor?')
      .and.match(/A guarantor pays what the tenants owe if they do not pay\..*name="answer" value="accept"/s)
      .and.include('Declining means that you do not');
    await submit(test, path, { name: 'Gina Garant', answer: 'accept' });
    expect(await text(path))
      .to.include('You are the guarantor in the application')
      .and.include('Tax assessment: 0 of 2')
      .and.not.include('Payslip');
    const tenant = await test.service.runtime.db('tenants').where({ email }).first('id');
    const started = await test.alice.ok('initiateKyc', { params: { tenantId: tenant?.id ?? '' } });
    expect((await new WebBrowser().follow(started.data.verification_url)).text)
      .to.include('Casa Clara, because you are the guarantor in a rental application.')
      .and.not.include('for your rental application');
    await settings({ documents: null, guarantor_documents: null });
  });

  it('tells who sees their name: the person who leads, and no other', async () => {
    const { path } = await settled();
    expect(await text(path)).to.include('only the person who leads it sees your name');
  });

  it('lists what the landlord wants with examples, calls missing what the list says, and advises on files', async () => {
    await settings({ documents: 'identity, payslip:2:3', contact_name: 'Clara Gil', contact_phone: '+34 910 000 000' });
    const { path } = await settled();
    for (const page of [path, `${path}/documents`])
      expect(await text(page))
        .to.include('Identity document: 0 of 1')
        .and.include('Payslip: 0 of 2')
        .and.include('Clara Gil')
        .and.include('tel:+34910000000');
    expect(await text(`${path}/documents`))
      .to.include('Not older than 3 months.')
      .and.include('Not good: a photo of');
    await upload(path, 'identity', 'id.pdf', sampleDocument(['Passport']));
    const grey = { create: { width: 400, height: 400, channels: 3, background: '#888' } } as const;
    await upload(path, 'payslip', 'photo.png', await sharp(grey).png().toBuffer());
    expect(await text(`${path}/documents`))
      .to.include('Payslip: 1 of 2')
      .and.include('This is a picture of a document. The file from the portal');
    expect(await text(path)).to.include('Still missing: your documents.');
    await upload(path, 'payslip', 'again.png', await sharp(grey).png().toBuffer());
    expect(await text(`${path}/documents`)).to.include('You have handed in the same file before.');
    expect(await text(path)).to.include('Nothing is missing.');
    await settings({ documents: null, contact_name: null, contact_phone: null });
  });

  it('has verifications name the application they were started for, whichever comes later, and an empty title none', async () => {
    const { email, tenantId } = await settled('The first flat');
    const { verification_url } = (await test.alice.ok('initiateKyc', { params: { tenantId } })).data;
    const body = { title: 'A later flat', tenants: [{ email, is_lead: true }] };
    await test.alice.ok('createApplication', { body });
    const page = await new WebBrowser().follow(verification_url);
    expect(page.text).to.include('The first flat').and.not.include('A later flat');
    expect(page.text).to.include('Continue on your phone').and.include('class="qr"');
    const { path } = await settled('');
    for (const one of [path, `${path}/documents`]) expect(await text(one)).to.not.match(/<strong><bdi><\/bdi>/);
  });

  it('lets a person take a request for erasure back until it is answered', async () => {
    const { path } = await settled();
    await submit(test, `${path}/data/erasure`, {});
    expect(await text(`${path}/data`)).to.include('Withdraw the request');
    await submit(test, `${path}/data/erasure/withdraw`, {});
    expect(await text(`${path}/data`)).to.not.include('You asked for erasure');
    expect(await test.service.runtime.db('erasure_requests')).to.deep.equal([]);
  });
});
