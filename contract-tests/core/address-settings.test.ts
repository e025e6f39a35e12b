import { expect } from 'chai';
import { isAllowedIp } from '../../core/addresses/address-ranges.ts';
import { readCallerAddress } from '../../core/addresses/caller-address.ts';
import { readAddresses } from '../../core/settings/address-settings.ts';
import { readConfig } from '../../core/settings/config.ts';
import { ConfigError } from '../../core/settings/config-error.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
];

describe('OUTBOUND_ALLOW', () => {
  const read = (text: string, mode: 'sandbox' | 'live' = 'live') => {
    const faults: string[] = [];
    const policy = readAddresses({ OUTBOUND_ALLOW: text }, mode, faults);
    expect(faults).to.deep.equal([]);
    return policy;
  };
  const opens = (text: string, ip: string) => isAllowedIp(ip, read(text));

  it('allows the named networks and nothing else', () => {
    const text = '10.1.0.0/16, 192.168.7.9\n100.64.0.0/10 127.0.0.0/8,fd12::/16';
    for (const ip of [
      '10.1.0.1',
      '10.1.255.255',
      '192.168.7.9',
      '100.64.0.1',
      '127.0.0.1',
      'fd12::5',
      '::ffff:10.1.0.1',
    ])
      expect(opens(text, ip), ip).to.equal(true);
    for (const ip of ['10.2.0.1', '10.0.255.255', '192.168.7.8', '172.16.0.1', '::1', 'fd13::5', '::ffff:10.2.0.1'])
      expect(opens(text, ip), ip).to.equal(false);
    expect(opens(text, '8.8.8.8')).to.equal(true);
  });

  it('allows nothing when empty or unset', () => {
    for (const text of ['', ' ', ',']) expect(opens(text, '10.0.0.5'), text).to.equal(false);
    expect(readConfig({}).addresses).to.deep.equal({ allowLoopback: true, requireHttps: false, allow: [] });
    for (const HOST of ['127.0.0.9', '::1', 'localhost', '::ffff:127.0.0.1'])
      expect(readConfig({ HOST }).addresses.allowLoopback, HOST).to.equal(true);
    for (const HOST of ['0.0.0.0', '::', '10.0.0.5', 'screening.example'])
      expect(readConfig({ HOST }).addresses.allowLoopback, HOST).to.equal(false);
    const { addresses } = readConfig({ HOST: '0.0.0.0', OUTBOUND_ALLOW: '127.0.0.0/8' });
    expect(isAllowedIp('127.0.0.1', addresses)).to.equal(true);
  });

  it('allows a metadata or link-local address only by that exact address', () => {
    for (const ip of METADATA) {
      expect(opens('0.0.0.0/0 ::/0 169.254.0.0/16 169.254.169.252/30 100.64.0.0/10 fd00::/8', ip), ip).to.equal(false);
      expect(opens(ip, ip), ip).to.equal(true);
      expect(opens(`${ip}/${ip.includes(':') ? 128 : 32}`, ip), ip).to.equal(true);
    }
    expect(opens('169.254.169.254', '169.254.169.253')).to.equal(false);
    expect(opens('0.0.0.0/0 ::/0', 'fe80::1')).to.equal(false);
  });

  it('never allows addresses that are not unicast, are reserved, or hide another address', () => {
    const never = [
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '240.0.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '::',
      'ff02::1',
    ].concat(
      '2002:a00:5::1',
      '2001:0:a9fe:a9fe::1',
      '::10.0.0.5',
      '::a00:5',
      '64:ff9b:1::a00:5',
      '2001:db8::1',
      'fe80::1%eth0',
    );
    for (const ip of never) {
      expect(opens('0.0.0.0/0 ::/0', ip), ip).to.equal(false);
    }
  });

  it('allows addresses behind NAT64 when both the prefix and the translated address are allowed', () => {
    expect(opens('', '64:ff9b::8.8.8.8')).to.equal(false);
    expect(opens('64:ff9b::/96', '64:ff9b::8.8.8.8')).to.equal(true);
    expect(opens('64:ff9b::/96', '64:ff9b::10.0.0.5')).to.equal(false);
    expect(opens('64:ff9b::/96 10.0.0.0/8', '64:ff9b::10.0.0.5')).to.equal(true);
    expect(opens('64:ff9b::/96 0.0.0.0/0', '64:ff9b::169.254.169.254')).to.equal(false);
  });

  it('treats an IPv4-mapped network as its IPv4 network', () => {
    expect(opens('::ffff:10.0.0.0/104', '10.9.9.9')).to.equal(true);
    expect(opens('::ffff:169.254.169.254', '169.254.169.254')).to.equal(true);
    expect(opens('::/0', '10.0.0.5')).to.equal(false);
  });

  it('accepts names of private networks, which are then judged by the addresses they resolve to', () => {
    for (const host of ['intranet', 'printer.local', 'metadata.google.internal'])
      expect(readCallerAddress(`https://${host}/`, read('10.0.0.0/8')).fault, host).to.equal(undefined);
    expect(readCallerAddress('https://localhost/', read('10.0.0.0/8')).remedy).to.match(/OUTBOUND_ALLOW/);
    expect(readCallerAddress('https://localhost/', read('127.0.0.1')).fault).to.equal(undefined);
    expect(readCallerAddress('https://10.0.0.5/', read('10.0.0.0/8')).fault).to.equal(undefined);
    expect(readCallerAddress('http://10.0.0.5/', read('10.0.0.0/8')).fault).to.equal('must use https.');
  });

  it('rejects entries that are not networks or are ambiguous', () => {
    const wrong = [
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0.5/8',
      '10.1',
      '012.0.0.0/8',
      '0x0a.0.0.0/8',
    ].concat(
      'intranet',
      '10.0.0.0-10.0.0.9',
      'fd00::/129',
      '::10.0.0.5',
      'fd00::1/8',
      'fe80::1%eth0',
      '*',
      '::ffff:10.0.0.5/104',
      '10.0.0.0/08x',
    );
    for (const text of wrong)
      expect(() => readConfig({ OUTBOUND_ALLOW: `10.0.0.0/8, ${text}` }), text)
        .to.throw(ConfigError)
        .with.property('message')
        .that.includes(`OUTBOUND_ALLOW has "${text}"; use networks such as 10.0.0.0/8`);
  });
});
