import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { readConfig } from '../../core/settings/config.ts';
import { disconnect, open } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { openWork } from '../../harness/database/open-work.ts';
import { dumped } from '../../harness/database/pg-dump.ts';
import { figure, times } from '../../harness/mocha/figures.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { type Received, Receiver } from '../../harness/peers/receiver.ts';
import { startServiceProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

/** Another process works, for as long as a busy machine takes: only a standstill is too long. */
async function workDone(db: Database): Promise<void> {
  let open = (await openWork(db)).length;
  while (open > 0) {
    const before = open;
    ({ open } = await until('further work was done', async () => {
      const now = (await openWork(db)).length;
      return now !== before && { open: now };
    }));
  }
}

const PEOPLE = times(8, 80);
const MINUTE_MS = 60_000;
/** Slow enough that the backup finds people in every state. */
const SLOWLY = { SANDBOX_DELAY_MS: '400' };

describe('a restored backup that was made under load', () => {
  const test = useService({ RUN_WORKERS: 'false', ...SLOWLY });
  const receiver = suiteFixture(() => Receiver.start());

  /** By the recipe of docs/operating/back-up.md. @returns the settings of the restored service */
  const backUpAndRestoreLater = async (admin: Admin): Promise<() => Promise<Record<string, string>>> => {
    const folder = join(test.folder, 'elsewhere');
    await mkdir(folder);
    const { database } = test.config;
    if (database.dialect === 'sqlite') {
      const backup = join(test.folder, 'backup');
      await admin.text('db', 'backup', '--to', backup);
      const env = { ...admin.env, DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, 'service.db')}` };
      return async () => {
        await cp(join(test.folder, 'keys'), join(folder, 'keys'), { recursive: true });
        const restored = await admin.run(['db', 'restore', '--from', backup, '--yes'], env);
        expect(restored).to.include({ code: 0, stderr: '' });
        return env;
      };
    }
    const sql = await dumped(database.url);
    await cp(join(test.folder, 'documents'), join(folder, 'documents'), { recursive: true });
    const env = { ...admin.env, DATA_DIR: folder, DATABASE_URL: await freshDatabase(folder) };
    return async () => {
      await cp(join(test.folder, 'keys'), join(folder, 'keys'), { recursive: true });
      const client = new pg.Client({ connectionString: env.DATABASE_URL });
      await client.connect();
      await client.query(sql);
      await client.end();
      return env;
    };
  };

  it('sends each event again with the webhook-id that it had', async () => {
    const admin = new Admin(test);
    await test.alice.ok('createWebhook', { body: { url: receiver.url, secret: 'of the drill' } });
    const service = await startServiceProcess({ ...admin.env, ...SLOWLY });
    let restore: (() => Promise<Record<string, string>>) | undefined;
    try {
      for (let person = 0; person < PEOPLE; person++) {
        const { id: tenantId } = await test.tenant(`person-${person}+kyc-verified@mail.example`, {
          of: test.alice,
          documents: 1,
        });
        await test.alice.ok('initiateKyc', { params: { tenantId } });
        if (person === Math.floor(PEOPLE / 2)) restore = await backUpAndRestoreLater(admin);
      }
      for (let person = 1; person <= PEOPLE; person++) await receiver.next('FORENSIC_ANALYSIS_DATA', person);
      await workDone(test.service.runtime.db);
    } finally {
      await service.stop();
    }
    const before = receiver.received.splice(0);
    const env = (await restore?.()) ?? expect.fail('there was no backup');
    const restored = await startServiceProcess({ ...env, ...SLOWLY });
    const db = await open(readConfig(env).database);
    try {
      await until('all work was done again', async () => receiver.received.length > 0);
      await workDone(db);
    } finally {
      await disconnect(db);
      await restored.stop();
    }
    const again = receiver.received;
    expect(receiver.faults).to.deep.equal([]);
    for (const { headers } of [...before, ...again]) expect(headers['webhook-id']).to.match(/^msg_/);
    const idsOf = (events: readonly Received[]) =>
      Map.groupBy(events, ({ event, data }) => `${event} ${data?.['tenant_id']}`);
    const both = idsOf([...before, ...again]);
    const twice = [...both].filter(
      ([, events]) => new Set(events.map(({ headers }) => headers['webhook-id'])).size > 1,
    );
    figure(
      `${dialect}: ${PEOPLE} people, ${before.length} deliveries, ${again.length} sent again, of which with two ids: ${twice.length}`,
    );
    expect(twice.map(([name]) => name)).to.deep.equal([]);
    // What was under way, at least one person's verification or analysis, happened again.
    expect(again).to.not.be.empty;
  }).timeout((PEOPLE + 10) * MINUTE_MS);
});
