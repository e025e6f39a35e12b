import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { figure } from '../../harness/mocha/figures.ts';
import { SilentProxy } from '../../harness/peers/silent-proxy.ts';
import { PATIENCE, spawnProgram } from '../../harness/process/process.ts';
import { eventually, hearLines } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';

databases('postgres');

const CALLERS = 8;
const DROPPED_MS = 20_000;

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

  for (const program of ['api', 'worker'])
    it(`the ${program} does so too while packets to Postgres are dropped`, async () => {
      const limits = {
        DATABASE_CONNECT_SECONDS: '3',
        DATABASE_TURN_SECONDS: '6',
        DATABASE_QUERY_SECONDS: '4',
        DATABASE_LOCK_SECONDS: '2',
      };
      const env = { ...new Admin(test).env, ...limits, RUN_WORKERS: 'true', DATABASE_URL: proxy.url, PORT: '0' };
      const child = spawnProgram(`../../bin/${program}.ts`, { ...env, LOG_LEVEL: 'info', OPS_PORT: '0' });
      const lines: Line[] = [];
      hearLines(child.stdout, (line) => line.startsWith('{') && lines.push(JSON.parse(line)));
      const { url } = await eventually('it runs', () => lines.find(({ msg }) => /^(listening|working)$/.test(msg)));
      const alice = url === undefined ? undefined : new Client(url, test.alice.clientId, test.alice.clientSecret);
      await alice?.authenticate();
      proxy.fallSilent();
      const begun = performance.now();
      const tenants = [{ email: 'dropped@mail.example', is_lead: true }];
      // The worker has no address to call: a loop of no calls would keep a core busy.
      const callers = Array.from({ length: alice ? CALLERS : 0 }, async () => {
        while (performance.now() - begun < DROPPED_MS) {
          await alice?.call('listWorkspaces');
          await alice?.call('createApplication', { body: { title: 'Dropped', tenants } });
        }
      });
      await Promise.all([...callers, wait(DROPPED_MS)]);
      proxy.speakAgain();
      const from = lines.findIndex(({ level }) => level === 'error' || level === 'warn');
      const ofOutage = lines.slice(from).filter(({ time }) => Date.parse(time) <= Date.now());
      const seconds = (Date.parse(ofOutage.at(-1)?.time ?? '') - Date.parse(ofOutage[0]?.time ?? '')) / 1000;
      figure(`${program}: ${ofOutage.length} lines in ${seconds.toFixed(1)} s`);
      const said = Object.entries(Object.groupBy(ofOutage, ({ msg }) => msg)).map(
        ([msg, all]) => `${all?.length} ${msg}`,
      );
      expect(ofOutage.length, said.join('; ')).to.be.at.most(Math.ceil(seconds) + 1);
      child.kill('SIGTERM');
      await once(child, 'exit');
    });
});
