import { join } from 'node:path';
import { expect } from 'chai';
import { auditOperator } from '../../bin/admin/cli/operator.ts';
import { idsOf, newId } from '../../core/ids.ts';
import { lockAnyApplication } from '../../db/applications/applications.ts';
import { recordPayment } from '../../db/applications/payments.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { rememberCoApplicants } from '../../db/documents/co-applicants.ts';
import { insertDecision } from '../../db/documents/finding-decisions.ts';
import { insertLook } from '../../db/privacy/looks.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { findInDatabase, findInFolder } from '../../harness/database/every-column.ts';
import { workDone } from '../../harness/database/open-work.ts';
import { dumped } from '../../harness/database/pg-dump.ts';
import { listColumns, listReferences } from '../../harness/database/schema.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { Admin } from '../../harness/service/admin.ts';
import { BankPerson } from '../../harness/service/bank-person.ts';
import { startEidWorld } from '../../harness/service/eid-world.ts';
import { finishedReport } from '../../harness/service/finished-report.ts';
import { submit } from '../../harness/service/links.ts';
import { askForDocument, mailLink } from '../../jobs/invitations/person-mail.ts';
import { erasePerson } from '../../jobs/privacy/privacy-erase.ts';
import { readShared, shareReport } from '../../jobs/reports/reports.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';
import { impersonal } from '../docs/impersonal-columns.ts';

databases('both');

const WORD = 'Kormoran4Z';
const EMAIL = `${WORD}+kyc-verified+eid-verified@mail.example`;
const NAME = `${WORD} Surname`;
const FRIEND = 'the-friend@mail.example';

/** About operators and members, or evidence by ids alone. */
const NOT_ABOUT_APPLICANTS =
  /^(?:console_accounts|console_sessions|members|member_sessions|member_passkeys|member_mails|member_forms|member_notices|account_passkeys|account_forms|account_notices|audit_.*|sqlite_.*|knex_.*|due_work)$/;
/** What stays: evidence by ids, and the row of no one in the application of others, with its payments. */
const STAYS = [
  'audit_entries.actor',
  'audit_entries.resource_id',
  'erasure_requests.participant_id',
  'participants.id',
  'payments.id',
  'payments.participant_id',
];

describe('an erasure, table by table', () => {
  const world = suiteFixture(() => startEidWorld());
  const receiver = suiteFixture(() => Receiver.start());
  /** Ids of the person's rows, by table: of every table that the schema connects with the person. */
  const held = new Map<string, Set<string>>();
  let digests: string[] = [];
  let erasedSince = '';
  const test = () => world.test;
  const db = () => test().service.runtime.db;
  const documents = () => test().service.runtime.providers.documents;

  /** Collects the rows of one person, along every reference of the actual schema. */
  async function collect(roots: Record<string, string[]>): Promise<void> {
    const columns = await listColumns(db());
    const tables = new Set(columns.map(({ table }) => table));
    // Not every reference is a foreign key: the row may outlive what it names.
    const named = columns.map(({ table, column }) => ({ table, column, to: column.replace(/_id$/, 's') }));
    const references = [...(await listReferences(db())), ...named.filter(({ to }) => tables.has(to))];
    const hasId = (table: string) => columns.some((one) => one.table === table && one.column === 'id');
    const queue = Object.keys(roots);
    for (const [table, ids] of Object.entries(roots)) held.set(table, new Set(ids));
    for (let to = queue.shift(); to !== undefined; to = queue.shift())
      for (const { table, column } of references.filter((reference) => reference.to === to)) {
        const known = held.get(table) ?? new Set<string>();
        const rows: Record<string, unknown>[] = await db()(table)
          .whereIn(column, [...(held.get(to) ?? [])])
          .select('*');
        const found = rows.map((row) => String(hasId(table) ? row['id'] : row[column])).filter((id) => !known.has(id));
        if (rows.length > 0) held.set(table, new Set([...known, ...found]));
        if (found.length > 0 && hasId(table)) queue.push(table);
      }
  }

  before(async function () {
    this.timeout(240_000);
    const { runtime, url } = test().service;
    receiver.answer = () => ({ status: 200, body: WORD });
    await test().alice.ok('createWebhook', { body: { url: receiver.url } });
    const tenants = [FRIEND, EMAIL].map((email) => ({ email, is_lead: email === FRIEND }));
    const { data } = await test().alice.ok('createApplication', { body: { title: 'Shared', tenants } });
    const shared = data.application_id;
    await test().tenant(FRIEND);
    const person = await BankPerson.of(test(), EMAIL, NAME, `${WORD}-alone`);
    await person.handOver('salary');
    const page = `${url}${person.link}/documents`;
    const body = new FormData();
    body.append('type', 'payslip');
    body.append(
      'file',
      new Blob([new Uint8Array(sampleDocument([`Payslip of ${NAME}`, 'Net pay 2,214.35']))]),
      `${WORD}.pdf`,
    );
    expect((await fetch(page, { method: 'POST', body, redirect: 'manual' })).status).to.equal(303);
    const piece = { method: 'POST', body: Buffer.from(`a piece of ${WORD}`) };
    expect((await fetch(`${page}/pieces`, piece)).status).to.equal(200);
    const account = (await db()('tenants').where({ email: EMAIL }).first()) ?? expect.fail('no account');
    const participants = await db()('participants').where({ email: EMAIL }).orderBy('id');
    await test().alice.ok('initiateKyc', { params: { tenantId: account.id } });
    await workDone(db());
    const key = {
      tenant_id: account.id,
      api_key_id: (await db()('documents').where({ tenant_id: account.id }).first())?.api_key_id ?? '',
    };
    const run = await db()('forensic_runs').where({ tenant_id: account.id }).whereNotNull('result').first();
    const now = new Date();
    await inTransaction(db(), async (trx) => {
      const [one] = participants.filter(({ application_id }) => application_id !== shared);
      await lockAnyApplication(trx, one?.application_id ?? '');
      const asked = { id: one?.id ?? '', consent_status: 'accepted' } as const;
      await askForDocument(trx, runtime, asked, { type: 'payslip', reason: `${WORD} sent a blurred one` }, now);
      await insertLook(trx, key, { looker: 'agent', what: 'analysis' }, now);
      const decision = {
        decision: 'harmless',
        sealed_reason: '',
        decided_by: 'the test',
        decided_at: now.toISOString(),
      } as const;
      await rememberCoApplicants(trx, idsOf(participants));
      await insertDecision(trx, { run_id: run?.id ?? '', document_id: 'a', rule: 'b', finding: 0, ...decision });
      for (const { application_id } of participants)
        await recordPayment(trx, { applicationId: application_id, email: EMAIL, amount: 1, isProtected: true }, now);
    });
    await workDone(db());
    await inTransaction(db(), async (trx) => {
      const friend = await trx('participants').where({ email: FRIEND }).select('id');
      for (const { id } of [...participants, ...friend])
        await mailLink(trx, runtime, { id, consent_status: 'accepted' }, now);
    });
    const alone = participants.map(({ application_id }) => application_id).filter((id) => id !== shared);
    const { id: report } = await finishedReport(runtime, alone[0] ?? '');
    const by = { scope: ALL_LANDLORDS, actor: { kind: 'operator', id: 'the test' }, viewer: 'Ana' } as const;
    const copy = await shareReport(runtime, report, 7, by);
    await workDone(db());
    await readShared(runtime, copy.token);
    await submit(test(), `${person.link}/data/erasure`, {});
    await workDone(db());
    // A person on their way through the eID: it is open work.
    await new WebBrowser().signIn(await world.link(account.id), `${world.callback}?`, { login: 'ada' });
    digests = [
      ...(await db()('documents').where({ tenant_id: account.id }).pluck('sha256')),
      ...(await db()('upload_pieces').whereIn('participant_id', idsOf(participants)).pluck('sha256')).flatMap(
        (one) => one ?? [],
      ),
    ];
    await collect({ tenants: [account.id], participants: idsOf(participants), applications: alone });
  });

  it('is prepared with a row of the person in every table that can hold one', async () => {
    const tables = new Set((await listColumns(db())).map(({ table }) => table));
    const about = [...tables].filter((table) => !Object.hasOwn(impersonal, table) && !NOT_ABOUT_APPLICANTS.test(table));
    // By address, not by reference: it outlives the participant.
    expect(await db()('sent_mails').where({ comparable_email: EMAIL.toLowerCase() })).to.not.be.empty;
    expect(about.filter((table) => !held.has(table) && table !== 'sent_mails')).to.deep.equal([]);
    // An upload, a statement of the bank, and a piece of an upload.
    expect(digests).to.have.length(3);
    const kept = new Set((await Array.fromAsync(documents().kept())).map(({ sha256 }) => sha256));
    expect(digests.filter((digest) => !kept.has(digest))).to.deep.equal([]);
    expect(await findInFolder(test().folder, [WORD])).to.not.deep.equal([]);
  });

  /** Tables whose statistics contain a value of the person as an example. */
  async function examples(): Promise<string[]> {
    const { rows } = await db().raw(
      `select distinct tablename from pg_stats where schemaname = current_schema()
         and coalesce(most_common_vals::text, '') || coalesce(histogram_bounds::text, '') ilike ?`,
      [`%${WORD}%`],
    );
    return rows.map(({ tablename }: { tablename: string }) => tablename);
  }

  if (dialect === 'postgres')
    it('is prepared with examples of the person in the statistics, as autovacuum takes them', async () => {
      await db().raw('analyze');
      expect(await examples()).to.include.members(['participants', 'sent_mails']);
      erasedSince = (await db().raw('select clock_timestamp()::text as now')).rows[0].now;
    });

  it('leaves no row of the person in any table, but evidence by ids and the place of no one among others', async () => {
    await erasePerson(test().service.runtime, EMAIL, { note: auditOperator });
    const ids = [...held.values()].flatMap((some) => [...some]);
    expect(ids).to.have.length.above(30);
    const places = (await findInDatabase(db(), ids)).map((place) =>
      place
        .replace(/^public\./, '')
        .split(':', 1)
        .join(),
    );
    expect([...new Set(places)].filter((place) => !STAYS.includes(place))).to.deep.equal([]);
    expect(await findInDatabase(db(), [WORD])).to.deep.equal([]);
  });

  if (dialect === 'postgres') {
    it('leaves no dead row in any of these tables that Postgres may remove', async () => {
      const { rows } = await db().raw(
        `select coalesce(pg_partition_root(relid)::regclass::text, stat.relname) as name
           from pg_stat_user_tables as stat join pg_class on pg_class.oid = relid and relkind = 'r'
           where schemaname = current_schema() and (last_vacuum is null or last_vacuum < ?::timestamptz)`,
        [erasedSince],
      );
      const left = new Set(rows.map(({ name }: { name: string }) => name));
      expect([...held.keys(), 'sent_mails'].filter((table) => left.has(table))).to.deep.equal([]);
    });

    it('leaves no example of the person in the statistics of a table that has rows', async () => {
      const withRows: string[] = [];
      for (const table of await examples()) if (await db()(table).first()) withRows.push(table);
      expect(withRows).to.deep.equal([]);
    });
  }

  it('leaves no document, no piece of an upload, no mail and no statement of a bank in the files', async () => {
    const kept = new Set((await Array.fromAsync(documents().kept())).map(({ sha256 }) => sha256));
    expect(digests.filter((digest) => kept.has(digest))).to.deep.equal([]);
    expect(await findInFolder(test().folder, [WORD, ...digests])).to.deep.equal([]);
  });

  it('is in no later backup', async () => {
    const { database } = test().config;
    if (database.dialect === 'postgres') {
      const sql = (await dumped(database.url)).toLowerCase();
      expect(sql).to.include('erased.invalid').and.not.include(WORD.toLowerCase());
    } else {
      const to = join(test().folder, `backup-${newId()}`);
      await new Admin(test()).text('db', 'backup', '--to', to);
      expect(await findInFolder(to, [WORD, ...digests])).to.deep.equal([]);
    }
  });
});
