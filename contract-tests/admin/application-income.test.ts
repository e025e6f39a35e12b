import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { Admin } from '../../harness/service/admin.ts';
import { BankPerson } from '../../harness/service/bank-person.ts';
import { useService } from '../../harness/service/service.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';

databases('either');

type Row = Record<string, unknown>;

describe('the income of an application', () => {
  const test = useService({ ...CONSOLE });
  const admin = new Admin(test);
  let application = '';
  before(async () => {
    const marta = await BankPerson.of(test, 'marta@mail.example');
    await marta.handOver('salary');
    const { db } = test.service.runtime;
    application = (await db('participants').where({ email: marta.email }).first())?.application_id ?? '';
  });

  it('is shown on the command line with its source, its certainty and the rent, and the read is audited', async () => {
    await admin.json('landlord', 'settings', test.landlords.ours, '--rent-rule', '3x');
    const found = await admin.json<Row>('application', 'income', application);
    expect(found).to.deep.include({ income: 2214.44, rent: null, rule: '3x', is_met: null, guarantors_income: null });
    expect(found['members']).to.have.length(1);
    const text = await admin.text('application', 'income', application);
    expect(text)
      .to.include('2,214.44 salary from Northern Ferries Ltd (bank, ')
      .and.include('confirmed by the bank')
      .and.include('pays 850.00 rent to Casa Norte Lettings')
      .and.include('A person decides');
    const reads = await test.service.runtime.db('audit_entries').where({ action: 'tenant.read' });
    expect(reads).to.have.length(2);
  });

  it('is shown in the console', async () => {
    const browser = await OperatorBrowser.signIn(test, 'viewer');
    const { text } = await browser.open(`/applications/${application}/income`);
    expect(text).to.include('2,214.44').and.include('a person decides').and.include('Northern Ferries Ltd');
  });

  it('refuses a rule that is no rule', async () => {
    const answer = await admin.refused(2, ['landlord', 'settings', test.landlords.ours, '--rent-rule', 'half']);
    expect(answer).to.include('35%');
  });
});
