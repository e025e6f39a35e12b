import { expect } from 'chai';
import { bankInTurns } from '../../bin/service/calls-in-turns.ts';
import { ProviderUnavailable } from '../../core/errors.ts';
import type { InTurns } from '../../core/in-turns.ts';
import type { BankAccount } from '../../core/rules/bank-statement.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { BankPerson } from '../../harness/service/bank-person.ts';
import { busyProvider, callAndLeave } from '../../harness/service/busy-provider.ts';
import { useService } from '../../harness/service/service.ts';
import { type BankProvider, ConsentEnded } from '../../providers/banking/port.ts';

databases('either');

const [STARTS, MAX_STARTS_A_DAY] = [25, 20];

describe('a person who returns from their bank', () => {
  let serial = 0;
  const test = useService();
  const person = () => {
    serial += 1;
    return BankPerson.of(test, `returns-${serial}@mail.example`);
  };
  let simulated: InTurns<BankProvider>;
  const provider = () => test.service.runtime.providers.bank ?? expect.fail('no bank');
  before(() => {
    simulated = provider();
  });
  afterEach(() => {
    test.service.runtime.providers.bank = simulated;
    test.setNow(undefined);
  });
  const change = (changes: Partial<BankProvider>) => {
    test.service.runtime.providers.bank = { ...provider(), ...changes };
  };
  /** The consents that are ended at the provider. */
  const watchEnds = () => {
    const ended: string[] = [];
    change({
      endConsent: async (grant) => {
        ended.push(grant);
        signal();
      },
    });
    return ended;
  };

  /** Agrees here. @returns the query with which the bank sends the person back */
  const leave = async (marta: BankPerson) => {
    const { headers } = await marta.agree();
    const state = new URL(String(headers['location'])).searchParams.get('state') ?? '';
    return { state, code: 'salary' };
  };
  const isSentHome = ({ status, headers }: Awaited<ReturnType<BankPerson['comeBack']>>, marta: BankPerson) => {
    expect(status).to.equal(303);
    expect(new URL(String(headers['location'])).pathname).to.equal(marta.page);
  };
  const startsAgain = async (marta: BankPerson) => {
    expect(await marta.look()).to.include('The connection failed.');
    test.service.runtime.providers.bank = simulated;
    await marta.consent({ code: 'salary' });
    await marta.reach('fetched');
  };

  it('while the provider is busy with the key: may open the address again, because nothing was sent', async () => {
    const marta = await person();
    const back = await leave(marta);
    const { port, end } = busyProvider<BankProvider>(simulated, bankInTurns, (await marta.latest()).api_key_id);
    test.service.runtime.providers.bank = port;
    const has = async (status: string) => (await marta.latest()).status === status;
    const address = `${test.service.url}/verify/bank/callback?${new URLSearchParams(back)}`;
    await callAndLeave(address, marta.cookie, () => has('returning'));
    await until('the connection waits for the return', () => has('pending'));
    await end();
    isSentHome(await marta.comeBack(back), marta);
    await marta.reach('fetched');
  });

  const failures = {
    'an outage': new ProviderUnavailable('The simulated bank is down.'),
    'a consent that has ended already': new ConsentEnded('The simulated consent has ended.'),
    'a fault that is not expected': new TypeError('The adapter has a fault.'),
  };
  for (const [what, failure] of Object.entries(failures))
    it(`with ${what} is back on their page, and starts again`, async () => {
      const marta = await person();
      const back = await leave(marta);
      change({ finishConsent: () => Promise.reject(failure) });
      isSentHome(await marta.comeBack(back), marta);
      await startsAgain(marta);
    });

  it('and whose return is never finished starts again after minutes; a grant that comes later is given back', async () => {
    const marta = await person();
    const back = await leave(marta);
    const held = Promise.withResolvers<Awaited<ReturnType<BankProvider['finishConsent']>>>();
    const ended = watchEnds();
    change({ finishConsent: () => held.promise });
    const answer = marta.comeBack(back);
    await eventually('they have returned', async () => (await marta.latest()).status === 'returning');
    test.setNow(new Date(Date.now() + 3 * MINUTE_MS));
    await marta.reach('failed');
    held.resolve({ state: 'granted', grant: 'late', accounts: [] });
    isSentHome(await answer, marta);
    expect(ended).to.deep.equal(['late']);
    test.setNow(undefined);
    await startsAgain(marta);
  });

  it('and whose grant cannot be stored gives it back, and opens the same address again to get home', async () => {
    const marta = await person();
    const back = await leave(marta);
    const ended = watchEnds();
    const account: BankAccount = {
      ...{ id: 'an account', iban: '', product: '', currency: 'EUR' },
      get holder(): string {
        throw new Error('It cannot be stored.');
      },
    };
    change({ finishConsent: async () => ({ state: 'granted', grant: 'unkept', accounts: [account] }) });
    expect((await marta.comeBack(back)).status).to.equal(500);
    expect(ended).to.deep.equal(['unkept']);
    isSentHome(await marta.comeBack(back), marta);
    test.setNow(new Date(Date.now() + 3 * MINUTE_MS));
    await marta.reach('failed');
    test.setNow(undefined);
    await startsAgain(marta);
  });
});

describe('a program that connects banks', () => {
  const test = useService();

  for (const isConcurrent of [true, false])
    it(`is stopped after ${MAX_STARTS_A_DAY} times a day, ${isConcurrent ? 'all at once' : 'also when each of them fails'}`, async () => {
      const { providers } = test.service.runtime;
      const bank = providers.bank ?? expect.fail('no bank');
      const marta = await BankPerson.of(test, `program-${isConcurrent}@mail.example`);
      const held = Promise.withResolvers<never>();
      let [asked, stopped] = [0, 0];
      const release = () => {
        if (!isConcurrent || asked + stopped === STARTS) held.reject(new ProviderUnavailable('The bank is down.'));
      };
      providers.bank = {
        ...bank,
        startConsent: () => {
          asked += 1;
          release();
          return held.promise;
        },
      };
      const start = async () => {
        const { status, text } = await marta.agree();
        expect(status).to.equal(400);
        if (!text.includes('You have started too often today.')) return;
        stopped += 1;
        release();
      };
      if (isConcurrent) await Promise.all(Array.from({ length: STARTS }, start));
      else for (let number = 0; number < STARTS; number++) await start();
      providers.bank = bank;
      expect([asked, stopped]).to.deep.equal([MAX_STARTS_A_DAY, STARTS - MAX_STARTS_A_DAY]);
      expect((await marta.rows()).filter(({ finished_at }) => finished_at === null)).to.deep.equal([]);
    });
});
