import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseEnv, stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { basePath } from '../../harness/contract/contract.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { startServiceProcess } from '../../harness/process/process.ts';
import { listen } from '../../harness/process/running-server.ts';
import { type Finding, startProxy } from '../../scripts/mock/proxy-server.ts';
import { tour } from '../../scripts/tour/tour.ts';

databases('sqlite', 'nightly');

describe('the validating proxy', () => {
  const { columns } = process.stdout;
  after(() => {
    process.stdout.columns = columns;
  });

  it('finds nothing in the tour, whose output fits 80 columns: no answer, and no request meant to succeed, violates the contract', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'screening-proxy-'));
    const service = await startServiceProcess({ DATA_DIR: folder, DATABASE_URL: await freshDatabase(folder) });
    const findings: Finding[] = [];
    const printed: string[] = [];
    process.stdout.columns = 80;
    const proxy = await startProxy(0, service.url + basePath, (finding) => findings.push(finding));
    try {
      const credentials = parseEnv(await readFile(join(folder, 'demo.env'), 'utf8'));
      const env = Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, String(value)]));
      const steps = await tour({ ...env, BASE_URL: proxy.url + basePath }, join(folder, 'mailbox'), (text) => {
        printed.push(...stripVTControlCharacters(text).split('\n'));
      });
      expect(steps).to.be.above(10);
      expect(printed).to.have.length.above(steps);
      for (const line of printed) expect(line.length, line).to.be.at.most(80);
      const refused = findings.filter(({ side, status }) => side === 'request' && status !== 200);
      expect(findings.filter((finding) => !refused.includes(finding))).to.deep.equal([]);
      // Proves that the proxy was validating: the tour begins with calls that must be refused.
      expect(refused.map(({ status }) => status)).to.include.members([401, 400]);
    } finally {
      await proxy.stop();
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('passes every call through unchanged: method, target, body and headers', async () => {
    const received: unknown[] = [];
    const echo = createServer(async (req, res) => {
      received.push([req.method, req.url, req.headers['x-own'], (await buffer(req)).toString()]);
      res.writeHead(200, { 'Set-Cookie': ['a=1', 'b=2'], 'X-Own': 'answer' }).end('not JSON');
    });
    const service = await listen(echo, 0);
    const proxy = await startProxy(0, `${service.url}/below${basePath}`, () => {});
    const own = { 'x-own': 'call', 'content-type': 'application/json' };
    const calls: [string, string, string?][] = [
      ['HEAD', '/applications/any'],
      ['GET', '/applications/%zz'],
      ['GET', '/property-management/properties/any?workspace_id=1&workspace_id=2&&b'],
      ['POST', '/applications/create-application', '"text"'],
      ['POST', '/applications/create-application', '{ "title":  1e0, "title": "\\u00e9" }'],
      ['POST', '/applications/create-application', '{'],
      ['PUT', '/nothing', 'x'],
    ];
    try {
      for (const [method, path, body] of calls) {
        const call = request(proxy.url, { method, path: basePath + path, headers: own });
        const [answer]: IncomingMessage[] = await once(call.end(body), 'response');
        expect([answer?.statusCode, answer?.headers['x-own']]).to.deep.equal([200, 'answer']);
        expect(answer?.headers['set-cookie']).to.deep.equal(['a=1', 'b=2']);
        expect(answer && (await buffer(answer)).toString()).to.equal(method === 'HEAD' ? '' : 'not JSON');
        expect(received.pop()).to.deep.equal([method, `/below${basePath}${path}`, 'call', body ?? '']);
      }
    } finally {
      await proxy.stop();
      await service.stop();
    }
  });

  it('passes an answer that violates the contract through unchanged, and reports what is wrong with it', async () => {
    const body = JSON.stringify({ status: 'success', message: 'Workspaces found.', data: { workspaces: [{ id: 1 }] } });
    const wrong = createServer((_req, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end(body));
    const service = await listen(wrong, 0);
    const findings: Finding[] = [];
    const proxy = await startProxy(0, service.url + basePath, (finding) => findings.push(finding));
    try {
      const headers = { authorization: 'Bearer any' };
      const answer = await fetch(`${proxy.url}${basePath}/property-management/workspaces`, { headers });
      expect(await answer.text()).to.equal(body);
      expect(answer.headers.get('sl-violations')).to.match(/workspace_id/);
      expect(findings.map(({ side }) => side))
        .to.include('response')
        .and.not.include('request');
      expect(findings[0]?.where).to.equal(`GET ${basePath}/property-management/workspaces`);
    } finally {
      await proxy.stop();
      await service.stop();
    }
  });
});
