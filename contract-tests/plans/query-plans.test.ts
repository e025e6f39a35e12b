import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PgBoss } from 'pg-boss';
import { startWorkers } from '../../bin/service/work.ts';
import { readConfig } from '../../core/settings/config.ts';
import { connect, type Database, disconnect } from '../../db/connection/connect.ts';
import { noteKey } from '../../db/connection/encryption-keys.ts';
import type { OperationId } from '../../handlers/handler.ts';
import { chooseAtEid } from '../../harness/browser/eid-page.ts';
import { choose } from '../../harness/browser/kyc-page.ts';
import { operations } from '../../harness/contract/contract.ts';
import { bulkId } from '../../harness/database/bulk-rows.ts';
import { dialect, preparedDatabase } from '../../harness/database/databases.ts';
import { operatorCommands, runCommand } from '../../harness/plans/operator-commands.ts';
import { type Fault, START, type Watch } from '../../harness/plans/watch.ts';
import { type WatchPostgres, watchPostgres } from '../../harness/plans/watch-postgres.ts';
import { watchSqlite } from '../../harness/plans/watch-sqlite.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { addHook, type Hook, tell } from '../../harness/service/deliveries.ts';
import { invitationPath, look, onboardingPath, submit } from '../../harness/service/links.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { retain } from '../../jobs/privacy/retain.ts';
import { promote } from '../../jobs/queue/promoter.ts';
import { chainAudit } from '../../jobs/upkeep/chain-audit.ts';
import { serviceState } from '../../jobs/upkeep/service-state.ts';
import { isExpected } from './exceptions.ts';
import { fill, KEPT_DAYS } from './filled.ts';
import { PAYLOAD_DAYS } from './gathered-work.ts';
import { application, requests } from './requests.ts';

/** Postgres may switch a named statement to a generic plan from its sixth execution. */
const TIMES = 8;
const KINDS = ['APPLICATIONS', 'REMOVED_PARTICIPANTS', 'DOCUMENTS', 'VERIFICATIONS', 'EID_ATTEMPTS', 'ANALYSES'];
const settings = {
  ...Object.fromEntries([...KINDS, 'ACCOUNTS', 'INVITATIONS'].map((kind) => [`RETAIN_${kind}_DAYS`, `${KEPT_DAYS}`])),
  WEBHOOK_RECORD_DAYS: `${KEPT_DAYS}`,
  WEBHOOK_PAYLOAD_DAYS: `${PAYLOAD_DAYS}`,
};

/** A search by a moment, or for what is not chained; not the statements of pg-boss, nor what goes by id. */
const OF_DUE_ROWS =
  /^(?!.*\bpgboss)(?!.*"id" (= \$|in \())\s*(select|with)\b.*\b(due_at|finished_at|created_at|expires_at|started_at|updated_at|removed_at|sent_at)"? (<|<=) |hash is null/is;

const asked = Object.keys(requests) as OperationId[];
const LISTS = 'the lists of operators';
const PAGES = 'the pages that people are sent to';
const work = {
  start: START,
  promote: 'the search for work that is due',
  chain: 'the chain of the audit log',
  state: 'the metrics for operators',
  retain: 'the forgetting of what was kept for long enough',
  event: 'an event',
  jobs: 'the jobs',
  ...(dialect === 'postgres' ? { queue: 'the queue', lists: LISTS } : {}),
};

describe(`no statement grows with the tables, on ${dialect}`, () => {
  let folder: string;
  let test: TestService;
  let watch: Watch;
  let postgresStatements: WatchPostgres['statements'];
  let client: Client;
  let hook: Hook;
  let faults: Fault[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'screening-plans-'));
    const DATABASE_URL = await preparedDatabase(folder);
    const env = { ...settings, DATABASE_URL, ENCRYPTION_KEY: randomBytes(32).toString('base64') };
    const { database, keys } = readConfig({ ...env, DATA_DIR: folder });
    const db = await connect(database);
    const { clientId, clientSecret } = await fill(db);
    await noteKey(db, keys.encryption.current, new Date());
    await disconnect(db);
    if (database.dialect === 'sqlite') watch = watchSqlite(database.file);
    else {
      const postgres = await watchPostgres(database.url);
      watch = postgres;
      postgresStatements = postgres.statements;
    }
    test = await startTestService({ ...env, RUN_WORKERS: 'false' });
    client = new Client(test.service.url, clientId, clientSecret);
    await client.authenticate();
    hook = await addHook(client);
    for (const operation of asked) await drive(operation);
    await watch.during(PAGES, drivePages);
    await driveWork();
    if (database.dialect === 'postgres') {
      await superviseQueue(database.url);
      await driveLists({ ...env, ...new Admin(test).env }, clientId);
    }
    faults = await watch.faults();
  });
  after(async () => {
    watch?.end();
    await test?.stop();
    await hook?.receiver.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function drive<Op extends OperationId>(operation: Op): Promise<void> {
    for (let time = 0; time < TIMES; time++)
      await watch.during(operation, () => client.ok(operation, requests[operation](time, hook.receiver.url)));
  }

  async function drivePages(): Promise<void> {
    const body = {
      title: 'Pages',
      tenants: ['lead', 'guest'].map((name) => ({ email: `${name}@pages.example`, is_lead: name === 'lead' })),
    };
    const { application_id } = (await client.ok('createApplication', { body })).data;
    const invitation = await invitationPath(test, application_id, 'guest@pages.example');
    await look(test, invitation);
    await submit(test, invitation, { answer: 'accept' });
    const onboarding = await onboardingPath(test, application_id, 'guest@pages.example');
    await look(test, onboarding);
    await submit(test, onboarding, { name: 'Jonas Weber', answer: 'accept' });
  }

  /** In this process, so that their statements are watched. */
  async function driveLists(env: Record<string, string>, clientId: string): Promise<void> {
    const before = { ...process.env };
    Object.assign(process.env, env);
    const { tenantIds } = application(0);
    const [landlordId, webhookId, actorId] = [bulkId('landlord', 500), bulkId('webhook', 5), bulkId('key', 2)];
    const commands = operatorCommands({ clientId, actorId, landlordId, tenantId: tenantIds[0], webhookId });
    try {
      for (const args of commands) await watch.during(LISTS, () => runCommand(args));
    } finally {
      process.env = before;
    }
  }

  async function driveWork(): Promise<void> {
    const { runtime } = test.service;
    const { db } = runtime;
    const [told, verified] = [application(TIMES).tenantIds[0], application(TIMES + 1)];
    await watch.during('what is arranged here', () => makeOverdue(db));
    await watch.during(work.promote, () => promote(runtime));
    await watch.during(work.chain, () => chainAudit(runtime));
    for (let time = 0; time < TIMES; time++) await watch.during(work.state, () => serviceState(runtime.db, new Date()));
    await watch.during(work.retain, () => retain(runtime));
    for (let time = 0; time < TIMES; time++) await watch.during(work.event, () => tell(test, told));
    const kyc = (await client.ok('initiateKyc', { params: { tenantId: verified.tenantIds[0] } })).data;
    const eid = (await client.ok('initiateEid', requests.initiateEid(TIMES + 1, ''))).data;
    await watch.during(work.jobs, async () => {
      const stop = await startWorkers(runtime);
      await choose(kyc.verification_url, 'verified');
      await chooseAtEid(eid.verification_link, 'Confirm my identity');
      await hook.receiver.next('EID_SUCCESS', TIMES + 1);
      await hook.receiver.next('KYC_VERIFICATION_DATA');
      await until(
        'nothing was due',
        async () =>
          !(await db('deliveries').where('due_at', '<', new Date().toISOString()).orderBy('due_at').first('id')),
      );
      await stop();
    });
  }

  const faultsBy = (by: string) => faults.filter((fault) => fault.by === by && !isExpected(fault));

  it('is checked for every operation of the contract', () => {
    expect(asked).to.have.members(operations.map(({ operationId }) => operationId));
  });

  for (const by of [...asked, PAGES, ...Object.values(work)])
    it(by, () => {
      expect(watch.sentBy(by)).to.be.above(0);
      const found = new Set(faultsBy(by).map(describeFault));
      if (found.size > 0) expect.fail(`\n${[...found].join('\n')}`);
    });

  if (dialect === 'postgres')
    it('reads what is due in parts: whatever searches by age or by moment ends with a limit', () => {
      const searching = [work.promote, work.chain, work.state, work.retain, work.jobs];
      const seen = postgresStatements().filter(({ by }) => searching.includes(by));
      const reads = [...new Set(seen.map(({ text }) => text))].filter((text) => OF_DUE_ROWS.test(text));
      expect(reads).to.have.length.above(10);
      expect(reads.filter((text) => !/\blimit\b|\bmin\(/i.test(text))).to.deep.equal([]);
    });

  for (const naming of ['', ' d', ' as d', ' as "d"'])
    it(`tells that a whole table is read that a statement calls ${naming.trim() || 'by its own name'}`, async () => {
      const by = `a search through deliveries${naming}`;
      const ownName = naming ? 'd' : 'deliveries';
      const search = `select ${ownName}.id from deliveries${naming} where ${ownName}.attempts > 5`;
      await watch.during(by, () => test.service.runtime.db.raw(search));
      const found = (await watch.faults()).filter((fault) => fault.by === by);
      expect(found.map(({ why }) => why)).to.include('reads all of deliveries');
    });

  it('tells which statement reads a whole table when an index is gone, and what sent it', async () => {
    const { runtime } = test.service;
    await runtime.db.raw('drop index deliveries_due_at_index');
    await watch.during('a search without its index', () => promote(runtime));
    const found = (await watch.faults()).filter(({ by }) => by === 'a search without its index');
    expect(found.map(({ why }) => why)).to.include('reads all of deliveries');
    expect(found.map(({ text }) => text).join()).to.match(/from [`"]deliveries[`"] where [`"]due_at[`"] </);
  });
});

/** As left behind by a killed process. */
async function makeOverdue(db: Database): Promise<void> {
  for (const table of ['invites', 'deliveries'] as const) {
    const rows = await db(table).whereNotNull('due_at').orderBy('due_at').limit(3).pluck('id');
    await db(table).whereIn('id', rows).update({ due_at: '2020-01-01T00:00:00.000Z' });
  }
}

/** The periodic maintenance of pg-boss. */
async function superviseQueue(connectionString: string): Promise<void> {
  const boss = new PgBoss({ connectionString, application_name: 'tenant-screening-queue', schedule: false });
  await boss.start();
  await boss.supervise();
  await boss.stop({ graceful: false });
}

/** Shortens long lists of values. */
function describeFault({ by, text, why, plan }: Fault): string {
  const short = (words: string) =>
    words.replace(/(, ?(\$\d+|\?)){3,}/g, ', …').replace(/(ANY \('\{.{80})[^}]*/g, '$1…');
  return `${by}: ${short(text)}\n${why}:\n${short(plan)}\n`;
}
