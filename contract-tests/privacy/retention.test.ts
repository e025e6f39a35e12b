import { rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect } from 'chai';
import { NotFound, ProviderUnavailable } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { PATIENT } from '../../core/settings/database-settings.ts';
import { recordPayment } from '../../db/applications/payments.ts';
import { open, withDatabase } from '../../db/connection/connect.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { wipeDeleted } from '../../db/connection/wipe.ts';
import { countTenantsWith } from '../../db/documents/documents.ts';
import { listErasureRequests } from '../../db/privacy/erasure-requests.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { findInDatabase, findInFolder } from '../../harness/database/every-column.ts';
import { refusingRows } from '../../harness/database/refused-rows.ts';
import { until } from '../../harness/process/until.ts';
import { addDocument } from '../../harness/service/held-person.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';
import { refuseErasure } from '../../jobs/privacy/operator-requests.ts';
import { askToBeErased } from '../../jobs/privacy/own-data.ts';
import { erasePerson } from '../../jobs/privacy/privacy-erase.ts';
import { retain, retentionNow } from '../../jobs/privacy/retain.ts';
import { writeAtomically } from '../../providers/documents/disk.ts';

databases('both');

const DAY_MS = 86_400_000;
const DAYS = 100;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const [old, young] = [daysAgo(DAYS + 1), daysAgo(DAYS - 1)];
const kinds = ['APPLICATIONS', 'REMOVED_PARTICIPANTS', 'ACCOUNTS', 'DOCUMENTS', 'VERIFICATIONS', 'EID_ATTEMPTS'];
const settings = Object.fromEntries(
  [...kinds, 'ANALYSES', 'INVITATIONS'].map((kind) => [`RETAIN_${kind}_DAYS`, String(DAYS)]),
);

/** Postgres ends an autovacuum that is in the way after a second. */
const waits = { DATABASE_LOCK_SECONDS: '3', DATABASE_IDLE_SECONDS: '60' };

describe('data with a retention period', () => {
  let test: TestService;
  beforeEach(async () => {
    test = await startTestService({ RUN_WORKERS: 'false', ...waits, ...settings });
  });
  afterEach(() => test.stop());

  const db = () => test.service.runtime.db;
  const forget = () => retain(test.service.runtime);
  const due = async (rule: string) =>
    (await retentionNow(test.service.runtime)).find((candidate) => candidate.rule === rule)?.due;
  const create = async (...emails: string[]) => {
    const tenants = emails.map((email, index) => ({ email, is_lead: index === 0 }));
    return (await test.alice.ok('createApplication', { body: { title: 'Flat', tenants } })).data.application_id;
  };
  const flow = (id: string, tenant_id: string, finished_at: string | null) => ({
    ...{ id, tenant_id, provider: 'sandbox', failures: 0, failure: null, due_at: null, sealed_memory: null },
    ...{ created_at: old, expires_at: young, finished_at },
  });
  const ids = async (table: 'kyc_verifications' | 'eid_flows' | 'forensic_runs' | 'invites' | 'onboarding_links') =>
    (await db()(table).orderBy('id').select('id')).map(({ id }) => id);

  it('includes unchanged applications, with everything that belongs to them', async () => {
    const [gone, kept] = [await create('gone@mail.example', 'gone-2@mail.example'), await create('kept@mail.example')];
    const paid = await create('paid@mail.example');
    const pay = (applicationId: string, email: string, moment: string) =>
      db().transaction((trx) =>
        recordPayment(trx, { applicationId, email, amount: 1, isProtected: true }, new Date(moment)),
      );
    await pay(gone, 'gone@mail.example', old);
    await pay(paid, 'paid@mail.example', young);
    await db()('applications').whereIn('id', [gone, paid]).update({ updated_at: old });
    await db()('applications').where({ id: kept }).update({ updated_at: young });
    expect(await due('applications')).to.equal(1);
    await forget();
    expect(await findInDatabase(db(), ['gone@mail', 'gone-2@mail'])).to.deep.equal([]);
    await test.alice.refused('getApplication', 404, { params: { applicationId: gone } });
    for (const applicationId of [kept, paid]) await test.alice.ok('getApplication', { params: { applicationId } });
    const entries = await db()('audit_entries').where({ action: 'database.retain' });
    expect(entries.map(({ actor_kind, actor, resource_id }) => [actor_kind, actor, resource_id])).to.deep.equal([
      ['service', 'service', 'applications'],
    ]);
  });

  it('excludes applications with a person whose verification is pending', async () => {
    const id = await create('verified@mail.example');
    const { id: tenantId } = await test.tenant('verified@mail.example');
    await test.alice.ok('initiateKyc', { params: { tenantId } });
    await db()('applications').update({ updated_at: old });
    expect(await due('applications')).to.equal(0);
    await db()('kyc_verifications').update({ status: 'expired', finished_at: young });
    expect(await due('applications')).to.equal(1);
    await forget();
    await test.alice.refused('getApplication', 404, { params: { applicationId: id } });
  });

  it('includes removed participants', async () => {
    const applicationId = await create('lead@mail.example', 'gone@mail.example', 'kept@mail.example');
    for (const email of ['gone@mail.example', 'kept@mail.example'])
      await test.alice.ok('removeParticipant', { params: { applicationId, email } });
    await db()('participants').where({ email: 'gone@mail.example' }).update({ removed_at: old });
    expect(await due('removed participants')).to.equal(1);
    await forget();
    const left = await db()('participants').orderBy('position').select('email');
    expect(left.map(({ email }) => email)).to.deep.equal(['lead@mail.example', 'kept@mail.example']);
  });

  it('excludes people whose request for erasure is open, until it is answered', async () => {
    const [asked, shared] = [
      await create('asked@mail.example'),
      await create('lead@mail.example', 'left@mail.example'),
    ];
    await test.alice.ok('removeParticipant', { params: { applicationId: shared, email: 'left@mail.example' } });
    const people = await db()('participants').whereIn('email', ['asked@mail.example', 'left@mail.example']);
    const keys = await db()('applications').pluck('api_key_id');
    for (const { id, email } of people)
      await askToBeErased(test.service.runtime, { participantId: id, email, apiKeyId: keys[0] ?? '' });
    await db()('participants').whereNotNull('removed_at').update({ removed_at: old });
    await db()('applications').where({ id: asked }).update({ updated_at: old });
    expect([await due('applications'), await due('removed participants')]).to.deep.equal([0, 0]);
    await forget();
    expect((await listErasureRequests(db(), ALL_LANDLORDS, {}, 10)).map(({ email }) => email)).to.have.members(
      people.map(({ email }) => email),
    );
    for (const { id } of people)
      await refuseErasure(test.service.runtime, id, 'We must keep it.', { kind: 'operator', id: 'olga' });
    expect([await due('applications'), await due('removed participants')]).to.deep.equal([1, 1]);
    await forget();
    expect(await findInDatabase(db(), ['asked@mail', 'left@mail', 'We must keep it'])).to.deep.equal([]);
  });

  it('leaves what a co-applicant may have submitted, too, known after the participations are forgotten', async () => {
    const people = ['lead', 'purged', 'partly', 'stranger'] as const;
    const of = Object.fromEntries(
      await Promise.all(people.map(async (name) => [name, await test.tenant(`${name}@mail.example`)] as const)),
    );
    for (const { id } of Object.values(of)) await addDocument(test, id, 'joint.pdf', 'a joint paper');
    const [{ sha256 = '' } = {}] = await db()('documents').select('sha256');
    const others = async (name: (typeof people)[number]) =>
      countTenantsWith(db(), of[name]?.id ?? '', { kind: 'file', value: sha256 });
    const applicationId = await create('lead@mail.example', 'purged@mail.example', 'partly@mail.example');
    expect([await others('lead'), await others('purged'), await others('stranger')]).to.deep.equal([1, 1, 3]);
    await test.alice.ok('removeParticipant', { params: { applicationId, email: 'purged@mail.example' } });
    await db()('participants').whereNotNull('removed_at').update({ removed_at: old });
    await forget();
    const apiKeyIds: string[] = await db()('api_keys').pluck('id');
    await erasePerson(test.service.runtime, 'partly@mail.example', { note: async () => {}, scope: { apiKeyIds } });
    await addDocument(test, of['partly']?.id ?? '', 'joint.pdf', 'a joint paper');
    await db()('applications').update({ updated_at: old });
    await forget();
    expect(await db()('participants')).to.deep.equal([]);
    expect([await others('lead'), await others('purged'), await others('partly')]).to.deep.equal([1, 1, 1]);
    expect(await others('stranger')).to.equal(3);
    await erasePerson(test.service.runtime, 'lead@mail.example', { note: async () => {} });
    expect(await findInDatabase(db(), [of['lead']?.id ?? ''])).to.deep.equal([]);
  });

  it('cannot be asked about once it is forgotten', async () => {
    const apiKeyId = (await db()('api_keys').pluck('id'))[0] ?? '';
    const gone = { participantId: newId(), email: 'gone@mail.example', apiKeyId };
    const refusal = await askToBeErased(test.service.runtime, gone).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(NotFound);
    expect(await db()('erasure_requests')).to.deep.equal([]);
  });

  it('includes accounts that take part in nothing, which are erased completely', async () => {
    const people = ['idle', 'active', 'left-lately', 'fresh'];
    for (const name of people) await test.tenant(`${name}@mail.example`, { name, documents: name === 'idle' ? 1 : 0 });
    await db()('tenants').whereNot({ name: 'fresh' }).update({ created_at: old });
    const applicationId = await create('active@mail.example', 'left-lately@mail.example');
    const params = { applicationId, email: 'left-lately@mail.example' };
    await test.alice.ok('removeParticipant', { params });
    expect(await due('accounts')).to.equal(1);
    await forget();
    const left = await db()('tenants').orderBy('name').select('name');
    expect(left.map(({ name }) => name)).to.deep.equal(['active', 'fresh', 'left-lately']);
    expect(await findInDatabase(db(), ['idle@mail.example'])).to.deep.equal([]);
    expect(await findInFolder(test.folder, ['idle@mail.example'])).to.deep.equal([]);
  });

  it('includes accounts by their last participation, even after that was purged', async () => {
    await test.stop();
    test = await startTestService({
      ...{ RUN_WORKERS: 'false', RETAIN_ACCOUNTS_DAYS: String(DAYS) },
      ...{ RETAIN_REMOVED_PARTICIPANTS_DAYS: '10', RETAIN_APPLICATIONS_DAYS: '10' },
    });
    await test.tenant('left@mail.example', { name: 'left' });
    await db()('tenants').update({ created_at: old });
    const applicationId = await create('lead@mail.example', 'left@mail.example');
    await test.alice.ok('removeParticipant', { params: { applicationId, email: 'left@mail.example' } });
    await db()('participants')
      .where({ email: 'left@mail.example' })
      .update({ removed_at: daysAgo(11) });
    await forget();
    expect(await db()('participants').where({ email: 'left@mail.example' })).to.deep.equal([]);
    expect(await db()('tenants').pluck('name')).to.deep.equal(['left']);
    test.setNow(new Date(Date.now() + (DAYS - 10) * DAY_MS));
    await forget();
    expect(await db()('tenants').pluck('name')).to.deep.equal([]);
  });

  it('includes accounts by their last participation, even after an erasure for one landlord', async () => {
    await test.tenant('partly@mail.example', { name: 'partly' });
    await create('lead@mail.example', 'partly@mail.example');
    await db()('tenants').update({ created_at: old });
    const apiKeyIds: string[] = await db()('api_keys').pluck('id');
    await erasePerson(test.service.runtime, 'partly@mail.example', { note: async () => {}, scope: { apiKeyIds } });
    await forget();
    expect(await db()('tenants').where({ name: 'partly' })).to.have.length(1);
    test.setNow(new Date(Date.now() + (DAYS + 1) * DAY_MS));
    await forget();
    expect(await db()('tenants').where({ name: 'partly' })).to.deep.equal([]);
  });

  it('includes accounts behind any number of others that cannot be erased, which is reported', async () => {
    const moment = (serial: number) => new Date(Date.parse(old) + serial).toISOString();
    const accounts = Array.from({ length: 102 }, (_, serial) => {
      const email = `account-${serial}@mail.example`;
      return { id: newId(), email, comparable_email: email, name: '', created_at: moment(serial) };
    });
    await db().batchInsert('tenants', accounts, 20);
    const stuck = accounts.slice(0, 101).map(({ id }) => id);
    const refused = { table: 'tenants', change: 'delete', column: 'id', values: stuck } as const;
    const failure = await refusingRows(db(), refused, () => forget().then(() => undefined, String));
    expect(failure).to.include('refused');
    expect(await db()('tenants').orderBy('created_at').pluck('id')).to.deep.equal(stuck);
  });

  it('is wiped from the database files even when an erasure was interrupted before that', async () => {
    const { id } = await test.tenant('cut-off@mail.example');
    await erasePerson(test.service.runtime, id, { note: async () => {}, isFinishedLater: true });
    expect(await db()('owed_wipes')).to.have.length(1);
    await forget();
    expect(await db()('owed_wipes')).to.deep.equal([]);
    expect(await findInFolder(test.folder, ['cut-off@mail.example'])).to.deep.equal([]);
  });

  if (dialect === 'sqlite')
    it('is wiped from the database files once another process has ended its transaction', async () => {
      const { database } = test.config;
      const other = new Sqlite(database.dialect === 'sqlite' ? database.file : '');
      const end = () => other.inTransaction && other.exec('commit');
      other.exec('begin immediate');
      db().once('query-error', end);
      expect(await wipeDeleted(db()), 'it writes').to.equal(true);
      other.exec('begin; select * from tenants');
      db().on('query-response', (_rows: unknown, { sql }: { sql: string }) => /checkpoint/.test(sql) && end());
      expect(await wipeDeleted(db()), 'it reads').to.equal(true);
      other.close();
    });

  if (dialect === 'postgres') {
    it('excludes what is no longer due once its lock was waited for', async () => {
      const applicationId = await create('payer@mail.example');
      await db()('applications').update({ updated_at: old });
      const forgetting = await inTransaction(db(), async (trx) => {
        const payment = { applicationId, email: 'payer@mail.example', amount: 1, isProtected: true };
        await recordPayment(trx, payment, new Date());
        const waiting = forget();
        await until('it waits for the lock', () =>
          db()('pg_stat_activity')
            .where({ wait_event_type: 'Lock' })
            .whereRaw('datname = current_database()')
            .first('pid'),
        );
        return { waiting };
      });
      await forgetting.waiting;
      await test.alice.ok('getApplication', { params: { applicationId } });
    });

    it('is forgotten although another process keeps an earlier erasure from being wiped, which is made up for', async () => {
      const { id } = await test.tenant('in-the-way@mail.example');
      await erasePerson(test.service.runtime, id, { note: async () => {}, isFinishedLater: true });
      await test.tenant('idle@mail.example');
      await db()('tenants').update({ created_at: old });
      const wipedSince = 'select last_vacuum >= ?::timestamptz as isWiped from pg_stat_user_tables where relname = ?';
      const since = new Date().toISOString();
      await db().transaction(async (trx) => {
        await trx.raw('lock table tenants in share update exclusive mode');
        await forget();
      });
      for (const table of ['sent_mails', 'upload_pieces'])
        expect((await db().raw(wipedSince, [since, table])).rows, `${table} is not in the way`).to.deep.equal([
          { iswiped: true },
        ]);
      expect(await db()('tenants')).to.deep.equal([]);
      expect(await db()('owed_wipes')).to.have.length(2);
      await forget();
      expect(await db()('owed_wipes')).to.deep.equal([]);
    });

    it('is wiped from tables that take longer than the service waits for a statement', async () => {
      const limits = { ...PATIENT, queryMs: 2 };
      expect(await withDatabase(open(test.config.database, { limits }), wipeDeleted)).to.equal(true);
    });
  }

  it('ends with a receipt that says what to do when an erasure can reach neither the bytes of documents nor mails', async () => {
    const { id } = await test.tenant('away@mail.example', { documents: 2 });
    await create('lead@mail.example', 'away@mail.example');
    const [invite = ''] = await ids('invites');
    await workOn(test.service.runtime, 'send-invite', invite);
    const places = ['documents', 'mailbox'].map((name) => [
      join(test.folder, name),
      join(test.folder, `${name}-aside`),
    ]);
    for (const [folder = '', aside = ''] of places) {
      await rename(folder, aside);
      await writeFile(folder, 'no folder');
    }
    const receipt = await erasePerson(test.service.runtime, id, { note: async () => {} });
    for (const [folder = '', aside = ''] of places) {
      await rm(folder);
      await rename(aside, folder);
    }
    expect(receipt.counts).to.include({ tenants: 1, documents: 2 });
    expect(receipt.left.join())
      .to.include('whose store was unavailable: 2.')
      .and.include('Mails on the machine of the service')
      .and.include('files of the database');
    expect(receipt.to_do.join()).to.include('document tidy');
    await forget();
    expect(await test.service.runtime.providers.mailbox?.read(invite)).to.equal(undefined);
  });

  it('is purged although the store of documents is unavailable, which is reported; the bytes go once it is back', async () => {
    const { id } = await test.tenant('stored@mail.example', { documents: 1 });
    const [stored_document] = await db()('documents');
    const many = Array.from({ length: 150 }, () => ({ ...stored_document, id: newId(), sha256: newId() }));
    await db().batchInsert('documents', many, 50);
    await db()('documents').update({ created_at: old });
    await db()('eid_flows').insert({
      ...flow('old', id, old),
      status: 'succeeded',
      redirect_url: 'https://old.example',
    });
    const [folder, aside] = [join(test.folder, 'documents'), join(test.folder, 'aside')];
    await rename(folder, aside);
    await writeFile(folder, 'no folder');
    const failure = await forget().then(
      () => undefined,
      (error: unknown) => error,
    );
    await rm(folder);
    await rename(aside, folder);
    expect(failure).to.be.instanceOf(ProviderUnavailable);
    expect([await ids('eid_flows'), await db()('documents')]).to.deep.equal([[], []]);
    const stored = () => Array.fromAsync(test.service.runtime.providers.documents.kept());
    expect(await stored()).to.have.length(1);
    test.setNow(new Date(Date.now() + 25 * 3_600_000));
    await forget();
    expect([await stored(), await db()('document_moves')]).to.deep.equal([[], []]);
  });

  it('includes documents with their bytes, unless another tenant submitted them later', async () => {
    const [one, two] = [await test.tenant('one@mail.example'), await test.tenant('two@mail.example')];
    await addDocument(test, one.id, 'alone.pdf', 'alone');
    for (const { id } of [one, two]) await addDocument(test, id, 'shared.pdf', 'shared');
    await db()('documents').where({ tenant_id: one.id }).update({ created_at: old });
    const { documents } = test.service.runtime.providers;
    const stored = () => Array.fromAsync(documents.kept(), ({ sha256 }) => sha256);
    for (const sha256 of await stored()) {
      const file = join(test.folder, 'documents', sha256.slice(0, 2), sha256);
      await utimes(file, new Date(old), new Date(old));
    }
    expect(await due('documents')).to.equal(2);
    await forget();
    const [left, ...others] = await db()('documents');
    expect([left?.tenant_id, left?.name, others.length]).to.deep.equal([two.id, 'shared.pdf', 0]);
    expect(await stored()).to.deep.equal([left?.sha256]);
  });

  it('includes results of verifications and analyses; the fact that they succeeded stays', async () => {
    const { id } = await test.tenant('one@mail.example');
    const told = { result: '{"secret":"told"}' };
    await db()('kyc_verifications').insert([
      { ...flow('gone', id, old), status: 'verified', ...told },
      { ...flow('kept', id, young), status: 'rejected', result: null, failure: 'kept' },
    ]);
    await db()('forensic_runs').insert([
      { id: 'gone', tenant_id: id, status: 'completed', created_at: old, finished_at: old, ...told },
      { id: 'kept', tenant_id: id, status: 'completed', created_at: old, finished_at: young, ...told },
    ]);
    const decided = {
      rule: 'any',
      finding: 1,
      decision: 'unclear',
      sealed_reason: '',
      decided_by: 'ana',
      decided_at: young,
    } as const;
    await db()('finding_decisions').insert(
      ['gone', 'kept'].map((run_id) => ({ ...decided, id: run_id, run_id, document_id: null })),
    );
    await db()('eid_flows').insert([
      { ...flow('gone', id, old), status: 'succeeded', redirect_url: 'https://gone.example' },
      { ...flow('kept', id, young), status: 'succeeded', redirect_url: 'https://kept.example' },
      { ...flow('open', id, null), status: 'pending', redirect_url: 'https://kept.example' },
    ]);
    const attempt = { browser_hash: '', sealed_luggage: '', created_at: old, used_at: null };
    await db()('eid_attempts').insert(
      ['gone', 'kept', 'open'].map((flow_id) => ({ ...attempt, flow_id, state_hash: flow_id })),
    );
    expect([await due('KYC results'), await due('eID flows'), await due('analyses')]).to.deep.equal([1, 1, 1]);
    await forget();
    for (const table of ['kyc_verifications', 'forensic_runs'] as const) {
      const rows = await db()(table).orderBy('id').select('id', 'status', 'result', 'failure');
      expect(rows[0]).to.include({ id: 'gone', result: null, failure: null });
      expect(rows[0]?.status).to.match(/verified|completed/);
      expect(rows[1]?.result ?? rows[1]?.failure).to.be.a('string');
    }
    expect(await db()('finding_decisions').pluck('run_id')).to.deep.equal(['kept']);
    expect(await ids('eid_flows')).to.deep.equal(['kept', 'open']);
    const attempts = await db()('eid_attempts').select('flow_id');
    expect(attempts.map(({ flow_id }) => flow_id)).to.deep.equal(['open']);
  });

  it('includes finished invitations and expired links, and local mails', async () => {
    await create('lead@mail.example', 'gone@mail.example', 'valid@mail.example', 'waiting@mail.example');
    const inviteOf = async (email: string) => {
      const participant = await db()('participants').where({ email }).first('id');
      return (
        (
          await db()('invites')
            .where({ participant_id: participant?.id ?? '' })
            .first('id')
        )?.id ?? ''
      );
    };
    const sent = { status: 'sent' as const, due_at: null, finished_at: old };
    const [gone, valid] = [await inviteOf('gone@mail.example'), await inviteOf('valid@mail.example')];
    await db()('invites')
      .where({ id: gone })
      .update({ ...sent, expires_at: old });
    await db()('invites')
      .where({ id: valid })
      .update({ ...sent, expires_at: daysAgo(-1) });
    // People who may still answer can be invited again.
    await db()('participants').where({ email: 'gone@mail.example' }).update({ consent_status: 'accepted' });
    await db()('invites')
      .where({ id: await inviteOf('waiting@mail.example') })
      .update({ ...sent, expires_at: old });
    const participant = await db()('participants').first('id');
    const link = { participant_id: participant?.id ?? '', used_at: null, created_at: old };
    await db()('onboarding_links').insert([
      { ...link, id: 'gone', token_hash: newId(), expires_at: old },
      { ...link, id: 'kept', token_hash: newId(), expires_at: young },
    ]);
    const mail = async (id: string, moment: string) => {
      const file = join(test.folder, 'mailbox', `${id}.eml`);
      await writeAtomically(file, Buffer.from('mail'));
      await utimes(file, new Date(moment), new Date(moment));
    };
    for (const [id, moment] of [[gone, young] as const, [valid, young] as const, [newId(), young] as const])
      await mail(id, moment);
    const waiting = await inviteOf('waiting@mail.example');
    await mail(waiting, old);
    expect([await due('invitations'), await due('onboarding links'), await due('local mails')]).to.deep.equal([
      1, 1, 1,
    ]);
    await forget();
    expect(await ids('invites')).to.have.members([valid, waiting]);
    expect(await ids('onboarding_links')).to.deep.equal(['kept']);
    const mails = await Array.fromAsync(test.service.runtime.providers.localMails.kept(), ({ id }) => id);
    expect(mails).to.deep.equal([valid]);
  });

  it('is purged completely, however much there is', async () => {
    const { id } = await test.tenant('one@mail.example');
    const many = Array.from({ length: 350 }, () => ({
      ...{ id: newId(), tenant_id: id, status: 'completed' as const, result: '{}' },
      ...{ created_at: old, finished_at: old },
    }));
    await db().batchInsert('forensic_runs', many, 50);
    await forget();
    expect(await db()('forensic_runs').whereNotNull('result')).to.be.empty;
    expect(await due('analyses')).to.equal(0);
  });
});

describe('data without a retention period', () => {
  it('is kept', async () => {
    const test = await startTestService({ RUN_WORKERS: 'false' });
    try {
      const { runtime } = test.service;
      await test.tenant('one@mail.example', { documents: 1 });
      await runtime.db('tenants').update({ created_at: '2000-01-01T00:00:00.000Z' });
      await runtime.db('documents').update({ created_at: '2000-01-01T00:00:00.000Z' });
      await retain(runtime);
      expect(await runtime.db('documents')).to.have.length(1);
      expect(
        (await retentionNow(runtime)).filter(({ days }) => days !== null).map(({ setting }) => setting),
      ).to.deep.equal(['WEBHOOK_PAYLOAD_DAYS', 'WEBHOOK_RECORD_DAYS']);
    } finally {
      await test.stop();
    }
  });
});
