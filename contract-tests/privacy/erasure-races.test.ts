import { Readable } from 'node:stream';
import { expect } from 'chai';
import { auditOperator } from '../../bin/admin/cli/operator.ts';
import { NotFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { databases } from '../../harness/database/dialect.ts';
import { findInDatabase, findInFolder } from '../../harness/database/every-column.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { pieces, refusal } from '../../harness/service/document-stores.ts';
import { addDocument } from '../../harness/service/held-person.ts';
import { useService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { workOn } from '../../harness/service/work.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { startForensic } from '../../jobs/documents/start-forensic.ts';
import { agreeToEid, handleEidCallback, startEid, startEidAuthorization } from '../../jobs/identity/eid-flows.ts';
import { startKyc } from '../../jobs/identity/kyc-verifications.ts';
import { recordLook, recordLooks, showLook } from '../../jobs/privacy/looks.ts';
import { erasePerson } from '../../jobs/privacy/privacy-erase.ts';
import type { JobName, Runtime } from '../../jobs/runtime.ts';
import { emitEvent } from '../../jobs/webhooks/emit-event.ts';
import type { Providers } from '../../providers/providers.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';

databases('both');

const BACK = 'http://localhost:9/back';

describe('an erasure during other work', () => {
  let runtime: Runtime;
  let turn = 0;
  let word = '';
  let tenantId = '';
  let applicationId = '';
  let of: TenantOfKey;
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const operator = suiteFixture(() => OperatorBrowser.signIn(test, 'operator'));
  const receiver = suiteFixture(() => Receiver.start());
  before(async () => {
    runtime = test.service.runtime;
    await test.alice.ok('createWebhook', { body: { url: receiver.url } });
  });
  beforeEach(async () => {
    word = `Canaria${++turn}Q`;
    const email = `${word}@mail.example`;
    ({ id: tenantId } = await test.tenant(email, { name: word }));
    const tenants = [
      { email, is_lead: true },
      { email: `friend-${turn}@mail.example`, is_lead: false },
    ];
    ({ application_id: applicationId } = (
      await test.alice.ok('createApplication', { body: { title: `Flat of ${word}`, tenants } })
    ).data);
    of = await ofTheirKey(runtime.db, tenantId);
  });
  afterEach('nothing of the person is left', async () => {
    expect(await findInDatabase(runtime.db, [word])).to.deep.equal([]);
    const found = await findInDatabase(runtime.db, [tenantId]);
    expect(found.filter((place) => !/audit_entries\.resource_id/.test(place))).to.deep.equal([]);
    expect(await findInFolder(test.folder, [word])).to.deep.equal([]);
    expect(await test.service.runtime.providers.documents.kept()[Symbol.asyncIterator]().next()).to.include({
      done: true,
    });
  });

  const erase = () => erasePerson(runtime, tenantId, { note: auditOperator });
  const tenant = () => runtime.db('tenants').where({ id: tenantId }).first();
  /** The runtime with hooks in front of some providers. */
  const having = (providers: Partial<Providers>): Runtime => ({
    ...runtime,
    providers: { ...runtime.providers, ...providers },
  });
  const work = (parts: Runtime, name: JobName, id: string | undefined) => workOn(parts, name, id ?? '');
  const idIn = async (table: 'kyc_verifications' | 'eid_flows' | 'forensic_runs') => {
    const row = await runtime.db(table).where({ tenant_id: tenantId }).first('id');
    await runtime
      .db(table)
      .where({ id: row?.id ?? '' })
      .update({ due_at: new Date().toISOString() });
    return row?.id;
  };

  it('wins over a verification that has just succeeded at the provider', async () => {
    await test.alice.ok('initiateKyc', { params: { tenantId } });
    const outcome = async () => {
      await erase();
      return { state: 'verified' as const, result: { name: word } };
    };
    await work(having({ kyc: { ...runtime.providers.kyc, outcome } }), 'complete-kyc', await idIn('kyc_verifications'));
  });

  it('wins over identity documents that were just downloaded', async () => {
    await test.alice.ok('initiateEid', { params: { tenantId }, body: { redirect_url: BACK } });
    const documents = async () => {
      await erase();
      return [{ name: `${word}.pdf`, content: Readable.from([sampleDocument([word])]) }];
    };
    const eid = { ...runtime.providers.eid, documents, outcome: async () => ({ state: 'succeeded' as const }) };
    await work(having({ eid }), 'complete-eid', await idIn('eid_flows'));
  });

  it('wins over an analysis that has just finished', async () => {
    await addDocument(test, tenantId, `${word}.pdf`, word);
    await queueAnalysis();
    const analyse: Runtime['forensics']['analyse'] = async (...given) => {
      const analysis = await runtime.forensics.analyse(...given);
      await erase();
      return analysis;
    };
    await work(
      { ...runtime, forensics: { ...runtime.forensics, analyse } },
      'run-forensic',
      await idIn('forensic_runs'),
    );
  });

  it('wins over fingerprints that are just being stored', async () => {
    await addDocument(test, tenantId, `${word}.pdf`, word);
    await queueAnalysis();
    const analyse: Runtime['forensics']['analyse'] = async (documents, { sightings, ...rest } = {}) =>
      runtime.forensics.analyse(documents, {
        ...rest,
        sightings: async (document, fingerprints) => {
          await erase().catch(unlessDone);
          return sightings?.(document, [...fingerprints, { kind: 'figures', value: word }]) ?? [];
        },
      });
    await work(
      { ...runtime, forensics: { ...runtime.forensics, analyse } },
      'run-forensic',
      await idIn('forensic_runs'),
    );
  });

  it('wins over a delivery in progress, and over its next attempt', async () => {
    await runtime.db.transaction((trx) =>
      emitEvent(trx, runtime, of, { event: 'KYC_VERIFICATION_DATA', data: kycData() }, new Date(), {
        cause: { id: newId(), created_at: '' },
      }),
    );
    const [delivery] = await runtime
      .db('deliveries')
      .whereIn('event_id', runtime.db('events').where({ tenant_id: tenantId }).select('id'));
    const deliver: Providers['outbound']['deliver'] = async () => {
      await erase();
      return { statusCode: 500, excerpt: word, retryAfter: undefined, hint: undefined };
    };
    await work(having({ outbound: { ...runtime.providers.outbound, deliver } }), 'deliver-webhook', delivery?.id);
    await work(runtime, 'deliver-webhook', delivery?.id);
    expect(receiver.received).to.be.empty;
  });

  it('wins over another person’s invitation that names the person', async () => {
    const invite = await runtime
      .db('invites')
      .join('participants', 'participants.id', 'invites.participant_id')
      .where({ application_id: applicationId })
      .first('invites.id');
    const send: Providers['mail']['send'] = async (mail) => {
      expect(`${mail.subject} ${mail.text}`).to.include(word);
      await erase();
      await runtime.providers.mail.send(mail);
    };
    await work(having({ mail: { ...runtime.providers.mail, send } }), 'send-invite', invite?.id);
  });

  it('wins over a document that is being uploaded', async () => {
    async function* arriving() {
      yield Buffer.from(`${word} `);
      await erase();
      yield Buffer.from(word);
    }
    const adding = storingDocuments(runtime, [{ name: `${word}.txt`, content: arriving() }], async (trx, stored) =>
      addDocuments(trx, runtime.queue, of, stored, 'operator', new Date()),
    );
    expect(await refusal(adding)).to.be.instanceOf(NotFound);
  });

  it('wins over a request that has just found the person', async () => {
    const found = await tenant();
    if (!found) throw new Error('There is no tenant.');
    await erase();
    const late = [
      startKyc(runtime, found, of.api_key_id, new Date()),
      startEid(runtime, found, of.api_key_id, BACK, new Date()),
      runtime.db.transaction((trx) => startForensic(trx, runtime.queue, of, new Date())),
    ];
    for (const request of late) expect(await refusal(request)).to.be.instanceOf(NotFound);
  });

  it('wins over a look: the page is missing, and a list is shown without it', async () => {
    await erase();
    const look = {
      actor: { kind: 'operator', id: 'the test' },
      visitor: { looker: 'operator' },
      now: new Date(),
    } as const;
    const late = [
      recordLook(runtime.db, look, ['history', 'tenant.read', tenantId], [of]),
      showLook(runtime.db, look, 'report', [of]),
    ];
    for (const page of late) expect(await refusal(page)).to.be.instanceOf(NotFound);
    const { id } = await test.tenant(`seen-${turn}@mail.example`);
    const seen = { resourceId: id, of: { ...of, tenant_id: id } };
    await recordLooks(runtime.db, look, ['analysis', 'forensic.read'], [{ resourceId: tenantId, of }, seen]);
    expect(await runtime.db('looks').pluck('tenant_id')).to.deep.equal([id]);
  });

  it('wins over a verification that is being started at the provider', async () => {
    const found = await tenant();
    const start = async () => {
      await erase();
      return word;
    };
    if (found) await startKyc(having({ kyc: { ...runtime.providers.kyc, start } }), found, of.api_key_id, new Date());
  });

  it('wins over a person who leaves for their national eID, and over one who returns', async () => {
    const link = (await test.alice.ok('initiateEid', { params: { tenantId }, body: { redirect_url: BACK } })).data;
    const token = link.verification_link.split('/').at(-1) ?? '';
    await agreeToEid(runtime, token, 'I agree.');
    const { eid } = runtime.providers;
    let state = '';
    const startAuthorization: typeof eid.startAuthorization = async (_, request) => {
      ({ state } = request);
      return { address: BACK, callbackChecks: word };
    };
    await startEidAuthorization(having({ eid: { ...eid, startAuthorization } }), token, 'browser');
    const startLate: typeof eid.startAuthorization = async (...given) => {
      const authorization = await startAuthorization(...given);
      await erase();
      return authorization;
    };
    const handleCallback: typeof eid.handleCallback = async () => {
      const late = startEidAuthorization(having({ eid: { ...eid, startAuthorization: startLate } }), token, 'browser');
      expect(await refusal(late)).to.be.instanceOf(NotFound);
      return { state: 'succeeded', grant: word };
    };
    const answer = new URLSearchParams({ state });
    await handleEidCallback(having({ eid: { ...eid, handleCallback } }), answer, 'browser');
  });

  it('answers concurrent requests with success or absence, and nothing else', async () => {
    const params = { tenantId };
    await addDocument(test, tenantId, `${word}.pdf`, word);
    const [documentId] = await runtime.db('documents').where({ tenant_id: tenantId }).pluck('id');
    const calls = Array.from({ length: 6 }, () => [
      test.alice.call('initiateKyc', { params }),
      test.alice.call('initiateEid', { params, body: { redirect_url: BACK } }),
      test.alice.call('runForensic', { params }),
      test.alice.call('updateParticipant', {
        params: { applicationId, email: `${word}@mail.example` },
        body: { name: word },
      }),
      operator.open(`/people/${tenantId}`),
      operator.open(`/documents/${documentId}`),
      operator.act(`/documents/${documentId}/original`),
    ]).flat();
    const erasing = erase();
    const adding = storingDocuments(runtime, [{ name: word, content: pieces(word) }], async (trx, stored) =>
      addDocuments(trx, runtime.queue, of, stored, 'operator', new Date()),
    ).catch(unlessDone);
    const answers = await Promise.all(calls);
    await Promise.all([erasing, adding]);
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 404)).to.deep.equal([]);
  });

  async function queueAnalysis(): Promise<void> {
    await runtime.db('kyc_verifications').insert({
      ...{ id: `kyc-${turn}`, ...of, provider: 'sandbox', status: 'verified', failures: 0 },
      ...{ created_at: '', finished_at: '', expires_at: '' },
    });
    await runtime.db.transaction((trx) => startForensic(trx, runtime.queue, of, new Date()));
  }

  function kycData() {
    return { tenant_id: tenantId, name: word };
  }
});

function unlessDone(error: unknown): void {
  if (!(error instanceof NotFound)) throw error;
}
