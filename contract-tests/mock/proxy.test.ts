import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { type Finding, startProxy } from '../../scripts/mock/proxy.ts';
import { tour } from '../../scripts/tour.ts';
import { basePath } from '../harness/contract.ts';
import { freshDatabase } from '../harness/databases.ts';
import { startServiceProcess } from '../harness/process.ts';

describe('the validating proxy', () => {
  it('finds nothing in the tour: no answer breaks the contract, and no request that is meant to succeed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'screening-proxy-'));
    const service = await startServiceProcess({ DATA_DIR: folder, DATABASE_URL: await freshDatabase(folder) });
    const findings: Finding[] = [];
    const proxy = await startProxy(0, service.url + basePath, (finding) => findings.push(finding));
    try {
      const credentials = parseEnv(await readFile(join(folder, 'demo.env'), 'utf8'));
      const env = Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, String(value)]));
      const steps = await tour({ ...env, BASE_URL: proxy.url + basePath }, join(folder, 'mailbox'), () => {});
      expect(steps).to.be.above(10);
      const refused = findings.filter(({ side, status }) => side === 'request' && status !== 200);
      expect(findings.filter((finding) => !refused.includes(finding))).to.deep.equal([]);
      // It was there and it looked: the tour begins with calls that must be refused.
      expect(refused.map(({ status }) => status)).to.include.members([401, 400]);
    } finally {
      await proxy.stop();
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('passes an answer that breaks the contract unchanged, and tells what is wrong with it', async () => {
    const body = JSON.stringify({ status: 'success', message: 'Workspaces found.', data: { workspaces: [{ id: 1 }] } });
    const wrong = createServer((_req, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end(body));
    await new Promise<void>((resolve) => wrong.listen(0, '127.0.0.1', resolve));
    const findings: Finding[] = [];
    const { port } = wrong.address() as AddressInfo;
    const proxy = await startProxy(0, `http://127.0.0.1:${port}${basePath}`, (finding) => findings.push(finding));
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
      wrong.close();
    }
  });
});
