import { setImmediate as round } from 'node:timers/promises';
import { expect } from 'chai';
import { callsInTurns } from '../../bin/service/calls-in-turns.ts';
import { correlated, refuseWaits } from '../../core/correlation.ts';
import { Overloaded } from '../../core/errors.ts';
import { type Party, partyOfKey } from '../../core/party.ts';
import { databases } from '../../harness/database/dialect.ts';
import { createSandboxBank } from '../../providers/sandbox/bank.ts';
import { createSandboxEid } from '../../providers/sandbox/eid.ts';
import { createSandboxKyc } from '../../providers/sandbox/kyc.ts';

databases('none');

const CALLS = 300;
const [loud, quiet] = [partyOfKey('loud'), partyOfKey('quiet')];
/** Answered without a call, or by one that is shared. */
const FREE = ['pollMs', 'banks'];

const pageUrl = () => 'https://letting.example';
const kyc = createSandboxKyc(0);
const eid = createSandboxEid({ pageUrl, delayMs: 0 });
const bank = createSandboxBank({ pageUrl, now: () => new Date() });
const ports = [
  { what: 'KYC', provider: kyc, wrap: (hanging: object) => callsInTurns({ ...kyc, ...hanging }, ['pollMs']) },
  { what: 'eID', provider: eid, wrap: (hanging: object) => callsInTurns({ ...eid, ...hanging }, ['pollMs']) },
  { what: 'banks', provider: bank, wrap: (hanging: object) => callsInTurns({ ...bank, ...hanging }, ['banks']) },
];

describe('the calls of a provider that hangs', () => {
  for (const { what, provider, wrap } of ports)
    for (const name of Object.keys(provider).filter(
      (key) => typeof Reflect.get(provider, key) === 'function' && !FREE.includes(key),
    ))
      it(`of ${what}, ${name}: leave another API key its turns, and are refused once their callers have left`, async () => {
        let underWay = 0;
        const wrapped = wrap({ [name]: () => new Promise(() => underWay++) });
        const call = (party: Party) => {
          const request = { id: name, party };
          const answer: Promise<unknown> = correlated(request, () =>
            Reflect.apply(Reflect.get(wrapped, name), wrapped, []),
          );
          return { request, answer };
        };
        const calls = Array.from({ length: CALLS }, () => call(loud));
        await round();
        expect(underWay).to.equal(25);
        call(quiet);
        await round();
        expect(underWay).to.equal(26);
        for (const { request } of calls) refuseWaits(request);
        const waited = await Promise.allSettled(calls.slice(25).map(({ answer }) => answer));
        for (const each of waited) expect(each).to.have.property('reason').instanceOf(Overloaded);
      });
});
