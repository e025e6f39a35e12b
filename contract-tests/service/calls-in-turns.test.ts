import { setImmediate as round } from 'node:timers/promises';
import { expect } from 'chai';
import {
  bankInTurns,
  eidInTurns,
  kycInTurns,
  mailboxInTurns,
  mailInTurns,
  outboundInTurns,
  scannerInTurns,
} from '../../bin/service/calls-in-turns.ts';
import { correlated, refuseWaits } from '../../core/correlation.ts';
import { Overloaded } from '../../core/errors.ts';
import { inTurns } from '../../core/in-turns.ts';
import { type Party, partyOfKey, partyOfMember, partyOfOperator, SERVICE } from '../../core/party.ts';
import { databases } from '../../harness/database/dialect.ts';
import type { VirusScanner } from '../../providers/documents/port.ts';
import type { Providers } from '../../providers/providers.ts';
import { createSandboxBank } from '../../providers/sandbox/bank.ts';
import { createSandboxEid } from '../../providers/sandbox/eid.ts';
import { createSandboxKyc } from '../../providers/sandbox/kyc.ts';

databases('none');

const CALLS = 300;
const [loud, quiet] = [partyOfKey('loud'), partyOfKey('quiet')];
/** To the same mail server. */
const CONNECTIONS = 3;

let underWay = 0;
const hang = () => new Promise<never>(() => underWay++);
/** Every function hangs. */
const hanging = <Port extends object>(port: Port): Port =>
  Object.assign(port, Object.fromEntries(functionsOf(port).map((name) => [name, hang])));

function functionsOf(port: object): string[] {
  return Object.entries(port).flatMap(([name, member]) => (typeof member === 'function' ? [name] : []));
}

const pageUrl = () => 'https://letting.example';
const scanner: VirusScanner = { check: hang, signaturesFrom: hang };
const mail = { send: hang, check: hang, close: hang };

/** How many of its calls one party may have under way. */
const PORTS: { what: string; open(): object; limits: Record<string, number> }[] = [
  {
    what: 'KYC',
    open: () => kycInTurns(hanging({ ...createSandboxKyc(0), check: hang })),
    limits: { start: 25, address: 25, outcome: 25, check: 25 },
  },
  {
    what: 'eID',
    open: () => eidInTurns(hanging({ ...createSandboxEid({ pageUrl, delayMs: 0 }), check: hang })),
    limits: { startAuthorization: 25, handleCallback: 25, outcome: 25, documents: 25, check: 25 },
  },
  {
    what: 'banks',
    open: () => bankInTurns(hanging({ ...createSandboxBank({ pageUrl, now: () => new Date() }), check: hang })),
    limits: {
      ...{ startConsent: 25, finishConsent: 25, endConsent: 25 },
      ...{ details: 25, balance: 25, bookings: 25, check: 25 },
    },
  },
  { what: 'the virus scanner', open: () => scannerInTurns(scanner), limits: { check: 2, signaturesFrom: 25 } },
  { what: 'the mail server', open: () => mailInTurns(mail, CONNECTIONS), limits: { send: 2, check: 25 } },
  { what: 'the local mailbox', open: () => mailboxInTurns({ read: hang, list: hang }), limits: { read: 1 } },
  {
    what: 'endpoints of webhooks',
    open: () => outboundInTurns({ post: hang, deliver: hang, isKnownPrivate: hang, close: hang }),
    limits: { post: 1, isKnownPrivate: 16 },
  },
];

/** Answered without a call, by one that is shared, or in turns of their own. */
const WITHOUT = ['receive', 'pollMs', 'close', 'deliver', 'banks', 'list'];

describe('the calls of a provider that hangs', () => {
  for (const { what, open, limits } of PORTS) {
    it(`of ${what}, are all here`, () => {
      expect(functionsOf(open()).filter((name) => !WITHOUT.includes(name))).to.have.members(Object.keys(limits));
    });

    for (const [name, most] of Object.entries(limits))
      it(`of ${what}, ${name}: leave another party its turns, and are refused once their callers have left`, async () => {
        underWay = 0;
        const provider = open();
        const call = (party: Party) => {
          const request = { id: name, party };
          const answer: Promise<unknown> = correlated(request, () => Reflect.get(provider, name)('https://a.example/'));
          answer.catch(() => {});
          return { request, answer };
        };
        const calls = Array.from({ length: CALLS }, () => call(loud));
        await round();
        expect(underWay).to.equal(most);
        call(quiet);
        await round();
        expect(underWay).to.equal(most + 1);
        call(SERVICE);
        await round();
        expect(underWay, 'a duty of the service').to.equal(most + 2);
        for (const { request } of calls) refuseWaits(request);
        const waited = await Promise.allSettled(calls.slice(most).map(({ answer }) => answer));
        for (const each of waited) expect(each).to.have.property('reason').instanceOf(Overloaded);
      });
  }
});

describe('a post for a caller who waits', () => {
  it('goes to one host at a time, and to a few of one party, whichever member asks', async () => {
    const hosts: string[] = [];
    const posting = (url: string) => {
      hosts.push(new URL(url).host);
      return hang();
    };
    const outbound = outboundInTurns({ post: posting, deliver: hang, isKnownPrivate: hang, close: hang });
    const post = (party: Party, url: string) =>
      void correlated({ id: 'a post', party }, () => outbound.post(url, {}, '')).catch(() => {});
    for (const host of ['a', 'b', 'c', 'd', 'e', 'f'])
      for (const member of ['one', 'two', 'three'])
        for (const path of ['', 'another']) post(partyOfMember('landlord', member), `https://${host}.example/${path}`);
    await round();
    expect(hosts).to.deep.equal(['a.example', 'b.example', 'c.example', 'd.example']);
    post(partyOfOperator('ops'), 'https://a.example/');
    await round();
    expect(hosts.at(-1)).to.equal('a.example');
    expect(hosts).to.have.length(5);
  });
});

describe('a provider', () => {
  const send = async () => {};

  it('is in turns, or the service does not compile with it', () => {
    // @ts-expect-error Past its turns.
    const past: Providers['mail'] = { send, check: send, close: send };
    // @ts-expect-error A function without a decision.
    const forgotten = inTurns({ send, another: send }, { send: 'local' });
    // @ts-expect-error What is not waited for cannot wait for a turn.
    const early = inTurns({ poll: () => 1 }, { poll: <Result>(work: () => Promise<Result>) => work() });
    expect([past, forgotten, early]).to.have.length(3);
  });

  it('keeps what is no function, and functions that it lacks', () => {
    const kyc = kycInTurns(createSandboxKyc(0));
    expect(kyc).to.include({ name: createSandboxKyc(0).name, isMetered: false });
    expect([kyc.check, kyc.receive]).to.deep.equal([undefined, undefined]);
  });
});
