import { expect } from 'chai';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';
import { exchange, expectRefusal, onlyAnswer } from './requests.ts';

databases('either');

describe('the Host header of a request', () => {
  const test = useService();
  let path: string;
  before(async () => {
    const tenants = [{ email: 'host@mail.example', is_lead: true }];
    const { data } = await test.alice.ok('createApplication', { body: { title: 'Host', tenants } });
    path = `${basePath}/applications/${data.application_id}`;
  });
  const ask = async (lines: string, target = path, version = '1.1') => {
    const head = `GET ${target} HTTP/${version}\r\nAuthorization: Bearer ${test.alice.token}\r\nConnection: close\r\n`;
    return onlyAnswer(await exchange(test.service.url, Buffer.from(`${head}${lines}\r\n`, 'latin1')));
  };
  const good = ['api', 'API.example.', 'a_b-c.example:443', '127.0.0.1:3000', '[::1]', '[2001:db8::1]:80', 'api:'];
  const bad = [
    '',
    ' ',
    'a b',
    'a,b',
    'a, b',
    'a/b',
    'a?b',
    'a#b',
    'user@api',
    'http://api',
    'api:80:80',
    'api:-1',
    'api:http',
    'api:65536',
    ':80',
    '::1',
    '[::1',
    '[api]',
    '[::1]x',
    '[fe80::1%eth0]',
    'a\\b',
    '<script>',
    'm\xfcnchen',
    'a'.repeat(254),
  ];

  it('is a name or an address, with or without a port', async () => {
    for (const host of good) expect((await ask(`Host: ${host}\r\n`)).status, host).to.equal(200);
  });

  it('is refused with 400 in the common envelope when invalid', async () => {
    for (const host of bad) {
      const answer = await ask(`Host: ${host}\r\n`);
      expectRefusal(host, answer, 400);
      expect(JSON.parse(answer.text).message).to.include('exactly one Host');
      expect(answer.headers).to.include.keys('x-request-id').and.include({ connection: 'close' });
    }
  });

  it('must occur exactly once, even when duplicates are identical', async () => {
    for (const lines of ['', 'Host: api\r\nHost: api\r\n', 'Host: api\r\nhost: other\r\n', 'Host: api\r\nHOST:\r\n'])
      for (const version of lines === '' ? ['1.1'] : ['1.0', '1.1'])
        expectRefusal(`${version} ${lines}`, await ask(lines, path, version), 400);
    expect((await ask('', path, '1.0')).status, 'HTTP/1.0 has none').to.equal(200);
  });

  it('may come from a target in absolute form, whose path is used as sent', async () => {
    for (const host of good) expect((await ask('Host: api\r\n', `http://${host}${path}`)).status, host).to.equal(200);
    for (const target of ['http://', 'http://[', 'http://h:99999/', `http://user@api${path}`, `ftp://api${path}`])
      expectRefusal(target, await ask('Host: api\r\n', target), 400);
    for (const lines of ['', 'Host: a b\r\n', 'Host: api\r\nHost: api\r\n'])
      expectRefusal(lines, await ask(lines, `http://api${path}`), 400);
    for (const detour of [`/x/..${path}`, `/x/%2e%2e${path}`, `/.${path}`])
      expectRefusal(detour, await ask('Host: api\r\n', `http://api${detour}`), 404);
  });

  it('is refused in order when requests are pipelined', async () => {
    const first = `GET ${path} HTTP/1.1\r\nHost: api\r\nAuthorization: Bearer ${test.alice.token}\r\n\r\n`;
    const brokenBody = 'Host: api\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n';
    for (const [next, status] of [
      [`GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
      [`POST ${basePath}/authenticate/token HTTP/1.1\r\n${brokenBody}`, 401],
    ] as const) {
      const received = await exchange(test.service.url, first + next);
      expect(received.match(/HTTP\/1\.1 \d+/g), next).to.deep.equal(['HTTP/1.1 200', `HTTP/1.1 ${status}`]);
    }
  });

  it('does not end the requests pipelined behind it when invalid', async () => {
    const ask = `Authorization: Bearer ${test.alice.token}\r\n`;
    const bad = `GET ${path} HTTP/1.1\r\nHost: a b\r\n${ask}\r\n`;
    const last = `GET ${path} HTTP/1.1\r\nHost: api\r\nConnection: close\r\n${ask}\r\n`;
    const received = await exchange(test.service.url, bad + last);
    expect(received.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 400', 'HTTP/1.1 200']);
  });
});
