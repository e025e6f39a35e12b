import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { auditOperator } from '../../bin/admin/cli/operator.ts';
import { addTenant } from '../../db/applications/tenants.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { findInDatabase, findInFolder } from '../../harness/database/every-column.ts';
import { workDone } from '../../harness/database/open-work.ts';
import { dumped } from '../../harness/database/pg-dump.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { addDocument, holdPerson } from '../../harness/service/held-person.ts';
import { useService } from '../../harness/service/service.ts';
import type { Receipt } from '../../jobs/privacy/erase-receipt.ts';
import { askToBeErased } from '../../jobs/privacy/own-data.ts';
import { erasePerson } from '../../jobs/privacy/privacy-erase.ts';

databases('both');

const WORD = 'Canaria7Q';
const options = { note: auditOperator };

/** Where a person leaves traces. The test first asserts that each exists, so that their absence proves the erasure. */
const PLACES = [
  ...['applications.title', 'delivery_attempts.response_excerpt', 'documents.name', 'eid_flows.redirect_url'],
  ...[
    'participants.comparable_email',
    'participants.email',
    'participants.name',
    'tenants.comparable_email',
    'tenants.email',
    'tenants.name',
  ],
];

describe('an erasure with which an application ends', () => {
  const test = useService({ RUN_WORKERS: 'false' });

  it('waits for the answer to a former co-applicant who asked for erasure, too', async () => {
    const { runtime } = test.service;
    const tenants = ['last@mail.example', 'left@mail.example'].map((email, at) => ({ email, is_lead: at === 0 }));
    const { application_id: applicationId } = (
      await test.alice.ok('createApplication', { body: { title: 'Flat', tenants } })
    ).data;
    await test.alice.ok('removeParticipant', { params: { applicationId, email: 'left@mail.example' } });
    const people = await runtime.db('participants').orderBy('position').select('id', 'email');
    const apiKeyId = (await runtime.db('applications').pluck('api_key_id'))[0] ?? '';
    for (const { id, email } of people) await askToBeErased(runtime, { participantId: id, email, apiKeyId });
    const refusal = await erasePerson(runtime, 'last@mail.example', options).catch(String);
    expect(refusal).to.include('left@mail.example asked for erasure, too');
    const open = () => runtime.db('erasure_requests').whereNull('closed_at').pluck('participant_id');
    expect(await open()).to.have.members(people.map(({ id }) => id));
    await erasePerson(runtime, 'left@mail.example', options);
    expect(await open()).to.deep.equal([people[0]?.id]);
    await erasePerson(runtime, 'last@mail.example', options);
    expect(await runtime.db('erasure_requests').pluck('outcome')).to.deep.equal(['erased', 'erased']);
    expect(await runtime.db('applications')).to.deep.equal([]);
  });
});

describe('an erased person', () => {
  let receipt: Receipt;
  let ids: string[];
  const test = useService();
  const receiver = suiteFixture(() => Receiver.start());
  const person = suiteFixture(() => holdPerson(test, receiver, WORD));
  before(async () => {
    const { runtime } = test.service;
    const other = { email: 'other-owner@mail.example', name: 'Someone Else' };
    const { tenant } = await runtime.db.transaction((trx) => addTenant(trx, other, new Date()));
    for (const id of [person.tenantId, tenant.id])
      await addDocument(test, id, 'shared.pdf', 'a paper that two people handed in');
  });

  /** Finds jobs through the rows that refer to the account, because jobs carry the ids of those rows. */
  const idsOfRows = async () => {
    const ofTenant = { tenant_id: person.tenantId };
    const events: string[] = await db()('events').where(ofTenant).pluck('id');
    const rows = [events, await db()('deliveries').whereIn('event_id', events).pluck('id')];
    for (const table of ['kyc_verifications', 'eid_flows', 'forensic_runs', 'documents'] as const)
      rows.push(await db()(table).where(ofTenant).pluck('id'));
    return [person.tenantId, ...rows.flat()];
  };

  const db = () => test.service.runtime.db;
  const erase = () => erasePerson(test.service.runtime, person.tenantId, options);

  it('is first present in every place that can hold personal data', async () => {
    const found = await findInDatabase(db(), [WORD]);
    const places = found.map((place) => place.replace(/^public\./, '').replace(/: .*$/, ''));
    expect(places).to.include.members(PLACES);
    expect(await findInFolder(test.folder, person.words)).to.not.be.empty;
  });

  it('loses nothing in a dry run, which counts the same', async () => {
    await workDone(test.service.runtime.db);
    const rehearsal = await erasePerson(test.service.runtime, person.email, { ...options, dryRun: true });
    expect(await findInDatabase(db(), [WORD])).to.not.be.empty;
    expect(await db()('audit_entries').where({ action: 'tenant.erase' })).to.be.empty;
    const applications = await test.alice.ok('getApplication', {
      params: { applicationId: person.applications.led },
    });
    expect(JSON.stringify(applications)).to.include(person.email);
    ids = await idsOfRows();
    receipt = await erase();
    const { stored_documents, local_mails, ...rows } = receipt.counts;
    expect(rows).to.deep.equal(rehearsal.counts);
    expect(stored_documents).to.equal(2);
    expect(local_mails).to.be.above(2);
  });

  it('is in no column of any table, including the queue’s, and in no byte of the data folder', async () => {
    expect(await findInDatabase(db(), person.words)).to.deep.equal([]);
    expect(await findInFolder(test.folder, person.words)).to.deep.equal([]);
    const columns = new Set(
      (await findInDatabase(db(), ids)).map((place) => place.replace(/^public\./, '').split(':')[0]),
    );
    expect([...columns]).to.deep.equal(['audit_entries.resource_id']);
  });

  if (dialect === 'postgres')
    it('is in no dump of the database', async () => {
      const { database } = test.config;
      const sql = await dumped(database.dialect === 'postgres' ? database.url : '');
      expect(sql).to.include('erased.invalid');
      for (const word of person.words) expect(sql.toLowerCase(), word).to.not.include(word.toLowerCase());
    });

  it('gets the same answers as a person who never existed', async () => {
    const params = { tenantId: person.tenantId };
    const absent = { tenantId: '00000000-0000-4000-8000-000000000000' };
    for (const [operation, input] of [
      ['initiateKyc', {}],
      ['initiateEid', { body: { redirect_url: 'http://localhost:9/back' } }],
      ['runForensic', {}],
    ] as const) {
      const [gone, never] = await Promise.all(
        [params, absent].map((tenant) => test.alice.call(operation, { params: tenant, ...input })),
      );
      expect([gone?.status, gone?.text]).to.deep.equal([404, never?.text]);
    }
    const application = { applicationId: person.applications.alone };
    await test.alice.refused('getApplication', 404, { params: application });
  });

  it('leaves the others what they need: their applications, a lead, and their payments', async () => {
    const get = async (applicationId: string) =>
      (await test.alice.ok('getApplication', { params: { applicationId } })).data;
    const led = await get(person.applications.led);
    expect(led.title).to.match(/^Calle Mayor 1, \[erased\] \(\[erased\]\)$/);
    expect(led.participants.map(({ email }) => email)).to.deep.equal([person.friend]);
    const leads = await db()('participants').where({ is_lead: 1 }).whereNull('removed_at').select('email');
    expect(leads.map(({ email }) => email)).to.deep.equal(Array(3).fill(person.friend));
    expect((await get(person.applications.invitedTo)).title).to.equal('Calle Menor 2');
    const payments = await db()('payments').orderBy('is_protected').select('amount', 'is_protected', 'status');
    expect(payments).to.deep.equal([
      { amount: 1450.5, is_protected: 0, status: 'affected' },
      { amount: 1450.5, is_protected: 1, status: 'affected' },
    ]);
    const again = { title: 'Another', tenants: [{ email: person.friend, is_lead: true }] };
    const { application_id } = (await test.alice.ok('createApplication', { body: again })).data;
    expect(application_id).to.equal(person.applications.led);
  });

  it('leaves bytes that another tenant also submitted', async () => {
    expect(receipt.left.join()).to.include('also submitted: 1');
    const [document] = await db()('documents').where({ name: 'shared.pdf' });
    const content = await Array.fromAsync(test.service.runtime.providers.documents.get(document?.sha256 ?? ''));
    expect(Buffer.concat(content)).to.have.length(document?.size_bytes ?? 0);
  });

  it('leaves a receipt without personal data, whose time and id the audit log has', async () => {
    const { sha256, ...rest } = receipt;
    expect(createHash('sha256').update(JSON.stringify(rest)).digest('hex')).to.equal(sha256);
    for (const word of person.words) expect(JSON.stringify(receipt).toLowerCase()).to.not.include(word.toLowerCase());
    const entries = await db()('audit_entries').where({ action: 'tenant.erase' });
    expect(entries.map(({ at, resource_id, correlation_id }) => ({ at, resource_id, correlation_id }))).to.deep.equal([
      { at: receipt.erased_at, resource_id: person.tenantId, correlation_id: receipt.receipt_id },
    ]);
    expect(receipt.to_do.join()).to.include(test.landlords.ours).and.include('db restore');
  });

  it('is in no later event', async () => {
    const told = receiver.received.length;
    await db()('webhooks').update({ status: 'active' });
    expect(await db()('deliveries').where({ status: 'pending' })).to.be.empty;
    expect(receiver.received).to.have.length(told);
  });
});
