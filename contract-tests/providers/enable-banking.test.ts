import { inspect } from 'node:util';
import { expect } from 'chai';
import { ProviderUnavailable } from '../../core/errors.ts';
import type { BankAccount, Booking } from '../../core/rules/bank-statement.ts';
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { BankApiStandIn, movement, type SimulatedRefusal } from '../../harness/service/bank-api.ts';
import { createEnableBanking } from '../../providers/banking/enable-banking.ts';
import { type BankProvider, ConsentEnded } from '../../providers/banking/port.ts';

databases('none');

const CALLBACK = 'https://screening.example/verify/bank/callback';
const BANK = { name: 'Alfa Bank', country: 'ES' };
const PERSON = { bank: BANK, holder: 'Marta Ruiz' };

describe('Enable Banking', () => {
  let bank: BankProvider;
  let account: string;
  const api = testFixture(() => BankApiStandIn.start());
  beforeEach(() => {
    bank = createEnableBanking(api.settings, { timeoutMs: 500, retryAfterMs: 1 });
    account = api.add(
      { account_id: { iban: 'ES91 2100 0418 4502 0005 1332' }, name: 'Marta Ruiz' },
      [
        movement('2026-09-28', 2214.44, 'Northern Ferries Ltd', 'Salary September'),
        movement('2026-10-01', -850, 'Casa Norte'),
        movement('2026-10-28', 2214.44, 'Northern Ferries Ltd', 'Salary October'),
        { ...movement('2026-11-01', -850, 'Casa Norte'), status: 'PDNG' },
        { ...movement('', 12.5, 'Refund'), value_date: '2026-11-02' },
      ],
      '1420.50',
    );
  });

  const start = () =>
    bank.startConsent({
      ...PERSON,
      state: 'state-of-this-person',
      callbackUrl: CALLBACK,
      validUntil: new Date('2026-12-01T00:00:00Z'),
      language: 'es',
    });
  const granted = async () => {
    const outcome = await bank.finishConsent(api.consent((await start()).address), PERSON);
    if (outcome.state !== 'granted') throw new Error(`It was ${outcome.state}.`);
    return outcome;
  };
  const first = (accounts: readonly BankAccount[]): BankAccount => {
    const [found] = accounts;
    if (!found) throw new Error('There is no account.');
    return found;
  };
  const allBookings = async (grant: string, of: BankAccount, from: string): Promise<Booking[]> => {
    const found: Booking[] = [];
    for (let page: string | undefined = ''; page !== undefined; ) {
      const read = await bank.bookings(grant, of, from, page || undefined);
      found.push(...read.bookings);
      page = read.next;
    }
    return found;
  };
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => expect.fail('It worked.'),
      (error: unknown) => error,
    );
  /** Refuses requests of a path, the given number of times. */
  const refuse = (path: string, refusal: SimulatedRefusal, times = Number.POSITIVE_INFINITY) => {
    let left = times;
    api.refusal = (_, asked) => (asked.includes(path) && left-- > 0 ? refusal : undefined);
  };

  it('lists the banks of a country by name, and asks once an hour', async () => {
    expect(await bank.banks('ES')).to.deep.equal([BANK, { name: 'Zeta Bank', country: 'ES' }]);
    await bank.banks('ES');
    expect(api.requests).to.have.length(1);
  });

  it('asks for the accounts of a person only, until the given time, and for nothing that pays', async () => {
    await start();
    expect(api.lastRequest).to.deep.equal({
      access: { valid_until: '2026-12-01T00:00:00.000Z', balances: true, transactions: true },
      aspsp: BANK,
      state: 'state-of-this-person',
      redirect_url: CALLBACK,
      psu_type: 'personal',
      language: 'es',
    });
  });

  it('reads the accounts, their balance, and every booked movement over all pages', async () => {
    const { grant, accounts } = await granted();
    const own = first(accounts);
    expect(own).to.deep.equal({
      id: account,
      iban: 'ES9121000418450200051332',
      holder: 'Marta Ruiz',
      product: '',
      currency: 'EUR',
    });
    expect(await bank.details(grant, own)).to.deep.equal(own);
    expect(await bank.balance(grant, own)).to.equal(142_050);
    expect(await allBookings(grant, own, '2026-06-01')).to.deep.equal([
      { day: '2026-09-28', cents: 221_444, counterparty: 'Northern Ferries Ltd', text: 'Salary September' },
      { day: '2026-10-01', cents: -85_000, counterparty: 'Casa Norte', text: '' },
      { day: '2026-10-28', cents: 221_444, counterparty: 'Northern Ferries Ltd', text: 'Salary October' },
      { day: '2026-11-02', cents: 1250, counterparty: 'Refund', text: '' },
    ]);
  });

  it('takes the period that the bank tells when it refuses a longer one', async () => {
    api.earliest = '2026-10-01';
    const { grant, accounts } = await granted();
    const days = (await allBookings(grant, first(accounts), '2026-06-01')).map(({ day }) => day);
    expect(days).to.deep.equal(['2026-10-01', '2026-10-28', '2026-11-02']);
  });

  it('ends the consent at the provider, as often as it is asked, after which nothing can be read', async () => {
    const { grant, accounts } = await granted();
    await bank.endConsent(grant);
    await bank.endConsent(grant);
    expect([...api.sessions.values()].map(({ isOpen }) => isOpen)).to.deep.equal([false]);
    expect(await failureOf(bank.balance(grant, first(accounts)))).to.be.instanceOf(ConsentEnded);
  });

  it('tells a refusal of the person from a failure, and a used code from a new one', async () => {
    const refused = await bank.finishConsent(new URLSearchParams({ error: 'access_denied' }), PERSON);
    expect(refused.state).to.equal('refused');
    const broken = await bank.finishConsent(new URLSearchParams({ error: 'server_error' }), PERSON);
    expect(broken).to.deep.equal({ state: 'failed', reason: 'The bank returned no code (server_error).' });
    const code = api.consent((await start()).address);
    await bank.finishConsent(code, PERSON);
    expect((await bank.finishConsent(code, PERSON)).state).to.equal('failed');
    expect((await bank.finishConsent(new URLSearchParams({ code: 'invented' }), PERSON)).state).to.equal('failed');
    for (const error of ['EXPIRED_SESSION', 'ASPSP_PSU_ACTION_REQUIRED']) {
      refuse('/sessions', { status: 422, error });
      const ended = await bank.finishConsent(api.consent((await start()).address), PERSON);
      expect(ended).to.deep.equal({ state: 'failed', reason: `The consent has ended (${error}).` });
    }
  });

  const passing: [string, SimulatedRefusal][] = [
    ['a bank that does not answer in time', { status: 408, error: 'ASPSP_TIMEOUT' }],
    ['a bank with a fault', { status: 400, error: 'ASPSP_ERROR' }],
    ['too many requests to the bank', { status: 429, error: 'ASPSP_RATE_LIMIT_EXCEEDED' }],
    ['a failure of the provider', { status: 503 }],
    ['a lost connection', { status: 0 }],
    ['an answer that is no JSON', { status: 200, isGarbage: true }],
  ];
  for (const [what, refusal] of passing)
    it(`survives ${what} once, and else lets its caller retry`, async () => {
      const { grant, accounts } = await granted();
      refuse('/balances', refusal, 1);
      expect(await bank.balance(grant, first(accounts))).to.equal(142_050);
      refuse('/balances', refusal);
      expect(await failureOf(bank.balance(grant, first(accounts)))).to.be.instanceOf(ProviderUnavailable);
    });

  for (const error of ['EXPIRED_SESSION', 'REVOKED_SESSION', 'ASPSP_PSU_ACTION_REQUIRED'])
    it(`knows by ${error} that nothing more can be read`, async () => {
      const { grant, accounts } = await granted();
      refuse('/transactions', { status: 401, error });
      expect(await failureOf(bank.bookings(grant, first(accounts), '2026-06-01'))).to.be.instanceOf(ConsentEnded);
    });

  it('does not repeat what must not be done twice', async () => {
    const code = api.consent((await start()).address);
    refuse('/sessions', { status: 503 });
    expect(await failureOf(bank.finishConsent(code, PERSON))).to.be.instanceOf(ProviderUnavailable);
    expect(api.requests.filter(({ path }) => path === '/sessions')).to.have.length(1);
  });

  it('checks the key and the application, and tells a foreign key from an outage', async () => {
    await bank.check?.();
    const foreign = await BankApiStandIn.start();
    const other = createEnableBanking({ ...foreign.settings, apiBase: new URL(api.url) }, { retryAfterMs: 1 });
    await foreign.stop();
    expect(String(await failureOf(other.banks('ES')))).to.include('401 UNAUTHORIZED_ACCESS');
  });

  it('puts neither tokens nor answers into its errors', async () => {
    const { grant, accounts } = await granted();
    refuse('/balances', { status: 400, error: 'ASPSP_ERROR' });
    const shown = inspect(await failureOf(bank.balance(grant, first(accounts))), { depth: null, showHidden: true });
    for (const secret of ['Bearer', 'eyJ', 'secret-detail', grant, account, '1420'])
      expect(shown).to.not.include(secret);
  });
});
