import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { eventually } from '../../harness/process/signals.ts';
import { BankApiStandIn, movement, type SimulatedRefusal } from '../../harness/service/bank-api.ts';
import { BankPerson } from '../../harness/service/bank-person.ts';
import { startLoggedService } from './logged-service.ts';

databases('either', 'nightly');

/** The requests of a connection in their order, and whether the person is still on the page when one fails. */
const steps = {
  'the list of banks': { of: ['GET', /^\/aspsps/], isOnPage: true },
  'the start of the consent': { of: ['POST', /^\/auth$/], isOnPage: true },
  'the end of the redirect': { of: ['POST', /^\/sessions$/], isOnPage: false },
  'the details of an account': { of: ['GET', /\/details$/], isOnPage: false },
  'the balance': { of: ['GET', /\/balances$/], isOnPage: false },
  'the bookings': { of: ['GET', /\/transactions$/], isOnPage: false },
  'the end of the consent': { of: ['DELETE', /^\/sessions\//], isOnPage: false },
} as const;

const faults: Record<string, SimulatedRefusal> = {
  'an outage': { status: 503 },
  'a rate limit': { status: 429, error: 'ASPSP_RATE_LIMIT_EXCEEDED' },
  'a dropped connection': { status: 0 },
  'an answer that is no JSON': { status: 200, isGarbage: true },
};

describe('a bank connection with a failure at each step', () => {
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
    bank.add({ name: 'Marta Ruiz' }, [movement('2026-10-28', 2214.44, 'Northern Ferries', 'Salary')], '1420.50');
  });
  afterEach(() => {
    bank.refusal = () => undefined;
  });

  for (const [step, { of, isOnPage }] of Object.entries(steps))
    for (const [fault, refusal] of Object.entries(faults)) {
      // The list is kept for an hour once it was read. An end that the provider answers with success is an end.
      if (step === 'the list of banks' && fault !== 'an outage') continue;
      if (step === 'the end of the consent' && refusal.isGarbage) continue;
      it(`keeps nothing half done after ${fault} at ${step}, and continues once the provider answers`, async () => {
        serial += 1;
        const [method, path] = of;
        const person = await BankPerson.of(
          { service: logged.service, alice: logged.client },
          `p${serial}@mail.example`,
        );
        let isAway = true;
        const isStep = (asked: string, place: string) => asked === method && path.test(place);
        bank.refusal = (asked, place) => (isAway && isStep(asked, place) ? refusal : undefined);
        const connect = async () => {
          const { headers, status } = await person.agree('Alfa Bank', { country: 'ES' });
          if (status !== 303) return status;
          const { state = '', code = '' } = Object.fromEntries(bank.consent(String(headers['location'])));
          return (await person.comeBack({ state, code })).status;
        };
        const first = await connect();
        if (isOnPage) {
          expect(first).to.equal(400);
          expect(
            (await person.rows()).filter(({ status }) => status !== 'failed' && status !== 'expired'),
          ).to.deep.equal([]);
          isAway = false;
          expect(await connect()).to.equal(303);
        } else {
          await eventually('it failed', async () => {
            const { status, failures } = await person.latest();
            return failures > 0 || status === 'failed';
          });
          expect(await person.latest()).to.include({ sealed_statement: null });
          isAway = false;
          if ((await person.latest()).status === 'failed') expect(await connect()).to.equal(303);
        }
        await person.reach('fetched');
        expect((await person.statement())?.accounts[0]?.bookings).to.have.length(1);
        expect(await person.documents()).to.deep.equal([]);
      });
    }
});
