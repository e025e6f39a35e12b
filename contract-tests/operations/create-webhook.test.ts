import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import type { Refusal } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

const URL = 'https://letting.example/hooks/screening?case=1#part';

describe('create-webhook', () => {
  const test = useService();

  const create = async (body: { url: string; secret?: string }) =>
    (await test.alice.ok('createWebhook', { body })).data;
  const rows = () => test.service.runtime.db('webhooks').select('*');
  const refuse = async (body: unknown): Promise<Refusal> => {
    const before = await rows();
    const answer = await test.alice.raw('POST', '/webhooks/create-webhook', {
      headers: { authorization: `Bearer ${test.alice.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status, `${JSON.stringify(body)}: ${answer.text}`).to.equal(400);
    expect(await rows()).to.deep.equal(before);
    return JSON.parse(answer.text);
  };

  it('is active from the start, stores the address verbatim and has not been triggered', async () => {
    const webhook = await create({ url: URL });
    expect(webhook).to.have.all.keys('id', 'url', 'status');
    expect(webhook).to.include({ url: URL, status: 'active' });
    expect(webhook.id).to.not.equal('');
    expect((await create({ url: URL })).id).to.not.equal(webhook.id);
  });

  it('shows the secret exactly when one was given', async () => {
    for (const secret of ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'plain text', ' ', 'ñ🏠', 'a'.repeat(512)]) {
      const webhook = await create({ url: URL, secret });
      expect(webhook).to.have.all.keys('id', 'url', 'status', 'secret');
      expect(webhook.secret).to.equal(secret);
    }
    expect(await create({ url: URL })).to.not.have.property('secret');
  });

  it('stores the secret encrypted: it is in neither the table nor the service’s files', async () => {
    const secret = 'whsec_bm93aGVyZSB0byBiZSBmb3VuZCBhdCByZXN0';
    const key = secret.slice('whsec_'.length);
    const forms = [secret, key, Buffer.from(key, 'base64').toString(), Buffer.from(secret).toString('base64')];
    const { id } = await create({ url: URL, secret });
    const table = JSON.stringify(await rows());
    expect(table).to.include(id);
    const files = await readdir(test.folder, { recursive: true, withFileTypes: true });
    const contents = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
    );
    if (test.config.database.dialect === 'sqlite')
      expect(contents.some((content) => content.includes(id))).to.equal(true);
    for (const form of forms)
      for (const content of [table, ...contents]) expect(content.includes(form), `found ${form}`).to.equal(false);
  });

  it('seals the same secret differently each time', async () => {
    const secret = 'the same for both';
    const { id: first } = await create({ url: URL, secret });
    const { id: second } = await create({ url: URL, secret });
    const sealed = (await rows()).filter(({ id }) => id === first || id === second).map((row) => row.sealed_secret);
    expect(new Set(sealed).size).to.equal(2);
  });

  it('accepts loopback and plain http in the sandbox', async () => {
    for (const url of ['http://127.0.0.1:3000/hook', 'http://localhost:8080', 'http://[::1]/hook', 'http://8.8.8.8/'])
      expect((await create({ url })).url).to.equal(url);
  });

  it('refuses an address that is missing, of the wrong type or not an absolute http or https URL', async () => {
    const urls = [
      undefined,
      null,
      7,
      true,
      ['https://letting.example/'],
      { href: 'https://letting.example/' },
      '',
      ' ',
      '/hooks',
      'letting.example/hooks',
      '//letting.example/hooks',
      'https://',
      'https:///hooks',
      'https:/letting.example/',
      'https:letting.example',
      'https://letting.example:99999/',
      'https://exa mple.org/',
      'https://letting.example/\0',
      'https://letting.example/\nHost: evil.example',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/plain,x',
      'ftp://letting.example/',
      'ws://letting.example/',
      'mailto:hooks@letting.example',
      'https://user:password@letting.example/',
      'https://user@letting.example/',
      'https://:password@letting.example/',
    ];
    for (const url of urls) expect((await refuse({ url })).message).to.match(/^url: /);
  });

  it('refuses addresses in private networks, in every notation', async () => {
    const hosts = [
      ...['10.0.0.5', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1'],
      ...['255.255.255.255', '198.18.0.1', '192.0.2.1', '240.0.0.1'],
      // 10.0.0.5 and 169.254.169.254 in decimal, hexadecimal, octal, shortened and mixed.
      ...['167772165', '0x0a000005', '012.0.0.5', '10.5', '0xa.0.0.5', '10.0.0.5.', '2852039166', '0xA9FEA9FE'],
      ...['0251.0376.0251.0376', '169.254.43518', '%31%30.0.0.5', '１０.0.0.5'],
      ...['[::]', '[fd00::1]', '[fe80::1]', '[fd00:ec2::254]', '[ff02::1]', '[::ffff:10.0.0.5]', '[::ffff:a00:5]'],
      ...['[64:ff9b::a00:5]', '[2002:a00:5::1]', '[2001:db8::1]', '[::ffff:169.254.169.254]', '[::10.0.0.5]'],
    ];
    for (const host of hosts)
      for (const url of [`http://${host}/`, `https://${host}:8443/hook`])
        expect((await refuse({ url })).message, url).to.match(/^url: /);
  });

  it('refuses a secret that is empty or not text, and unknown fields', async () => {
    for (const secret of ['', null, 7, ['x'], 'a\0b', 'a\ud83c'])
      expect((await refuse({ url: URL, secret })).message).to.match(/^secret: /);
    expect((await refuse({ url: URL, status: 'active' })).message).to.match(/^status: is not a field/);
    expect((await refuse({ url: URL, event: 'EID_SUCCESS' })).message).to.match(/^event: is not a field/);
    for (const body of [null, [], 'https://letting.example/', {}]) await refuse(body);
  });
});
