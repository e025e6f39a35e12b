import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PgBoss } from 'pg-boss';
import { startWorkers } from '../../bin/service/work.ts';
import { sealText } from '../../core/secrets/secrets.ts';
import { readConfig } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { noteKey } from '../../db/connection/encryption-keys.ts';
import type { OperationId } from '../../handlers/handler.ts';
import { chooseAtEid } from '../../harness/browser/eid-page.ts';
import { choose } from '../../harness/browser/kyc-page.ts';
import { operations } from '../../harness/contract/contract.ts';
import { bulkId } from '../../harness/database/bulk-rows.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { consolePages } from '../../harness/plans/console-pages.ts';
import { deskPages } from '../../harness/plans/desk-pages.ts';
import { operatorCommands, runCommand } from '../../harness/plans/operator-commands.ts';
import { type Fault, fewestSent, START, type Watch } from '../../harness/plans/watch.ts';
import { type WatchPostgres, watchPostgres } from '../../harness/plans/watch-postgres.ts';
import { watchSqlite } from '../../harness/plans/watch-sqlite.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { addHook, emitTestEvent, type Hook } from '../../harness/service/deliveries.ts';
import { finishedReport } from '../../harness/service/finished-report.ts';
import { invitationPath, look, onboardingPath, submit } from '../../harness/service/links.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { consoleRoutes, deskRoutes } from '../../http/backoffice/routes.ts';
import { logoPath } from '../../http/pages/brand-files.ts';
import { retain } from '../../jobs/privacy/retain.ts';
import { chainAudit } from '../../jobs/upkeep/chain-audit.ts';
import { serviceState, waitingWork } from '../../jobs/upkeep/service-state.ts';
import { promote } from '../../queue/promoter.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';
import { analysed } from '../console/scene.ts';
import { isExpected } from './exceptions.ts';
import { fill, KEPT_DAYS } from './filled.ts';
import { PAYLOAD_DAYS } from './gathered-work.ts';
import { application, requests } from './requests.ts';

databases('both');

/** Postgres may switch a named statement to a generic plan from its sixth execution. */
const TIMES = 8;
/** Filling the tables and driving everything, on a busy machine. */
const FILLING_MS = 600_000;
const KINDS = ['APPLICATIONS', 'REMOVED_PARTICIPANTS', 'DOCUMENTS', 'VERIFICATIONS', 'EID_ATTEMPTS', 'ANALYSES'];
const settings = {
  ...Object.fromEntries([...KINDS, 'ACCOUNTS', 'INVITATIONS'].map((kind) => [`RETAIN_${kind}_DAYS`, `${KEPT_DAYS}`])),
  WEBHOOK_RECORD_DAYS: `${KEPT_DAYS}`,
  WEBHOOK_PAYLOAD_DAYS: `${PAYLOAD_DAYS}`,
};

/** A search by time, or for unchained entries; not pg-boss's statements, nor searches by id. */
const OF_DUE_ROWS =
  /^(?!.*\bpgboss)(?!.*"id" (= \$|in \())\s*(select|with)\b.*\b(due_at|finished_at|created_at|expires_at|started_at|updated_at|removed_at|sent_at)"? (<|<=) |hash is null/is;

const asked = Object.keys(requests) as OperationId[];
const LISTS = 'the lists of operators';
const PAGES = 'the pages that people are sent to';
const CONSOLE_PAGES = 'the console of operators';
const DESK_PAGES = 'the desk of a landlord';
/** Independent of the number of rows: a page with one query per row would send more. The overview checks every condition. */
const MAX_STATEMENTS_PER_PAGE = 32;
const work = {
  start: START,
  promote: 'the search for work that is due',
  chain: 'the chain of the audit log',
  state: 'the metrics for operators',
  retain: 'retention',
  event: 'an event',
  jobs: 'the jobs',
  ...(dialect === 'postgres' ? { queue: 'the queue', lists: LISTS, console: CONSOLE_PAGES, desk: DESK_PAGES } : {}),
};

describe('no statement grows with the tables', () => {
  let folder: string;
  let test: TestService;
  let watch: Watch;
  let postgresStatements: WatchPostgres['statements'];
  let client: Client;
  let hook: Hook;
  let faults: Fault[];
  /** The number of statements sent, by console page. */
  const opened = new Map<string, number>();
  /** The same at the desk. */
  const visited = new Map<string, number>();

  before(async function () {
    this.timeout(FILLING_MS);
    folder = await mkdtemp(join(tmpdir(), 'screening-plans-'));
    const DATABASE_URL = await preparedDatabase(folder);
    const env = { ...settings, DATABASE_URL, ENCRYPTION_KEY: randomBytes(32).toString('base64') };
    // The limit for the statements that fill it, on a busy machine.
    const { database, keys } = readConfig({ ...env, DATA_DIR: folder, DATABASE_QUERY_SECONDS: '600' });
    const db = await connect(database);
    if (database.dialect === 'postgres') await keepFromAutovacuum(db);
    const { clientId, clientSecret } = await fill(db);
    // A page of the console shows for whom a report was made.
    await db('reports').update({ sealed_viewer: sealText('A viewer', keys.encryption) });
    await noteKey(db, keys.encryption.current, new Date());
    await disconnect(db);
    if (database.dialect === 'sqlite') watch = watchSqlite(database.file);
    else {
      const postgres = await watchPostgres(database.url);
      watch = postgres;
      postgresStatements = postgres.statements;
    }
    test = await startTestService({ ...env, ...CONSOLE, RUN_WORKERS: 'false' });
    client = new Client(test.service.url, clientId, clientSecret);
    await client.authenticate();
    hook = await addHook(client);
    for (const operation of asked) await drive(operation);
    await watch.during(PAGES, drivePages);
    await driveWork();
    if (database.dialect === 'postgres') {
      const { db } = test.service.runtime;
      await superviseQueue(database.url);
      // Autovacuum does the same within a minute: retention has just ended thousands of deliveries.
      await db.raw('analyze deliveries');
      await driveConsole(clientId);
      await driveDesk(clientId);
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
    await fetch(`${test.service.url}/${logoPath(bulkId('other', 5))}`);
  }

  async function driveConsole(clientId: string): Promise<void> {
    const viewer = await OperatorBrowser.signIn(test, 'viewer');
    const { applicationId, tenantIds } = application(0);
    const [landlordId, webhookId, actorId] = [bulkId('landlord', 500), bulkId('webhook', 5), bulkId('key', 2)];
    const opens = await watch.during('what is arranged here', () => openable(tenantIds[0], applicationId));
    const shown = { applicationId, ...opens, participantId: bulkId('participant', 20) };
    const pages = consolePages({ clientId, actorId, landlordId, tenantId: tenantIds[0], webhookId }, shown);
    for (const path of pages) opened.set(path, await sentForPage(CONSOLE_PAGES, viewer, path));
  }

  const sentForPage = (by: string, browser: OperatorBrowser | MemberBrowser, path: string) =>
    fewestSent(watch, by, MAX_STATEMENTS_PER_PAGE, async () =>
      expect((await browser.open(path)).status, path).to.equal(200),
    );

  async function driveDesk(clientId: string): Promise<void> {
    const { db } = test.service.runtime;
    const key = await db('api_keys').where({ client_id: clientId }).first('landlord_id');
    const delivery = await db('deliveries').where({ webhook_id: hook.id }).first('id');
    const admin = await watch.during('what is arranged here', () =>
      MemberBrowser.signIn(test, 'admin', { landlordId: key?.landlord_id ?? '' }),
    );
    const { applicationId, tenantIds } = application(0);
    const someone = { clientId, tenantId: tenantIds[0], webhookId: hook.id };
    const { id: reportId } = await watch.during('what is arranged here', () =>
      finishedReport(test.service.runtime, applicationId),
    );
    const workspaces = db('workspaces').where({ landlord_id: key?.landlord_id ?? '' });
    const property = await watch.during('what is arranged here', () =>
      db('properties').whereIn('workspace_internal_id', workspaces.select('id')).first('property_id'),
    );
    const propertyId = property?.property_id ?? bulkId('property', 1);
    const results = await watch.during('what is arranged here', () => resultsOf(tenantIds[0]));
    const shown = {
      ...results,
      applicationId,
      reportId,
      propertyId,
      deliveryId: delivery?.id ?? '',
      memberId: admin.id,
    };
    for (const path of deskPages(someone, shown)) visited.set(path, await sentForPage(DESK_PAGES, admin, path));
  }

  /** Rows inserted in bulk contain no sealed values. */
  async function openable(tenantId: string, applicationId: string) {
    const { db } = test.service.runtime;
    const runId = await analysed(test, tenantId);
    const { id: reportId } = await finishedReport(test.service.runtime, applicationId);
    const delivery = await db('deliveries').where({ webhook_id: hook.id }).first('id');
    const entry = await db('audit_entries').where({ position: 9_000 }).first('sequence');
    if (!delivery || !entry) return expect.fail('there is nothing to open');
    return {
      ...(await resultsOf(tenantId)),
      runId,
      reportId,
      deliveryId: delivery.id,
      sequence: String(entry.sequence),
    };
  }

  /** The newest analysis of a tenant, and one of their documents. */
  async function resultsOf(tenantId: string) {
    const { db } = test.service.runtime;
    const of = { tenant_id: tenantId };
    const document = await db('documents').where(of).orderBy('created_at', 'desc').first('id');
    const run = await db('forensic_runs').where(of).orderBy('created_at', 'desc').first('id');
    return { documentId: document?.id ?? '', runId: run?.id ?? '' };
  }

  /** Runs in this process, so that the statements are observed. */
  async function driveLists(env: Record<string, string>, clientId: string): Promise<void> {
    const before = { ...process.env };
    Object.assign(process.env, env);
    const { applicationId, tenantIds } = application(0);
    const [landlordId, webhookId, actorId] = [bulkId('landlord', 500), bulkId('webhook', 5), bulkId('key', 2)];
    const one = { clientId, actorId, landlordId, tenantId: tenantIds[0], webhookId };
    const commands = operatorCommands(one, applicationId);
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
    for (let time = 0; time < TIMES; time++)
      await watch.during(work.state, async () => [
        await waitingWork(runtime, new Date()),
        await serviceState(db, new Date()),
      ]);
    await watch.during(work.retain, () => retain(runtime));
    for (let time = 0; time < TIMES; time++) await watch.during(work.event, () => emitTestEvent(test, told));
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

  if (dialect === 'postgres') {
    for (const [name, routes, pages] of [
      ['console', consoleRoutes, opened],
      ['desk', deskRoutes, visited],
    ] as const)
      it(`is checked for every page of the ${name}`, () => {
        const paths = [...pages.keys()].map((path) => path.split('?', 1)[0] ?? '');
        const missed = routes.filter(({ method, path }) => method === 'GET' && !paths.some((one) => isOf(path, one)));
        expect(missed.map(({ path }) => path)).to.deep.equal([]);
      });

    it('sends few statements for a page of the console or the desk, the overviews included', () => {
      const costly = [...opened, ...visited].filter(
        ([, statements]) => statements === 0 || statements > MAX_STATEMENTS_PER_PAGE,
      );
      expect(costly).to.deep.equal([]);
    });
  }

  for (const by of [...asked, PAGES, ...Object.values(work)])
    it(by, () => {
      expect(watch.sentBy(by)).to.be.above(0);
      const found = new Set(faultsBy(by).map(describeFault));
      if (found.size > 0) expect.fail(`\n${[...found].join('\n')}`);
    });

  if (dialect === 'postgres')
    it('reads due rows in batches: every search by age or time has a limit', () => {
      const searching = [work.promote, work.chain, work.state, work.retain, work.jobs];
      const seen = postgresStatements().filter(({ by }) => searching.includes(by));
      const reads = [...new Set(seen.map(({ text }) => text))].filter((text) => OF_DUE_ROWS.test(text));
      expect(reads).to.have.length.above(10);
      expect(reads.filter((text) => !/\blimit\b|\bmin\(/i.test(text))).to.deep.equal([]);
    });

  for (const naming of ['', ' d', ' as d', ' as "d"'])
    it(`detects a whole-table read when a statement calls the table ${naming.trim() || 'by its own name'}`, async () => {
      const by = `a search through deliveries${naming}`;
      const ownName = naming ? 'd' : 'deliveries';
      const search = `select ${ownName}.id from deliveries${naming} where ${ownName}.attempts > 5`;
      await watch.during(by, () => test.service.runtime.db.raw(search));
      const found = await watch.faults(by);
      expect(found.map(({ why }) => why)).to.include('reads all of deliveries');
    });

  it('names the statement that reads a whole table when an index is missing, and its sender', async () => {
    const { runtime } = test.service;
    for (const index of ['deliveries_due_at_index', 'deliveries_due_by_key'])
      await runtime.db.raw(`drop index ${index}`);
    await watch.during('what is arranged here', () => makeOverdue(runtime.db));
    const by = 'a search without its index';
    await watch.during(by, () => promote(runtime));
    const found = await watch.faults(by);
    expect(found.map(({ why }) => why)).to.include('reads all of deliveries');
    expect(found.map(({ text }) => text).join()).to.match(/from deliveries where due_at > ''/);
  });
});

/** @param route a path with parameters, as in Express */
function isOf(route: string, path: string): boolean {
  return new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
}

/** Autovacuum runs at random times and affects which plans are cheapest for small partitions. The test analyses tables where it matters. */
async function keepFromAutovacuum(db: Database): Promise<void> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select oid::regclass::text as name from pg_class
       where relkind = 'r' and relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)`,
  );
  for (const { name } of rows) await db.raw(`alter table ${name} set (autovacuum_enabled = off)`);
}

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
