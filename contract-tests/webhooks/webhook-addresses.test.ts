import { expect } from 'chai';
import { readAddresses } from '../../core/settings/address-settings.ts';
import { databases } from '../../harness/database/dialect.ts';
import { LOOPBACK, MALFORMED, NEVER_PUBLIC, ODD_LOOPBACK } from '../../harness/peers/address-vectors.ts';
import type { Refusal } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

describe('a webhook’s address', () => {
  const test = useService({ RUN_WORKERS: 'false' });

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
