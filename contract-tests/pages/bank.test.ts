import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { inTransaction } from '../../db/connection/transactions.ts';
import { setWorkAside } from '../../db/work/set-aside.ts';
import { databases } from '../../harness/database/dialect.ts';
import { findInDatabase } from '../../harness/database/every-column.ts';
import { eventually } from '../../harness/process/signals.ts';
import { BankPerson } from '../../harness/service/bank-person.ts';
import { look } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { bankScenarios } from '../../providers/sandbox/bank-scenarios.ts';

databases('either');

describe('the bank page', () => {
  let serial = 0;
  const test = useService();
  const person = (name?: string) => {
    serial += 1;
    return BankPerson.of(test, `person-${serial}@mail.example`, name);
  };

  it('stores the text that the person agreed to, and refuses a text that they were not shown', async () => {
    const marta = await person();
    expect((await marta.agree('Banco de Ejemplo', { shown: 'another text' })).status).to.equal(400);
    expect(await marta.rows()).to.deep.equal([]);
    await marta.agree();
    const { agreed_to, agreed_at, created_at } = await marta.latest();
    expect(agreed_to).to.include('last 180 days').and.include('Nothing can be paid');
    expect(agreed_at).to.equal(created_at);
  });

  it('refuses a bank that is not in the list', async () => {
    const marta = await person();
    const answer = await marta.agree('Bank of Nowhere');
    expect(answer.status).to.equal(400);
    expect(answer.text).to.include('Choose your bank.');
  });

  it('shows what the bank sent before anything is handed in, and then makes a statement of it', async () => {
    const marta = await person();
    await marta.consent({ code: 'salary' });
    await marta.reach('fetched');
    expect(await marta.look())
      .to.include('Nothing is handed in yet')
      .and.include('ES91 2100 0418 4502 0005 1332')
      .and.include('€2,214.44');
    expect(await marta.documents()).to.deep.equal([]);
    await marta.act('hand-in');
    const [document, ...others] = await marta.documents();
    expect(others).to.deep.equal([]);
    expect(document).to.include({ type: 'bank_statement', source: 'bank' });
    const bytes = await buffer(test.service.runtime.providers.documents.get(document?.sha256 ?? ''));
    expect(bytes.subarray(0, 5).toString()).to.equal('%PDF-');
    expect(await marta.look())
      .to.include('is among your documents')
      .and.include('Withdraw and delete');
    const documents = await marta.look(`${marta.link}/documents`);
    expect(documents).to.include('1 document handed in').and.not.include('Connect your bank');
    expect(documents).to.include(`/bank#step">Your bank</a>`);
    expect(await marta.look(marta.link)).to.not.include('Connect your bank');
    expect((await marta.latest()).sealed_memory).to.equal(null);
  });

  it('hands in once, however often it is asked', async () => {
    const marta = await person();
    await marta.consent({ code: 'salary' });
    await marta.reach('fetched');
    await Promise.all([marta.act('hand-in'), marta.act('hand-in'), marta.act('hand-in')]);
    expect(await marta.documents()).to.have.length(1);
  });

  it('reads the chosen accounts only, and chooses none for the person', async () => {
    const marta = await person();
    await marta.consent({ code: 'two-accounts' });
    expect(await marta.look())
      .to.include('Which accounts?')
      .and.include('Savings account')
      .and.not.match(/name="account"[^>]* checked/);
    expect((await marta.act('accounts')).text).to.include('Choose at least one account.');
    await marta.act('accounts', { account: 'account-2' });
    await marta.reach('fetched');
    const statement = await marta.statement();
    expect(statement?.accounts.map(({ account }) => account.product)).to.deep.equal(['Savings account']);
  });

  for (const scenario of bankScenarios.filter((one) => !['two-accounts', 'expired', 'down'].includes(one)))
    it(`reads a bank with ${scenario}`, async () => {
      const marta = await person();
      await marta.consent({ code: scenario });
      await marta.reach('fetched');
      const [account, ...others] = (await marta.statement())?.accounts ?? [];
      expect(others).to.deep.equal([]);
      const bookings = account?.bookings ?? [];
      expect(bookings.length).to.be.greaterThan(10);
      expect(bookings.map(({ day }) => day)).to.deep.equal(bookings.map(({ day }) => day).toSorted());
    });

  it('keeps nothing when the person refuses at the bank', async () => {
    const marta = await person();
    await marta.consent({ error: 'access_denied' });
    expect(await marta.latest()).to.include({ status: 'refused', sealed_memory: null, sealed_statement: null });
    expect(await marta.look()).to.include('You did not agree at your bank.');
  });

  it('tells the person that their consent has expired, and lets them start again', async () => {
    const marta = await person();
    await marta.consent({ code: 'expired' });
    await marta.reach('failed');
    expect(await marta.look()).to.include('The connection failed.');
    await marta.consent({ code: 'salary' });
    await marta.reach('fetched');
  });

  it('waits for a bank that is down, says so, and lets the person stop', async () => {
    const marta = await person();
    await marta.consent({ code: 'down' });
    await eventually('the bank was asked', async () => (await marta.latest()).failures > 0);
    expect(await marta.look()).to.include('Your bank does not answer at the moment.');
    await marta.act('withdraw');
    await marta.reach('withdrawn');
  });

  it('lets only the browser that set out return, and only once', async () => {
    const marta = await person();
    const { headers } = await marta.agree();
    const state = new URL(String(headers['location'])).searchParams.get('state') ?? '';
    const answer = { state, code: 'salary' };
    expect((await marta.comeBack(answer, '')).status).to.equal(403);
    expect((await marta.comeBack(answer, `bank=${'a'.repeat(43)}`)).status).to.equal(403);
    expect((await marta.latest()).status).to.equal('pending');
    expect((await marta.comeBack(answer)).status).to.equal(303);
    expect((await marta.comeBack(answer)).status).to.equal(404);
  });

  it('keeps nothing after a withdrawal but that the person agreed', async () => {
    const marta = await person('Undine Quellwasser');
    await marta.handOver('salary');
    const [document] = await marta.documents();
    await marta.act('withdraw');
    expect(await marta.documents()).to.deep.equal([]);
    const row = await marta.latest();
    expect(row).to.include({ status: 'withdrawn', bank: '', sealed_memory: null, sealed_statement: null });
    expect(row.agreed_to).to.not.equal('');
    const { documents } = test.service.runtime.providers;
    const stored = await buffer(documents.get(document?.sha256 ?? '')).then(
      () => 'stored',
      () => 'gone',
    );
    expect(stored).to.equal('gone');
    expect(
      await findInDatabase(test.service.runtime.db, ['Northern Ferries', 'ES9121000418450200051332']),
    ).to.deep.equal([]);
  });

  it('ends an earlier connection when another is begun', async () => {
    const marta = await person();
    await marta.consent({ code: 'two-accounts' });
    await marta.consent({ code: 'salary' });
    await marta.reach('fetched');
    await eventually(
      'the first has ended',
      async () => (await marta.rows()).map(({ status }) => status)[1] === 'expired',
    );
  });

  it('ends an earlier consent whose work was set aside, too', async () => {
    const { db } = test.service.runtime;
    const marta = await person();
    await marta.consent({ code: 'two-accounts' });
    await marta.reach('choosing');
    const { id } = await marta.latest();
    await inTransaction(db, (trx) => setWorkAside(trx, 'bank_connections', [id], new Date()));
    await marta.agree();
    const ended = () => db('bank_connections').where({ id }).first();
    await eventually('the consent has ended', async () => (await ended())?.finished_at !== null);
    expect(await ended()).to.include({ status: 'expired', sealed_memory: null });
  });

  it('shows nothing of it to another person, who cannot act on it either', async () => {
    const [marta, jonas] = [await person(), await person('Jonas Weber')];
    await marta.consent({ code: 'salary' });
    await marta.reach('fetched');
    await jonas.agree();
    const { id } = await marta.latest();
    for (const action of ['accounts', 'hand-in', 'withdraw']) {
      const answer = await fetch(`${test.service.url}${jonas.page}/${id}/${action}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'account=account-1',
      });
      expect(answer.status).to.equal(404);
    }
    expect((await marta.latest()).status).to.equal('fetched');
    expect(await jonas.look()).to.not.include('ES91');
  });

  it('expires what the person does not finish, and forgets what was read', async () => {
    const marta = await person();
    await marta.consent({ code: 'salary' });
    await marta.reach('fetched');
    const { id } = await marta.latest();
    const past = new Date(Date.now() - 60_000).toISOString();
    await test.service.runtime.db('bank_connections').where({ id }).update({ expires_at: past, due_at: past });
    await marta.reach('expired');
    expect((await marta.latest()).sealed_statement).to.equal(null);
  });

  it('gives the statement that the landlord wants, for all its months', async () => {
    const { db } = test.service.runtime;
    const wanted = { landlord_id: test.landlords.ours, documents: 'bank_statement:3' };
    await db('landlord_settings').insert({ ...wanted, mails_lead: 0, mails_progress: 0, mails_reminders: 0 });
    const marta = await person();
    expect((await look(test, marta.link)).text).to.include('Still missing: your documents');
    await marta.handOver('salary');
    expect((await look(test, marta.link)).text).to.not.include('Still missing');
    await db('landlord_settings').where(wanted).delete();
  });

  it('is linked from the documents', async () => {
    const marta = await person();
    expect((await look(test, `${marta.link}/documents`)).text).to.include('Connect your bank instead');
  });
});
