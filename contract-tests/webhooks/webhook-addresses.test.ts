import { expect } from 'chai';
import { outboundInTurns } from '../../bin/service/calls-in-turns.ts';
import { readAddresses } from '../../core/settings/address-settings.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { LOOPBACK, MALFORMED, NEVER_PUBLIC, ODD_LOOPBACK } from '../../harness/peers/address-vectors.ts';
import { DnsServer } from '../../harness/peers/dns-server.ts';
import type { Refusal } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { createOutboundHttp } from '../../providers/outbound/outbound-http.ts';

databases('either');

/** The addresses that names resolve to; null never answers. */
const names: Record<string, string[] | null> = {
  '127.0.0.1.nip.example': ['127.0.0.1'],
  '10-0-0-5.wild.example': ['10.0.0.5'],
  'v6.wild.example': ['fd12::1'],
  'both.wild.example': ['8.8.8.8', '169.254.169.254'],
  'public.wild.example': ['8.8.8.8'],
  'empty.example': [],
  'hanging.example': null,
};

describe('a webhook’s address', () => {
  const test = useService({ RUN_WORKERS: 'false' });

  const dns = suiteFixture(() => DnsServer.start((name) => names[name]));

  const create = (url: string) =>
    test.alice.raw('POST', '/webhooks/create-webhook', {
      headers: { authorization: `Bearer ${test.alice.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    });
  const refuse = async (url: string): Promise<Refusal> => {
    const answer = await create(url);
    expect(answer.status, `${JSON.stringify(url)}: ${answer.text}`).to.equal(400);
    const refusal: Refusal = JSON.parse(answer.text);
    expect(refusal.message, url).to.match(/^url: /);
    return refusal;
  };
  const set = (mode: 'sandbox' | 'live', allow = '') => {
    test.service.runtime.addresses = readAddresses({ OUTBOUND_ALLOW: allow }, mode, []);
  };

  it('is refused when its host is not public, in every notation', async () => {
    for (const host of Object.values(NEVER_PUBLIC).flat())
      for (const url of [`http://${host}/`, `https://${host}:8443/hook`]) await refuse(url);
  });

  it('is refused when it is malformed or disguises its host', async () => {
    for (const url of MALFORMED) await refuse(url);
  });

  it('is refused in live when it leads to this machine, or lacks TLS', async () => {
    set('live');
    for (const host of [...LOOPBACK, ...ODD_LOOPBACK]) await refuse(`https://${host}/hook`);
    expect((await refuse('http://letting.example/')).message).to.equal('url: must use https.');
    set('sandbox');
    for (const host of LOOPBACK) expect((await create(`http://${host}/hook`)).status, host).to.equal(200);
  });

  it('is refused in live when its name is known to lead to a private address, as wildcard names do', async () => {
    const { providers } = test.service.runtime;
    const { outbound } = providers;
    const policy = readAddresses({}, 'live', []);
    providers.outbound = outboundInTurns(createOutboundHttp(policy, { dnsServers: [dns.address] }));
    set('live');
    try {
      const hosts = ['127.0.0.1.nip.example', '10-0-0-5.wild.example', 'v6.wild.example', 'both.wild.example'];
      for (const host of hosts)
        for (const url of [`https://${host}/`, `https://${host}:8443/hook?a=b`])
          expect((await refuse(url)).message).to.equal(`url: must be publicly reachable; ${host} is not.`);
      for (const host of ['public.wild.example', 'absent.example', 'empty.example', 'hanging.example'])
        expect((await create(`https://${host}/`)).status, host).to.equal(200);
      const { id } = await test.tenant('wild.lead@mail.example');
      const eid = { params: { tenantId: id }, body: { redirect_url: 'https://10-0-0-5.wild.example/back' } };
      expect(await test.alice.call('initiateEid', eid)).to.include({ status: 400 });
      set('sandbox');
      expect((await create('https://10-0-0-5.wild.example/')).status).to.equal(200);
    } finally {
      await providers.outbound.close();
      providers.outbound = outbound;
      set('sandbox');
    }
  });

  it('is refused with the name of the setting, and accepted with the setting', async () => {
    expect((await refuse('https://10.0.0.5/hook')).message).to.equal(
      'url: must be publicly reachable; 10.0.0.5 is not.',
    );
    set('live', '10.0.0.0/8');
    expect((await create('https://10.0.0.5/hook')).status).to.equal(200);
    expect((await create('https://hooks.internal/')).status).to.equal(200);
    await refuse('https://169.254.169.254/');
    await refuse('https://192.168.1.1/');
    set('sandbox');
  });
});
