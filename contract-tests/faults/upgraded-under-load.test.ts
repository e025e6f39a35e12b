import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { VERSION } from '../../core/version.ts';
import { disconnect, open } from '../../db/connection/connect.ts';
import { migrate } from '../../db/connection/migrate.ts';
import { schemaStatus } from '../../db/connection/schema-status.ts';
import { allMigrations, type NamedMigration } from '../../db/migrations/index.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { expectWithin, figure, Slowest, times } from '../../harness/mocha/figures.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Balancer } from '../../harness/peers/balancer.ts';
import { type ServiceProcess, startServiceProcess } from '../../harness/process/process.ts';
import { eventually } from '../../harness/process/signals.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { addHook, SOON_AGAIN } from '../../harness/service/deliveries.ts';
import { useService } from '../../harness/service/service.ts';

databases('either', 'nightly');

const SECRET = 'whsec_dXBncmFkZXMgYXJlIHNlZW4gYnkgbm8gY2FsbGVyLi4u';
const CALLERS = 4;
const PAUSE_MS = 20;
/** How long a reader holds the table that the migration alters. */
const READER_MS = times(0, 60_000);
const MAX_MS = 3_000;
const VERIFIED_BEFORE = times(1, 20);
const MINUTE_MS = 60_000;

/** A migration of a newer version. */
const NEWER: NamedMigration = {
  name: '9999-of-a-newer-version',
  oldestVersion: VERSION,
  up: async (db) => {
    await db.raw("alter table applications add column later text not null default ''");
  },
};

describe('an upgrade and a downgrade under load', () => {
  const replicas: ServiceProcess[] = [];
  after(() => Promise.all(replicas.map((replica) => replica.kill())));
  const test = useService({ RUN_WORKERS: 'false' });
  const hook = suiteFixture(() => addHook(test.alice, SECRET));
  const balancer = suiteFixture(() => Balancer.start());

  const start = async (slot: number) => {
    const env = { ...new Admin(test).env, ...SOON_AGAIN, RUN_WORKERS: 'true', OPS_PORT: '0', MIGRATE: 'false' };
    const replica = await startServiceProcess(env);
    replicas[slot] = replica;
    balancer.put(slot, { url: replica.url, readyUrl: `${replica.operatorsUrl}/readyz` });
  };

  it('fail no request and lose no event while a reader holds the table; this version runs on the newer schema', async () => {
    await Promise.all([start(0), start(1)]);
    await eventually('both are ready', () => balancer.ready === 2);
    const alice = new Client(balancer.url, test.alice.clientId, test.alice.clientSecret);
    await alice.authenticate();
    const [usual, slowest] = [new Slowest(), new Slowest()];
    let measured = usual;
    const verified: string[] = [];
    let isOver = false;
    const call = async (caller: number) => {
      for (let turn = 0; !isOver; turn++, await wait(PAUSE_MS)) {
        const email = `caller-${caller}-${turn}+kyc-verified@mail.example`;
        const body = { title: email, tenants: [{ email, is_lead: true }] };
        const { data } = await measured.time(() => alice.ok('createApplication', { body }));
        const params = { applicationId: data.application_id };
        await measured.time(() => alice.ok('getApplication', { params }));
        if (turn % 5 > 0) continue;
        const { id: tenantId } = await test.tenant(email);
        await measured.time(() => alice.ok('initiateKyc', { params: { tenantId } }));
        verified.push(tenantId);
      }
    };
    const load = Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
    const upgrading = (async () => {
      await eventually('some were verified before', () => verified.length >= VERIFIED_BEFORE);
      measured = slowest;
      return upgradeAndReturn();
    })();
    // Reveals more than the error of the affected caller.
    const seen = (error: unknown) => {
      throw balancer.failures.length > 0 ? new Error(balancer.failures.join('\n')) : error;
    };
    const lockedOut = await Promise.race([load.then(() => 0), upgrading])
      .finally(() => {
        isOver = true;
      })
      .catch(seen);
    await load.catch(seen);
    expect(balancer.failures).to.deep.equal([]);
    await eventually('every verification was sent', () => {
      const told = new Set(hook.receiver.received.map(({ data }) => data?.['tenant_id']));
      return verified.every((tenantId) => told.has(tenantId));
    });
    expectWithin(MAX_MS, slowest, usual);
    figure(
      `0 of ${balancer.answered} requests failed, 0 of ${verified.length} events lost; the slowest took ${slowest.seconds}; ` +
        `the migration gave way ${lockedOut} times`,
    );
  }).timeout(READER_MS + 10 * MINUTE_MS);

  /**
   * @returns how often the migration yielded
   */
  async function upgradeAndReturn(): Promise<number> {
    const { database } = readConfig(new Admin(test).env);
    const reader = await open(database);
    const db = await open(database);
    try {
      let lockedOut = 0;
      const free = Promise.withResolvers<void>();
      // SQLite readers do not block writers.
      const held = dialect === 'postgres' ? await reader.transaction() : undefined;
      await held?.('applications').first('id');
      const release = Promise.all([free.promise, wait(READER_MS)]).then(() => held?.rollback());
      const onLocked = () => {
        if (++lockedOut === 2) free.resolve();
      };
      if (!held) free.resolve();
      expect(await migrate(db, { migrations: [...allMigrations, NEWER], onLocked })).to.deep.equal([NEWER.name]);
      await release;
      expect(await schemaStatus(db)).to.deep.include({ unknown: [NEWER.name], compatible: true });
      // Back to the current version, which does not know the new column.
      for (const slot of [0, 1]) {
        expect(await replicas[slot]?.stop()).to.equal(0);
        await start(slot);
        await eventually('both are ready', () => balancer.ready === 2);
      }
      return lockedOut;
    } finally {
      await disconnect(reader);
      await disconnect(db);
    }
  }
});
