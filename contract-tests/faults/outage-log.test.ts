import { once } from 'node:events';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { SilentProxy } from '../../harness/peers/silent-proxy.ts';
import { PATIENCE, spawnProgram } from '../../harness/process/process.ts';
import { eventually, hearLines } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';

databases('postgres');

interface Line {
  time: string;
  level: string;
  msg: string;
  url?: string;
  /** The number of suppressed lines. */
  lines?: number;
}

describe('while Postgres is down', () => {
  let test: TestService;
  let proxy: SilentProxy;

  before(async () => {
    test = await startTestService({ RUN_WORKERS: 'false' });
    const { database } = test.config;
    proxy = await SilentProxy.start(database.dialect === 'postgres' ? database.url : expect.fail());
  });
  after(async () => {
    await proxy?.stop();
    await test?.stop();
  });

  for (const program of ['api', 'worker'])
    it(`the ${program} logs at most one line per second, however much fails`, async () => {
      const env = { ...new Admin(test).env, ...PATIENCE, RUN_WORKERS: 'true', DATABASE_URL: proxy.url, PORT: '0' };
      const child = spawnProgram(`../../bin/${program}.ts`, { ...env, LOG_LEVEL: 'info' });
      const lines: Line[] = [];
      hearLines(child.stdout, (line) => line.startsWith('{') && lines.push(JSON.parse(line)));
      const { url } = await eventually('it runs', () => lines.find(({ msg }) => /^(listening|working)$/.test(msg)));
      const alice = url === undefined ? undefined : new Client(url, test.alice.clientId, test.alice.clientSecret);
      await alice?.authenticate();
      proxy.refuse();
      const outage = () => lines.filter(({ level }) => level === 'error');
      await until('it reported several times what it left out', async () => {
        await alice?.call('listWorkspaces');
        return outage().filter((line) => line.lines).length >= 3;
      });
      proxy.accept();
      const ofOutage = lines.slice(lines.indexOf(outage()[0] ?? expect.fail()));
      const times = ofOutage.map(({ time }) => Date.parse(time));
      const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
      expect(times.length, JSON.stringify(ofOutage)).to.be.at.most(Math.ceil(seconds) + 1);
      child.kill('SIGTERM');
      await once(child, 'exit');
    });
});
