import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { findInDatabase } from '../../harness/database/every-column.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { BankApiStandIn, movement } from '../../harness/service/bank-api.ts';
import { BankPerson } from '../../harness/service/bank-person.ts';
import { startLoggedService } from './logged-service.ts';

databases('either');

const PAYER = 'Confidencia Logistics Ltd';
/** As many as one person has turns at a provider: together, three people have more than their key. */
const LOOKS_OF_EACH = 13;
const IBAN = 'ES9121000418450200051332';

describe('a bank by Enable Banking', () => {
  const bank = suiteFixture(() => BankApiStandIn.start());
  const folder = suiteFixture(temporaryFolder);
  const logged = suiteFixture(async () => {
    const keyFile = join(folder.path, 'bank.key');
    await writeFile(keyFile, bank.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    return startLoggedService(bank.env(keyFile));
  });
  let serial = 0;
  before(async () => {
    await logged.client.authenticate();
    bank.add(
      { account_id: { iban: IBAN }, name: 'Marta Ruiz' },
      [
        movement('2026-10-28', 2214.44, PAYER, 'Salary'),
        movement('2026-11-01', -850, 'Casa Norte'),
        movement('2026-11-28', 2214.44, PAYER, 'Salary'),
      ],
      '1420.50',
    );
  });
  beforeEach(() => {
    bank.refusal = () => undefined;
    bank.held = () => undefined;
  });
  const person = () => {
    serial += 1;
    const host = { service: logged.service, alice: logged.client };
    return BankPerson.of(host, `confidential-${serial}@mail.example`);
  };
  const consented = async () => {
    const marta = await person();
    const { headers } = await marta.agree('Alfa Bank');
    const { state, code } = Object.fromEntries(bank.consent(String(headers['location'])));
    await marta.comeBack({ state: state ?? '', code: code ?? '' });
    return marta;
  };
  const openSessions = () => [...bank.sessions.values()].filter(({ isOpen }) => isOpen).length;

  it('is read once, and no session stays open', async () => {
    const marta = await consented();
    await marta.reach('fetched');
    expect(openSessions()).to.equal(0);
    expect((await marta.statement())?.accounts[0]?.bookings).to.have.length(3);
    await marta.act('hand-in');
    await marta.reach('handed');
  });

  it('whose list does not arrive keeps no one of the key from their return, and is requested once', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, person));
    const [marta] = people;
    if (!marta) return expect.fail('no person');
    const { headers } = await marta.agree('Alfa Bank');
    const { providers } = logged.service.runtime;
    const provider = providers.bank ?? expect.fail('no bank');
    let asked = 0;
    providers.bank = {
      ...provider,
      banks: (country) => {
        asked += 1;
        signal();
        return provider.banks(country);
      },
    };
    const held = Promise.withResolvers<void>();
    bank.held = (path) => (path.includes('country=FI') ? held.promise : undefined);
    const looks = people.flatMap(({ page }) =>
      Array.from({ length: LOOKS_OF_EACH }, () => fetch(`${logged.service.url}${page}?country=FI`)),
    );
    await eventually('all of them wait for the list', () => asked === looks.length);
    const { state = '', code = '' } = Object.fromEntries(bank.consent(String(headers['location'])));
    expect((await marta.comeBack({ state, code })).status).to.equal(303);
    await marta.reach('fetched');
    held.resolve();
    expect((await Promise.all(looks)).map(({ status }) => status)).to.deep.equal(looks.map(() => 200));
    expect(bank.requests.filter(({ path }) => path.includes('country=FI'))).to.have.length(1);
    providers.bank = provider;
  });

  it('is not stored while the session cannot be ended', async () => {
    bank.refusal = (method) => (method === 'DELETE' ? { status: 503 } : undefined);
    const marta = await consented();
    await eventually('ending failed', async () => (await marta.latest()).failures > 0);
    expect(await marta.latest()).to.include({ status: 'fetching', sealed_statement: null });
    bank.refusal = () => undefined;
    await marta.reach('fetched');
    expect(openSessions()).to.equal(0);
  });

  it('is read when the bank answers again, after a rate limit', async () => {
    bank.refusal = (_, path) =>
      path.includes('/transactions') ? { status: 429, error: 'ASPSP_RATE_LIMIT_EXCEEDED' } : undefined;
    const marta = await consented();
    await eventually('the bank refused', async () => (await marta.latest()).failures > 0);
    expect((await marta.latest()).failure).to.include('429');
    bank.refusal = () => undefined;
    await marta.reach('fetched');
  });

  it('fails for a session that was revoked at the bank, and keeps nothing', async () => {
    bank.refusal = (_, path) => (path.includes('/balances') ? { status: 401, error: 'REVOKED_SESSION' } : undefined);
    const marta = await consented();
    await marta.reach('failed');
    expect(await marta.latest()).to.include({ sealed_memory: null, sealed_statement: null });
  });

  it('appears in the log and in the clear nowhere: neither tokens nor codes nor what was read', async () => {
    const grants = [...bank.sessions.keys()];
    const secrets = ['Bearer', 'eyJ', PAYER, IBAN, '2214', 'Casa Norte', ...grants, ...bank.accounts.keys()];
    for (const secret of secrets) expect(logged.text(), secret).to.not.include(secret);
    expect(await findInDatabase(logged.service.runtime.db, [PAYER, IBAN, ...grants])).to.deep.equal([]);
  });

  it('does not start with a public key', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const file = join(folder.path, 'public.key');
    await writeFile(file, publicKey.export({ type: 'spki', format: 'pem' }));
    const error = await startLoggedService(bank.env(file)).then(
      () => 'it started',
      (cause: unknown) => String(cause),
    );
    expect(error).to.include('ENABLE_BANKING_KEY_FILE').and.not.include('BEGIN');
  });
});
