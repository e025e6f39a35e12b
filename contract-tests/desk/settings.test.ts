import { expect } from 'chai';
import { usualDocuments, wantedKinds } from '../../core/rules/wanted-documents.ts';
import { setLandlordSettings } from '../../db/access/landlord-settings.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { addWorkspace } from '../../db/properties/workspaces.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Admin } from '../../harness/service/admin.ts';
import { invitationPath, look } from '../../harness/service/links.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { PAGE_ROWS } from '../../http/backoffice/query.ts';

databases('either');

describe('a landlord’s own things at the desk', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const signIn = (role: 'admin' | 'agent') =>
    MemberBrowser.signIn(test, role, { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] });
  const ana = suiteFixture(() => signIn('admin'));
  const agent = suiteFixture(() => signIn('agent'));
  const apply = async (title: string) => {
    const tenants = ['rosa@mail.example', `${title}@mail.example`].map((email, index) => ({
      email,
      is_lead: index === 0,
    }));
    return (await test.alice.ok('createApplication', { body: { title, tenants } })).data.application_id;
  };

  it('contact, privacy notice and wanted documents are set by an admin, and applicants read them', async () => {
    const given = {
      contact_name: 'Clara Gil',
      contact_mail: 'rent@casa-clara.example',
      privacy_url: 'https://casa-clara.example/privacy',
      documents: 'identity, payslip:2:2',
      rent_rule: '35%',
      mails_reminders: 'on',
    };
    expect(await ana.follow(await ana.act('/settings', given))).to.include('The settings were changed.');
    expect(await ana.follow(await ana.act('/settings', given))).to.include('it was already so');
    expect(readable((await ana.open('/settings')).text)).to.include('rent@casa-clara.example');
    const link = await invitationPath(test, await apply('loft'), 'loft@mail.example');
    expect(readable((await look(test, link)).text)).to.include('casa-clara.example/privacy');
    const audited = await db()('audit_entries').where({ action: 'landlord.settings', actor: ana.id });
    expect(audited).to.have.length(1);
  });

  it('a setting with a mistake is named, and nothing is changed', async () => {
    const before = await db()('landlord_settings');
    for (const [name, value, words] of [
      ['contact_mail', 'Clara', 'E-mail for questions: must be an e-mail address.'],
      ['contact_phone', 'call me', 'Phone: must be a phone number'],
      ['privacy_url', 'http://casa-clara.example', 'Privacy notice: must be an https address.'],
      ['documents', 'payslip:0', 'Wanted documents'],
      ['rent_rule', 'much', 'Rent and income: must be a share'],
    ] as const) {
      const answer = await ana.act('/settings', { [name]: value });
      expect(answer.status, name).to.equal(400);
      expect(readable(answer.text)).to.include(words);
    }
    expect((await ana.act('/settings/brand', { colour: 'green' })).status).to.equal(400);
    expect(await db()('landlord_settings')).to.deep.equal(before);
  });

  it('the colour and the language of mails are set by an admin', async () => {
    await ana.follow(await ana.act('/settings/brand', { colour: '#0A7D33', language: 'es' }));
    const row = await db()('landlord_brands').where({ landlord_id: test.landlords.ours }).first();
    expect(row).to.include({ colour: '#0a7d33', language: 'es' });
  });

  it('each language of mails is offered once, and saving the look changes no language', async () => {
    const languages = async () => (await ana.open('/settings')).text.match(/<option[^>]*>(English|Español|Deutsch)</g);
    expect(await languages()).to.deep.equal([
      '<option value="en">English<',
      '<option value="es" selected>Español<',
      '<option value="de">Deutsch<',
    ]);
    await ana.follow(await ana.act('/settings/brand', { colour: '#0A7D33', language: 'en' }));
    expect((await languages())?.[0]).to.equal('<option value="en" selected>English<');
    const again = await ana.act('/settings/brand', { colour: '#0A7D33', language: 'en' });
    expect(await ana.follow(again)).to.include('it was already so');
    await ana.act('/settings/brand', { colour: '#0A7D33', language: 'es' });
  });

  it('wanted documents are chosen by kind, number and age, for applicants and guarantors, and the page says what is in force', async () => {
    const { text } = await ana.open('/settings');
    for (const name of ['documents', 'guarantor_documents'])
      for (const kind of wantedKinds)
        for (const field of [`${name}-${kind}`, `${name}-${kind}-months`])
          expect(text, field).to.match(new RegExp(`<select name="${field}">`));
    const page = async () => readable((await ana.open('/settings')).text.replaceAll(/<\/?bdi>/g, ''));
    const stored = async () =>
      await db()('landlord_settings')
        .where({ landlord_id: test.landlords.ours })
        .first('documents', 'guarantor_documents');
    await ana.act('/settings', {
      ...{ documents: 'own', 'documents-identity': '1', 'documents-payslip': '3', 'documents-payslip-months': '2' },
      ...{ guarantor_documents: 'own', 'guarantor_documents-tax_assessment': '1' },
    });
    expect(await stored()).to.deep.equal({
      ...{ documents: 'identity, payslip:3:2', guarantor_documents: 'tax_assessment' },
    });
    expect(await page())
      .to.include('Wanted now: Identity document (1) and Payslip (3, at most 2 months old).')
      .and.include('Wanted of guarantors now: Tax assessment (1).')
      .and.match(/name="documents-payslip">[^§]*?<option value="3" selected>/)
      .and.match(/name="documents-payslip-months">[^§]*?<option value="2" selected>/);
    await inTransaction(db(), (trx) =>
      setLandlordSettings(trx, test.landlords.ours, { documents: 'bank_statement:2:3, identity' }),
    );
    const asShown = [
      ...(await ana.open('/settings')).text.matchAll(/<select name="(documents-[^"]*)">([^§]*?)<\/select>/g),
    ];
    const values = asShown.map(([, name, options = '']) => [name, /value="([^"]*)" selected/.exec(options)?.[1] ?? '']);
    await ana.act('/settings', { documents: 'own', ...Object.fromEntries(values) });
    expect((await stored())?.documents, 'sent as it was shown').to.equal('bank_statement:2:3, identity');
    await ana.act('/settings', { documents: 'any', 'documents-payslip': '3', guarantor_documents: 'fr' });
    expect(await stored()).to.deep.equal({ documents: 'any', guarantor_documents: usualDocuments['fr'] });
    expect(await page()).to.include('Wanted now: one document of any kind.');
    await ana.act('/settings', { documents: '', 'documents-payslip': '3', guarantor_documents: '' });
    expect(await stored()).to.deep.equal({ documents: null, guarantor_documents: null });
    const before = await stored();
    for (const form of [
      { documents: 'own', 'documents-payslip': '0' },
      { documents: 'own', 'documents-payslip': '13' },
      { documents: 'own', 'documents-payslip': '1', 'documents-payslip-months': '99' },
    ]) {
      const wrong = await ana.act('/settings', form);
      expect(wrong.status).to.equal(400);
      expect(readable(wrong.text)).to.include('Wanted documents: choose at least one kind of document');
      expect(wrong.text).to.match(/<select name="documents" aria-invalid="true" aria-describedby="faults">/);
    }
    expect(await stored()).to.deep.equal(before);
  });

  it('the rule for rent and income says how to write it', async () => {
    const { text } = await ana.open('/settings');
    expect(text).to.match(/name="rent_rule"[^>]* aria-describedby="help-rent_rule"[\s\S]*id="help-rent_rule"/);
    expect(readable(text.replaceAll(/<\/?bdi>/g, '')))
      .to.include('35%: the rent is at most this share of the income.')
      .and.include('3x: the income is at least three times the rent.');
    const wrong = await ana.act('/settings', { rent_rule: 'much' });
    expect(wrong.text).to.match(/name="rent_rule"[^>]* aria-invalid="true" aria-describedby="faults help-rent_rule"/);
  });

  it('workspaces and properties are added, changed and deleted by an agent, and the API shows them', async () => {
    await agent.follow(await agent.act('/workspaces', { name: 'Madrid centre' }));
    const [workspace] = await db()('workspaces').where({ workspace_name: 'Madrid centre' });
    const workspace_id = workspace?.workspace_id ?? '';
    const fields = { workspace: workspace_id, property_reference: 'MAD-1', rent_amount: '1450,5', floor: '-1' };
    const added = await agent.act('/properties/new', { ...fields, street: 'Calle Mayor' });
    await agent.follow(added);
    const [, id = ''] = /properties\/([\w-]{36})/.exec(added.location ?? '') ?? [];
    const read = () => test.alice.ok('getProperty', { params: { property_id: id }, query: { workspace_id } });
    expect((await read()).data.property).to.include({ rent_amount: 1450.5, floor: -1, street: 'Calle Mayor' });
    await agent.follow(await agent.act(`/properties/${id}`, { ...fields, bedrooms: '3' }));
    const { property } = (await read()).data;
    expect(property).to.include({ bedrooms: 3, property_reference: 'MAD-1' }).and.not.have.property('street');
    await agent.follow(await agent.act(`/workspaces/${workspace_id}/rename`, { name: 'Madrid' }));
    expect(readable((await agent.open('/properties')).text))
      .to.include('Madrid')
      .and.include('MAD-1');
    for (const [name, value] of [
      ['rent_amount', 'much'],
      ['floor', '1.5'],
      ['street', 'x'.repeat(256)],
    ] as const) {
      const answer = await agent.act(`/properties/${id}`, { ...fields, [name]: value });
      expect(answer.status, name).to.equal(400);
    }
    const application = await apply('studio');
    await agent.act(`/applications/${application}/onboard`, { email: 'studio@mail.example', property: id });
    expect((await agent.act(`/properties/${id}/delete`)).status).to.equal(409);
    await db()('applications').where({ id: application }).update({ property_internal_id: null });
    await agent.follow(await agent.act(`/properties/${id}/delete`));
    expect(await db()('properties').where({ property_id: id })).to.deep.equal([]);
    const actions = await db()('audit_entries').where({ actor: agent.id }).orderBy('sequence').pluck('action');
    for (const action of [
      'workspace.create',
      'workspace.rename',
      'property.create',
      'property.change',
      'property.delete',
    ])
      expect(actions).to.include(action);
  });

  it('all workspaces are listed by name, some on each page', async () => {
    const other = await MemberBrowser.signIn(test, 'agent', { landlordId: test.landlords.other });
    const names = Array.from({ length: 2 * PAGE_ROWS + 1 }, (_, index) => `Building ${100 + index}`);
    for (const name of names.toReversed())
      await inTransaction(db(), (trx) => addWorkspace(trx, test.landlords.other, name, new Date()));
    const pages: string[][] = [];
    for (let path: string | undefined = '/properties'; path !== undefined; ) {
      const { text } = await other.open(path);
      pages.push([...text.matchAll(/<h3>.*?<bdi>(.*?)<\/bdi>/g)].map(([, name = '']) => name));
      path = /<a href="[^"]*(\/properties\?beyond=[^"#]*)#workspaces" rel="next">More workspaces</.exec(text)?.[1];
    }
    expect(pages.map(({ length }) => length)).to.deep.equal([PAGE_ROWS, PAGE_ROWS, 1]);
    expect(pages.flat()).to.deep.equal(names);
    const [first] = await db()('workspaces')
      .where({ workspace_name: names[0] ?? '' })
      .pluck('workspace_id');
    const filtered = (await other.open(`/properties?workspace=${first}`)).text;
    expect(filtered, 'the next page keeps the chosen workspace').to.match(
      new RegExp(`properties\\?workspace=${first}&#38;beyond=[\\w-]+#workspaces`),
    );
    await db()('workspaces').where({ landlord_id: test.landlords.other }).delete();
  });

  it('another landlord’s workspace cannot be chosen', async () => {
    const other = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.other });
    await other.follow(await other.act('/workspaces', { name: 'Theirs' }));
    const [theirs] = await db()('workspaces').where({ workspace_name: 'Theirs' });
    const form = { workspace: theirs?.workspace_id ?? '', property_reference: 'X' };
    expect((await agent.act('/properties/new', form)).status).to.equal(400);
    expect(await db()('properties').where({ property_reference: 'X' })).to.deep.equal([]);
  });
});

describe('payments with an end', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const admin = new Admin(test);
  const agent = suiteFixture(() =>
    MemberBrowser.signIn(test, 'agent', { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] }),
  );
  let number = 0;
  const payer = async () => {
    const email = `payer-${++number}@mail.example`;
    const tenants = [
      { email: 'lead@mail.example', is_lead: true },
      { email, is_lead: false },
    ];
    const body = { title: `Flat ${number}`, tenants };
    const { application_id } = (await test.alice.ok('createApplication', { body })).data;
    const here = `/applications/${application_id}`;
    const page = await agent.follow(await agent.act(`${here}/payment`, { email, amount: '1450,50', protected: 'on' }));
    expect(page).to.include('1,450.50').and.include('protected').and.include('pending');
    const [payment] = await db()('payments').orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1);
    return { email, applicationId: application_id, here, id: payment?.id ?? '' };
  };
  const remove = async ({ applicationId, email }: { applicationId: string; email: string }) =>
    (await test.alice.ok('removeParticipant', { params: { applicationId, email } })).data.warnings;
  const end = (of: { here: string; id: string }, how: string) =>
    agent.act(`${of.here}/payment-end`, { payment: of.id, end: how });

  it('a removal warns of a pending payment', async () => {
    expect(await remove(await payer())).to.deep.equal({ service_protect_affected: true });
  });

  for (const how of ['settled', 'cancelled'])
    it(`a removal says nothing of a payment that was ${how}, and the audit log has it`, async () => {
      const of = await payer();
      expect(await agent.follow(await end(of, how)))
        .to.include('The payment was changed.')
        .and.include(how);
      expect(await remove(of)).to.equal(undefined);
      expect(await db()('payments').where({ id: of.id }).pluck('status')).to.deep.equal([how]);
      expect(await db()('audit_entries').where({ resource_id: of.id }).pluck('action')).to.include(`payment.${how}`);
    });

  it('a payment is refunded after it was settled, and never ends twice', async () => {
    const of = await payer();
    expect((await end(of, 'refunded')).status).to.equal(409);
    await agent.follow(await end(of, 'settled'));
    await agent.follow(await end(of, 'refunded'));
    for (const how of ['settled', 'cancelled', 'refunded']) expect((await end(of, how)).status, how).to.equal(409);
    const another = await payer();
    expect((await end({ ...another, here: of.here }, 'settled')).status, 'of another application').to.equal(409);
    expect((await end({ ...of, id: 'none' }, 'settled')).status).to.equal(409);
  });

  it('an operator ends one on the command line', async () => {
    const of = await payer();
    const ended = await admin.json('payment', 'settle', of.id, '--application', of.applicationId);
    expect(ended).to.include({ status: 'settled' });
    expect(await remove(of)).to.equal(undefined);
  });

  it('an amount that is no amount is refused', async () => {
    const { here, email } = await payer();
    for (const amount of ['', '0', '-1', '1.234', 'much', '12345678901'])
      expect((await agent.act(`${here}/payment`, { email, amount })).status, amount).to.equal(400);
  });
});
