import { expect } from 'chai';
import { type AddressPolicy, readCallerAddress } from '../../core/addresses/caller-address.ts';
import { databases } from '../../harness/database/dialect.ts';
import { LOOPBACK, MALFORMED, NEVER_PUBLIC, ODD_LOOPBACK, PUBLIC } from '../../harness/peers/address-vectors.ts';

databases('none');

const sandbox: AddressPolicy = { allowLoopback: true, requireHttps: false };
const live: AddressPolicy = { allowLoopback: false, requireHttps: true };

describe('caller-supplied addresses', () => {
  const fault = (text: string, policy: AddressPolicy) => readCallerAddress(text, policy).fault;

  for (const host of [...LOOPBACK, ...ODD_LOOPBACK])
    it(`may be ${host} in the sandbox but not in live`, () => {
      expect(fault(`https://${host}/hook`, sandbox)).to.equal(undefined);
      expect(fault(`https://${host}/hook`, live)).to.match(/^must be publicly reachable; .* is not[.]$/);
    });
  for (const [what, hosts] of Object.entries(NEVER_PUBLIC))
    for (const host of hosts)
      it(`may not be ${host}: ${what}`, () => {
        for (const policy of [sandbox, live])
          expect(fault(`https://${host}:8443/hook`, policy)).to.match(/^must be publicly reachable; /);
      });
  for (const host of PUBLIC)
    it(`may be ${host} in both modes`, () => {
      for (const policy of [sandbox, live]) expect(fault(`https://${host}:8443/hook`, policy)).to.equal(undefined);
    });
  for (const text of MALFORMED)
    it(`may not be ${JSON.stringify(text)}`, () => {
      for (const policy of [sandbox, live]) expect(fault(text, policy)).to.match(/^must /);
    });

  for (const host of ['hook.test', 'a.b.invalid', 'abc.onion', 'x.alt', 'HOOK.TEST', 'hook.test.'])
    it(`may not be ${host} in live, where no such name is public`, () => {
      expect(fault(`https://${host}/hook`, live)).to.match(/^must be publicly reachable; /);
      expect(fault(`https://${host}/hook`, sandbox)).to.equal(undefined);
    });

  it('need https in live', () => {
    expect(fault('http://letting.example/hook', sandbox)).to.equal(undefined);
    expect(fault('http://letting.example/hook', live)).to.equal('must use https.');
    expect(fault('https://letting.example/hook', live)).to.equal(undefined);
  });

  it('are refused without naming a setting; operators learn separately which setting allows them, if any', () => {
    const byNetwork = ' (operators allow it with OUTBOUND_ALLOW)';
    for (const [host, remedy] of [
      ['10.0.0.5', byNetwork],
      ['intranet', byNetwork],
      ['169.254.169.254', ' (operators allow it by its very address in OUTBOUND_ALLOW)'],
      ['224.0.0.1', ''],
    ])
      expect(readCallerAddress(`https://${host}/`, live)).to.deep.equal({
        fault: `must be publicly reachable; ${host} is not.`,
        remedy,
      });
  });
});
