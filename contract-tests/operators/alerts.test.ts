import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parse } from 'yaml';
import { disconnect } from '../../db/connection/connect.ts';
import { dialect } from '../../harness/database/databases.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { type Sample, samplesOf } from '../../harness/monitoring/metrics.ts';
import { isActive, metricsIn } from '../../harness/monitoring/promql.ts';
import { startServiceProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { addApplicant, addDelivery, addHook, tell } from '../../harness/service/deliveries.ts';
import { useService } from '../../harness/service/service.ts';
import { pause } from '../../jobs/webhooks/webhook-care.ts';

interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[];
}
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

const FOLDER = new URL('../../docs/monitoring/', import.meta.url);
const rules: Rules = parse(await readFile(new URL('alerts.yaml', FOLDER), 'utf8'));
const dashboard: Dashboard = JSON.parse(await readFile(new URL('dashboard.json', FOLDER), 'utf8'));
const expressions = new Map(rules.groups.flatMap((group) => group.rules.map(({ alert, expr }) => [alert, expr])));

/** Prometheus makes it, with the labels of the scrape. */
const UP = 'up';
const up = (value: number): Sample => ({ name: UP, labels: { job: 'screening' }, value });
const SCRAPE_MS = 2_000;
const MINUTE_MS = 60_000;
const BLOCKED_MS = 600;
/** More than may lack the chain. */
const UNCHAINED = 1_200;

async function scrape(operatorsUrl: string | undefined): Promise<Sample[]> {
  try {
    return [up(1), ...(await samplesOf(operatorsUrl, AbortSignal.timeout(SCRAPE_MS))).all];
  } catch {
    return [up(0)];
  }
}

/** The alerts of which a test injects the fault. */
const injected = new Set<string>();

async function expectActive(alerts: readonly string[], before: readonly Sample[], look: () => Promise<Sample[]>) {
  for (const alert of alerts) {
    injected.add(alert);
    const expression = expressions.get(alert) ?? expect.fail(`There is no alert ${alert}.`);
    await until(`${alert} is active`, async () => isActive(expression, { before, now: await look() }));
  }
}

describe(`each alert is active once its fault is there, on ${dialect}`, () => {
  describe('in a service with workers', () => {
    const test = useService({ OPS_PORT: '0' });
    const hook = suiteFixture(() => addHook(test.alice));
    const look = () => scrape(test.service.operatorsUrl);
    const table = (name: string, other: string) =>
      test.service.runtime.db.raw(`alter table ${name} rename to ${other}`);

    it('none but that of the backup before', async () => {
      const tenant = await addApplicant(test, test.alice, 'alerts@mail.example');
      await tell(test, tenant);
      await hook.receiver.next('EID_SUCCESS');
      const before = await look();
      let active: string[] = [];
      // Each look begins anew with how long the event loop was blocked: by a start beside other tests, for long.
      await until('there are no more than the one', async () => {
        const now = await look();
        active = [...expressions]
          .filter(([, expression]) => isActive(expression, { before, now }))
          .map(([alert]) => alert);
        return active.length <= 1;
      });
      expect(active).to.deep.equal(['ScreeningBackupOld']);
    });

    it('a table that requests need is gone, or one that jobs need', async () => {
      const tenant = await test.tenant('alerts+kyc-verified@mail.example', { documents: 1, of: test.alice });
      await table('workspaces', 'away');
      await table('events', 'away_too');
      await test.alice.call('listWorkspaces');
      const before = await look();
      await test.alice.call('listWorkspaces');
      await test.alice.ok('initiateKyc', { params: { tenantId: tenant.id } });
      await expectActive(['ScreeningServerErrors', 'ScreeningJobsFail'], before, look);
      await table('away', 'workspaces');
      await table('away_too', 'events');
    });

    it('an endpoint refuses, and a worker died', async () => {
      const tenant = await addApplicant(test, test.alice, 'refused@mail.example');
      hook.receiver.answer = () => 500;
      await tell(test, tenant);
      await until('one was refused', async () => (await look()).some(({ labels }) => labels['outcome'] === 'refused'));
      const before = await look();
      const lost = { status: 'pending', leased_by: 'dead/1', due_at: '2026-01-01T00:00:00.000Z' } as const;
      await addDelivery(test, tenant, { webhook_id: hook.id, ...lost });
      await expectActive(['ScreeningDeliveriesFail', 'ScreeningWorkersDie'], before, look);
    });

    it('the event loop was blocked, all connections are in use, the schema is another', async () => {
      const before = await look();
      await expectActive(['ScreeningEventLoopBlocked'], before, () => {
        const blockedUntil = performance.now() + BLOCKED_MS;
        while (performance.now() < blockedUntil);
        return look();
      });
      const { db } = test.service.runtime;
      const open = Promise.withResolvers<void>();
      const holding = Array.from({ length: 12 }, () => db.transaction(() => open.promise));
      await expectActive(['ScreeningPoolExhausted'], before, look);
      open.resolve();
      await Promise.all(holding);
      await db('knex_migrations').insert({ name: '9999-newer', batch: 99, migration_time: new Date() });
      await expectActive(['ScreeningNotReady'], before, look);
    });
  });

  describe('in a service without workers', () => {
    const test = useService({ OPS_PORT: '0', RUN_WORKERS: 'false' });
    const hook = suiteFixture(() => addHook(test.alice));
    const look = () => scrape(test.service.operatorsUrl);
    const rightNow = Date.now;
    afterEach(() => {
      Date.now = rightNow;
    });

    it('work waits, a webhook is paused, the audit log is not chained, no backup is made, and the clock is wrong', async () => {
      const { db } = test.service.runtime;
      const tenant = await addApplicant(test, test.alice, 'late@mail.example');
      await addDelivery(test, tenant, { webhook_id: hook.id, status: 'pending', due_at: '2026-01-01T00:00:00.000Z' });
      const { id } = (await test.alice.ok('createWebhook', { body: { url: 'https://letting.example/' } })).data;
      await pause(test.service.runtime, id, 'to try');
      const entry = {
        at: new Date().toISOString(),
        actor_kind: 'service',
        actor: 'service',
        resource_id: 'a',
      } as const;
      const entries = Array.from({ length: UNCHAINED }, () => ({ ...entry, action: 'webhook.pause' }));
      for (let at = 0; at < UNCHAINED; at += 100) await db('audit_entries').insert(entries.slice(at, at + 100));
      Date.now = () => rightNow() - MINUTE_MS;
      const alerts = ['WorkLate', 'WebhooksPaused', 'AuditUnchained', 'BackupOld', 'ClockSkew'];
      await expectActive(
        alerts.map((name) => `Screening${name}`),
        await look(),
        look,
      );
    });

    it('the database does not answer', async () => {
      await disconnect(test.service.runtime.db);
      await expectActive(['ScreeningDatabaseSilent'], [], look);
    });
  });

  describe('in a program', () => {
    const test = useService({ RUN_WORKERS: 'false' });

    it('it is frozen', async () => {
      const service = await startServiceProcess({ ...new Admin(test).env, OPS_PORT: '0', RUN_WORKERS: 'false' });
      try {
        service.signal('SIGSTOP');
        await expectActive(['ScreeningDown'], [], () => scrape(service.operatorsUrl));
      } finally {
        await service.kill();
      }
    });
  });
});

describe('the alerts and the dashboard', () => {
  const test = useService({ OPS_PORT: '0' });

  it('have no alert whose fault is not injected above', () => {
    expect([...injected].sort()).to.deep.equal([...expressions.keys()].sort());
  });

  it('are PromQL, and name metrics that exist', async () => {
    const text = await (await fetch(`${test.service.operatorsUrl}/metrics`)).text();
    const known = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    );
    const panels = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const named = [...expressions.values(), ...panels]
      .map((expression) => expression.replaceAll('$__rate_interval', '5m'))
      .flatMap(metricsIn);
    expect(named.length).to.be.above(30);
    expect(named.filter((name) => !known.has(name) && name !== UP)).to.deep.equal([]);
    const own = [...known].filter((name) => name.startsWith('screening_') && !/_(bucket|sum)$/.test(name));
    expect(
      own.filter((name) => !named.includes(name)),
      'metrics on no panel',
    ).to.deep.equal([]);
  });
});
