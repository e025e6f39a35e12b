import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { basePath, operationById } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { freePort } from '../../harness/process/running-server.ts';
import { until } from '../../harness/process/until.ts';
import { basicOf } from '../../harness/service/client.ts';
import { CLOSED, httpsOnly } from '../../http/edge/fixed-headers.ts';
import { type LogLine, startLoggedService } from '../edge/logged-service.ts';

databases('sqlite');

const recipe = readFileSync('deploy/nginx.conf', 'utf8');
const LOGIN = basePath + operationById('generateToken').template;
/** `burst=20`, plus the request that is already allowed. */
const AT_ONCE = 21;

/** The nginx binary, if the machine has one; NGINX_BINARY names another. */
const nginx = programOf(process.env['NGINX_BINARY'] ?? 'nginx');

function programOf(name: string): string | undefined {
  try {
    execFileSync(name, ['-v'], { stdio: 'ignore' });
    return name;
  } catch {
    return undefined;
  }
}

describe('the proxy in the operators’ guide', () => {
  it('accepts no TLS older than 1.2, and only suites with forward secrecy', () => {
    expect(recipe).to.match(/^ *ssl_protocols TLSv1\.2 TLSv1\.3;$/m);
    const [, suites = ''] = /^ *ssl_ciphers (.*);$/m.exec(recipe) ?? [];
    for (const suite of suites.split(':')) expect(suite).to.match(/^ECDHE\+(AESGCM|CHACHA20)$/);
  });

  it('answers its own refusals with the headers of the service', () => {
    const [, refusal = ''] = /location @too_many \{([^}]*return 429[^}]*)\}/.exec(recipe) ?? [];
    const headers = { ...CLOSED, ...httpsOnly('https://screening.example') };
    for (const [name, value] of Object.entries(headers))
      expect(refusal.replaceAll('"', '')).to.include(`add_header ${name} ${value} always;`);
  });
});

describe('the rate limits in the operators’ guide', () => {
  it('apply to the token path, and replace the forwarded address that the caller sent', () => {
    expect(recipe).to.include(`location = ${LOGIN} {`);
    expect(recipe).to.match(/proxy_set_header X-Forwarded-For \$remote_addr;/);
    expect(recipe.split('{').length).to.equal(recipe.split('}').length);
  });

  if (nginx !== undefined)
    describe('in nginx', () => {
      let proxy: ChildProcess;
      let port: number;
      const folder = suiteFixture(temporaryFolder);
      const logged = suiteFixture(() => startLoggedService({ TRUSTED_PROXIES: '127.0.0.1' }));

      before(async () => {
        port = await freePort();
        const changes: [RegExp, string][] = [
          [/listen 443 ssl;/, `listen 127.0.0.1:${port};`],
          [/ *ssl_certificate\w* .*\n/g, ''],
          [/127\.0\.0\.1:3000/, new URL(logged.service.url).host],
        ];
        const ours = changes.reduce((changed, [theirs, own]) => {
          expect(changed).to.match(theirs);
          return changed.replace(theirs, own);
        }, recipe);
        const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
        const places = temporary.map((name) => `${name}_temp_path ${join(folder.path, name)};`);
        const file = join(folder.path, 'nginx.conf');
        await mkdir(join(folder.path, 'logs'));
        await writeFile(
          file,
          `daemon off; pid ${join(folder.path, 'pid')}; events {} http { access_log off; ${places.join(' ')}\n${ours}\n}`,
        );
        const log = join(folder.path, 'logs', 'error.log');
        proxy = spawn(nginx, ['-p', folder.path, '-c', file, '-e', log], { stdio: ['ignore', 'ignore', 'inherit'] });
        await until('nginx listens', () => {
          const socket = connect(port, '127.0.0.1');
          return new Promise((resolve) => {
            socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
          }).finally(() => socket.destroy());
        });
      });
      after(async () => {
        proxy.kill('SIGTERM');
        await once(proxy, 'exit');
      });

      /** A request through the proxy, from one of the machine's own addresses. */
      const ask = async (from: string, path: string, headers: Record<string, string>, method = 'POST') => {
        const outgoing = request({ host: '127.0.0.1', port, localAddress: from, path, method, headers });
        outgoing.end();
        const [answer]: [IncomingMessage] = await once(outgoing, 'response').then(([first]) => [first]);
        return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
      };
      const login = (from: string, secret: string, headers: Record<string, string> = {}) =>
        ask(from, LOGIN, { authorization: `Basic ${basicOf(logged.client.clientId, secret)}`, ...headers });

      it('stop an address that guesses secrets, and no other', async () => {
        await logged.client.authenticate();
        const statuses = [];
        for (let tried = 0; tried < 2 * AT_ONCE; tried++) statuses.push((await login('127.0.0.2', 'wrong')).status);
        expect(statuses.slice(0, AT_ONCE)).to.deep.equal(Array(AT_ONCE).fill(401));
        // The rate limit refills one request per two seconds of elapsed time.
        expect(statuses.filter((status) => status === 429).length).to.be.above(AT_ONCE / 2);
        expect(new Set(statuses)).to.deep.equal(new Set([401, 429]));
        const path = basePath + operationById('listWorkspaces').template;
        const bearer = { authorization: `Bearer ${logged.client.token}` };
        expect((await ask('127.0.0.2', path, bearer, 'GET')).status, 'with a token').to.equal(200);
        expect((await login('127.0.0.3', logged.client.clientSecret)).status, 'another address').to.equal(200);
      });

      it('answer in the API’s error format with Retry-After', async () => {
        let refused = await login('127.0.0.4', 'wrong');
        for (let tried = 0; tried < 2 * AT_ONCE && refused.status !== 429; tried++)
          refused = await login('127.0.0.4', 'wrong');
        expect(refused.status).to.equal(429);
        expect(JSON.parse(refused.body)).to.have.all.keys('status', 'message').and.include({ status: 'error' });
        expect(refused.headers).to.include({ 'content-type': 'application/json', 'retry-after': '2' });
      });

      it('leave the caller’s real address in the service’s log, whatever the caller claims', async () => {
        const headers = { 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'through-nginx' };
        await login('127.0.0.5', 'wrong', headers);
        const found = (): (LogLine & { address?: string }) | undefined =>
          logged
            .lines()
            .find(({ correlation_id, msg }) => correlation_id === 'through-nginx' && msg === 'login failed');
        await until('it was logged', () => found() !== undefined);
        expect(found()?.address).to.equal('127.0.0.5');
      });
    });
});
