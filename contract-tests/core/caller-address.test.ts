import { expect } from 'chai';
import { type AddressPolicy, checkCallerAddress } from '../../core/caller-address.ts';

const sandbox: AddressPolicy = { allowLoopback: true, requireHttps: false };
const live: AddressPolicy = { allowLoopback: false, requireHttps: true };

describe('addresses that callers give us', () => {
  const accepts = (text: string, policy: AddressPolicy): boolean => {
    try {
      checkCallerAddress('url', text, policy);
      return true;
    } catch {
      return false;
    }
  };
  const loopback = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '[::ffff:127.0.0.1]',
  ];
  const forbidden = [
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '[fe80::1]',
    '[fc00::1]',
    '[::]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::a00:1]',
    '[2002:a00:1::]',
    '[::10.0.0.5]',
    '[4000::1]',
    'intranet',
    'printer.local',
    'metadata.google.internal',
    'nas.home.arpa',
  ];

  for (const host of loopback)
    it(`allow ${host} in the sandbox and refuse it in live`, () => {
      expect(accepts(`https://${host}/hook`, sandbox)).to.equal(true);
      expect(accepts(`https://${host}/hook`, live)).to.equal(false);
    });
  for (const host of forbidden)
    it(`refuse ${host} everywhere`, () => {
      expect(accepts(`https://${host}/hook`, sandbox)).to.equal(false);
      expect(accepts(`https://${host}/hook`, live)).to.equal(false);
    });
  for (const text of [
    '',
    '/relative',
    'file:///etc/passwd',
    'ftp://a.example',
    'javascript:alert(1)',
    'https:///hook',
    'https:x.example',
    'https://me:pass@a.example',
    'https://',
    'http://a.example:99999',
  ])
    it(`refuse ${text || 'nothing'} everywhere`, () => {
      expect(accepts(text, sandbox)).to.equal(false);
      expect(accepts(text, live)).to.equal(false);
    });
  it('need https in live', () => {
    expect(accepts('http://letting.example/hook', live)).to.equal(false);
    expect(accepts('https://letting.example/hook', live)).to.equal(true);
  });
});
