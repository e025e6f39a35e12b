import { expect } from 'chai';
import { NO_SETTINGS } from '../../core/rules/landlord-settings.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Admin, misunderstood } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';
import { ofLandlords } from '../../jobs/conditions/of-landlords.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';

databases('either');

type Row = Record<string, unknown>;

describe('the settings of a landlord', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const admin = new Admin(test);
  const id = () => test.landlords.ours;
  const audited = () =>
    test.service.runtime
      .db('audit_entries')
      .where({ resource_id: id(), action: 'landlord.settings' })
      .pluck('actor_kind');

  it('are set, shown and unset by the command line, one by one, and audited', async () => {
    const bare = { landlord_id: id(), name: 'Casa Clara', ...NO_SETTINGS };
    expect(await admin.json<Row>('landlord', 'settings', id())).to.deep.equal(bare);
    const contact = ['--contact-name', 'Clara Gil', '--contact-mail', 'rent@casa-clara.example'];
    const links = ['--contact-phone', '+34 910 000 000', '--privacy-notice', 'https://casa-clara.example/privacy'];
    const given = await admin.json<Row>('landlord', 'settings', id(), ...contact, ...links, '--documents', 'ES');
    expect(given).to.deep.equal({
      ...bare,
      contact_name: 'Clara Gil',
      contact_mail: 'rent@casa-clara.example',
      contact_phone: '+34 910 000 000',
      privacy_url: 'https://casa-clara.example/privacy',
      documents: 'identity, payslip:3:3, employment_letter, bank_statement:1:3',
    });
    expect(await admin.text('landlord', 'settings', id(), ...contact)).to.match(/nothing changed/);
    expect(await admin.json<Row>('landlord', 'settings', id(), '--documents', 'Any')).to.include({ documents: 'any' });
    const fewer = ['--no-contact-phone', '--documents', 'payslip:2', '--mail-lead', 'on'];
    expect(await admin.json<Row>('landlord', 'settings', id(), ...fewer)).to.deep.equal({
      ...given,
      contact_phone: null,
      documents: 'payslip:2',
      mails_lead: true,
    });
    const sooner = ['--retain-documents', '60', '--retain-analyses', '30'];
    expect(await admin.json<Row>('landlord', 'settings', id(), ...sooner)).to.include({
      retain_documents_days: 60,
      retain_analyses_days: 30,
    });
    await admin.json<Row>('landlord', 'settings', id(), '--no-retain-documents', '--no-retain-analyses');
    const bounded = new Admin(test, { RETAIN_DOCUMENTS_DAYS: '50' });
    expect(await bounded.refused(2, ['landlord', 'settings', id(), ...sooner])).to.include(
      'RETAIN_DOCUMENTS_DAYS is 50',
    );
    for (const [option, wrong] of [
      ['--contact-mail', 'Clara'],
      ['--contact-phone', 'call me'],
      ['--privacy-notice', 'http://casa-clara.example'],
      ['--documents', 'payslip:0'],
      ['--documents', 'payslip, payslip'],
      ['--documents', 'other'],
      ['--mail-lead', 'yes'],
      ['--retain-documents', '0'],
    ] as const)
      await misunderstood('landlord', 'settings', id(), option, wrong);
    expect(await audited()).to.deep.equal(Array(5).fill('operator'));
  });

  it('are set by operators in the console, which refuses what the command line refuses', async () => {
    const operator = await OperatorBrowser.signIn(test, 'operator');
    const at = `/landlords/${id()}/settings`;
    const given = { contact_mail: 'hello@casa-clara.example', guarantor_documents: 'identity', mails_reminders: 'on' };
    expect((await operator.act(at, given)).status).to.equal(303);
    expect((await operator.open(`/landlords/${id()}`)).text).to.include('hello@casa-clara.example');
    const wrong = await operator.act(at, { ...given, imprint_url: 'javascript:alert(1)' });
    expect([wrong.status, wrong.text.includes('Imprint: must be an https address.')]).to.deep.equal([400, true]);
    expect(await admin.json<Row>('landlord', 'settings', id())).to.include({
      contact_name: null,
      contact_mail: 'hello@casa-clara.example',
      documents: null,
      guarantor_documents: 'identity',
      imprint_url: null,
      mails_lead: false,
      mails_reminders: true,
    });
  });

  it('without a contact are a warning in live use, until there is one', async () => {
    const { db, now } = test.service.runtime;
    const seen = () => ofLandlords(db, { mode: 'live' }, now()).contacts();
    await admin.json('landlord', 'settings', id(), '--contact-phone', '+34 910 000 000');
    for (const other of await db('landlords').whereNot({ id: id() }).pluck('id'))
      await admin.json('landlord', 'settings', String(other), '--contact-mail', 'hello@casa.example');
    expect(await seen()).to.include({ state: 'ok' });
    await admin.json('landlord', 'settings', id(), '--no-contact-phone', '--no-contact-mail');
    expect(await seen()).to.include({ state: 'warning' });
    expect((await seen()).found).to.include(id());
    expect(await ofLandlords(db, { mode: 'sandbox' }, now()).contacts()).to.include({ state: 'ok' });
  });
});
