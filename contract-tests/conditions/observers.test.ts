import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import { scannerInTurns } from '../../bin/service/calls-in-turns.ts';
import { sightOf } from '../../bin/service/conditions.ts';
import { jobNames, kinds } from '../../bin/service/kinds.ts';
import { type Observation, ok } from '../../core/conditions/observation.ts';
import { newId } from '../../core/ids.ts';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { authority, type Certificate, selfSigned, trust } from '../../harness/peers/certificates.ts';
import { invitationPath, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';
import { Heartbeat } from '../../jobs/conditions/heartbeat.ts';
import { look, type Sight } from '../../jobs/conditions/look.ts';
import { ofCertificates } from '../../jobs/conditions/of-certificates.ts';
import { ofMachine, type Room } from '../../jobs/conditions/of-machine.ts';
import { ofOutcomes } from '../../jobs/conditions/of-outcomes.ts';
import { ofProcesses } from '../../jobs/conditions/of-processes.ts';
import { ofAddress, ofProviders } from '../../jobs/conditions/of-providers.ts';
import { ConditionWatch } from '../../jobs/conditions/watch.ts';
import { signingKey } from '../../jobs/reports/signing-key.ts';
import type { VirusScanner } from '../../providers/documents/port.ts';
import type { Providers } from '../../providers/providers.ts';

databases('either');

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** For how long the service's own key is certified. */
const OWN_KEY_DAYS = 3_650;
const PLENTY: Room = { freeMib: 200_000, inodes: { free: 1_000_000, all: 2_000_000 } };
const stateOf = async (observer: () => Promise<Observation>) => (await observer()).state;

describe('the observers of the machine', () => {
  const settings = { dataDir: '/data', database: { dialect: 'sqlite', file: '/data/service.db' } } as const;
  const seen = async (room: Partial<Room>) => {
    const { disk, inodes } = ofMachine(settings, async () => ({ ...PLENTY, ...room }));
    return { disk: await stateOf(disk), inodes: await stateOf(inodes) };
  };

  it('see that no inodes are left, although there is space', async () => {
    expect(await seen({})).to.deep.equal({ disk: 'ok', inodes: 'ok' });
    expect(await seen({ inodes: { free: 0, all: 2_000_000 } })).to.deep.equal({ disk: 'ok', inodes: 'problem' });
    expect(await seen({ inodes: { free: 15_000, all: 2_000_000 } })).to.include({ inodes: 'warning' });
    expect(await seen({ inodes: undefined })).to.include({ inodes: 'ok' });
  });

  it('see that space runs out', async () => {
    expect(await seen({ freeMib: 900 })).to.include({ disk: 'warning' });
    expect(await seen({ freeMib: 99 })).to.include({ disk: 'problem' });
  });
});

describe('the observers of processes and outcomes', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const now = () => new Date();
  const beat = (id: string, ageMs: number, started_at = '2026-01-01T00:00:00.000Z') => ({
    ...{ id, place: 'workers on a machine', address: null, started_at, ended_at: null },
    beat_at: new Date(Date.now() - ageMs).toISOString(),
    ...{ loop_delay_ms: 0, pool_waiting: 0, descriptors: 1, max_descriptors: 100 },
  });

  it('see a worker that was killed five times in two minutes, whose successor runs', async () => {
    const { db } = test.service.runtime;
    const killed = [1, 2, 3, 4, 5].map((count) => beat(`killed-${count}`, 20_000 * count));
    const successor = beat('successor', 0, new Date().toISOString());
    await db('processes').insert([...killed, successor]);
    const { restarts, heartbeats } = ofProcesses(db, now());
    expect(await stateOf(restarts)).to.equal('problem');
    expect(await stateOf(heartbeats)).to.equal('ok');
    await db('processes').where({ id: 'successor' }).delete();
    expect(await stateOf(ofProcesses(db, now()).heartbeats)).to.equal('problem');
    await db('processes').where({ place: 'workers on a machine' }).update({ ended_at: new Date().toISOString() });
    expect(await stateOf(ofProcesses(db, now()).restarts)).to.equal('ok');
  });

  it('judge a mail server that greets and refuses every mail, or most, by what it said to the mails', async () => {
    const { runtime } = test.service;
    const { db, providers } = runtime;
    const smtp = { MAIL_PROVIDER: 'smtp', MAIL_FROM: 'a@agency.example', SMTP_URL: 'smtp://127.0.0.1:1' };
    const config = readConfig({ ...smtp, DATA_DIR: test.folder });
    const asked = { ...providers, mail: { ...providers.mail, check: async () => {} } };
    const mail = () => ofProviders(asked, config, Promise.resolve(db), now()).mail();
    expect((await mail()).found).to.include('No mail was sent in the last hour');
    const minute = new Date().toISOString().slice(0, 16);
    await db('recent_outcomes').insert({ minute, kind: 'mails', succeeded: 0, failed: 7 });
    expect(await mail()).to.include({ state: 'problem' });
    expect((await mail()).found).to.include('took none of 7 mails');
    expect(await stateOf(ofOutcomes(db, now())['failing-mails'])).to.equal('problem');
    const took = async (succeeded: number, failed: number) => {
      await db('recent_outcomes').where({ kind: 'mails' }).update({ succeeded, failed });
      const { state, found } = await mail();
      expect(found).to.include(`${succeeded} of ${succeeded + failed} mails`);
      return state;
    };
    expect([await took(1, 99), await took(1, 4), await took(5, 5)]).to.deep.equal(['problem', 'warning', 'problem']);
    expect([await took(4, 4), await took(100, 7)]).to.deep.equal(['ok', 'ok']);
    await db('recent_outcomes').where({ kind: 'mails' }).update({ succeeded: 0, failed: 7 });
    const later = new Date(Date.now() + 70 * MINUTE_MS);
    expect(await stateOf(ofOutcomes(db, later)['failing-mails'])).to.equal('ok');
    await db('recent_outcomes').where({ kind: 'mails' }).delete();
  });

  for (const name of jobNames)
    it(`count no ${name} of a row that has gone, because nothing was tried`, async () => {
      const begin = await kinds[name].load();
      expect(await begin(test.service.runtime, new AbortController().signal)(newId())).to.equal('nothing');
    });

  it('count no mail that is no longer wanted as one that the server took', async () => {
    const { runtime } = test.service;
    const { db } = runtime;
    const heartbeat = new Heartbeat(runtime, 'test');
    const [wanted, unwanted] = ['wanted@mail.example', 'unwanted@mail.example'];
    const tenants = ['lead@mail.example', wanted, unwanted].map((email, at) => ({ email, is_lead: at === 0 }));
    const { data } = await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } });
    await submit(test, await invitationPath(test, data.application_id, unwanted), { answer: 'accept' });
    await workOn(runtime, 'send-invite', ...(await db('invites').whereNotNull('due_at').pluck('id')));
    expect(await db('invites').where({ status: 'cancelled' })).to.have.lengthOf(1);
    await heartbeat.stop();
    expect(await db('recent_outcomes').where({ kind: 'mails' }).sum('succeeded as mails')).to.deep.equal([
      { mails: 1 },
    ]);
  });
});

describe('the observer of the virus scanner', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const seen = (scanner: VirusScanner | undefined) =>
    ofProviders(
      { ...test.service.runtime.providers, scanner: scanner && scannerInTurns(scanner) },
      test.config,
      Promise.resolve(undefined),
      now,
    ).scanner();
  const now = new Date();
  const dated = (from: Date | undefined) => seen({ check: async () => {}, signaturesFrom: async () => from });

  it('sees that its signatures are missing or old', async () => {
    const from = (days: number) => dated(new Date(now.getTime() - days * DAY_MS));
    expect(await from(0)).to.deep.include({
      state: 'ok',
      found: 'The virus scanner answers. Its signatures are 0 days old.',
    });
    expect(await from(2)).to.include({ state: 'ok' });
    expect(await from(3)).to.include({ state: 'warning' });
    expect(await from(8)).to.include({ state: 'problem' });
    expect(await dated(undefined)).to.include({ state: 'problem' });
    expect(await seen(undefined)).to.include({ state: 'ok', found: 'Documents are not scanned for viruses.' });
  });
});

describe('the observer of the public address', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const ca = suiteFixture(() => authority('Agency'));

  /** The service behind a proxy with a certificate. */
  async function seen(certificate: Certificate): Promise<Observation> {
    const { hostname, port } = new URL(test.service.url);
    const { cert, key } = certificate;
    const proxy = createTlsServer({ cert, key }, (socket) => {
      const onward = connect(Number(port), hostname);
      for (const one of [socket, onward]) one.on('error', () => {});
      socket.pipe(onward).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    try {
      const { port: open } = proxy.address() as AddressInfo;
      return await ofAddress(async () => `https://localhost:${open}`).address();
    } finally {
      proxy.close();
    }
  }

  it('sees that browsers do not trust its certificate: of an unknown authority, of another host, expired', async () => {
    for (const certificate of [await ca.issue({}), await selfSigned()])
      expect(await seen(certificate))
        .to.include({ state: 'problem' })
        .and.have.property('found')
        .that.includes('do not trust');
    const distrust = trust(ca);
    try {
      expect(await seen(await ca.issue({}))).to.include({ state: 'ok' });
      for (const untrusted of [{ name: 'other.example' }, { validUntil: -1 }])
        expect(await seen(await ca.issue(untrusted))).to.include({ state: 'problem' });
    } finally {
      distrust();
    }
  });
});

describe('the observer of certificates', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const seen = (config: Pick<Config, 'reports' | 'database'>) => {
    const { db } = test.service.runtime;
    return ofCertificates(async () => test.service.url, config, Promise.resolve(db)).certificates();
  };

  it('sees that the certificate that seals reports expires, whether the operator’s or the service’s own', async () => {
    const file = join(test.folder, 'signing.pem');
    const until = async (days: number) => {
      const { key, cert } = await (await authority('Agency')).issue({ validUntil: days });
      await writeFile(file, `${key}\n${cert}`);
      return seen(readConfig({ REPORT_SIGNING_FILE: file, DATA_DIR: test.folder }));
    };
    expect(await until(60)).to.include({ state: 'ok' });
    expect(await until(15)).to.include({ state: 'warning' });
    expect(await until(3)).to.include({ state: 'problem' });
    expect((await until(-1)).found).to.equal('A certificate that seals reports has expired.');
    expect((await seen(test.config)).found).to.include('need no certificate');
    const { runtime } = test.service;
    await signingKey({ ...runtime, now: () => new Date(Date.now() - (OWN_KEY_DAYS - 3) * DAY_MS) });
    expect(await seen(test.config)).to.include({ state: 'problem' });
    await runtime.db('signing_keys').delete();
  });
});

describe('looking at all conditions', () => {
  const test = useService({ RUN_WORKERS: 'false' });

  /** Each party outside, and the database, say nothing. */
  const silentSight = (auditHead?: Providers['auditHead']): Sight => {
    const { db, providers } = test.service.runtime;
    const never = () => new Promise<never>(() => {});
    const { mail } = providers;
    const silent = {
      documents: { ...providers.documents, put: never },
      scanner: scannerInTurns({ check: never, signaturesFrom: never }),
      mail,
      bank: undefined,
      auditHead: auditHead ?? { ...providers.auditHead, read: never },
    };
    const sight = sightOf({
      config: test.config,
      providers: { ...silent, kyc: { ...providers.kyc, check: never }, eid: { ...providers.eid, check: never } },
      url: never,
      process: { process: never, ready: never },
      database: never,
      opened: () => undefined,
      db: () => db,
      answering: never,
      now: new Date(),
    });
    return sight;
  };

  it('ends within 20 seconds when everything is silent, and answers come as they are known', async () => {
    const startedAt = performance.now();
    const at: number[] = [];
    const seen = () => void at.push(performance.now() - startedAt);
    const looking = { explain: String, seen };
    const observed = await look(silentSight(), ['settings', 'machine', 'database', 'provider'], looking);
    expect(performance.now() - startedAt).to.be.below(20_000);
    expect(at[0]).to.be.below(4_000);
    const state = (id: string) => observed.find(({ condition }) => condition === id)?.state;
    for (const id of ['database', 'kyc', 'eid', 'documents', 'scanner']) expect(state(id), id).to.equal('problem');
    expect(state('webhooks')).to.equal('not checked');
    expect(state('process')).to.equal('unknown');
  });

  it('leaves out what is inside a slow database after some time, and nothing when it is given more', async () => {
    const { providers } = test.service.runtime;
    const sight: Sight = {
      ...silentSight(providers.auditHead),
      database: async () => ok('It answers.'),
      encoding: async () => ok('It fits.'),
    };
    const left = async (insideMs: number) => {
      const observed = await look(sight, ['database'], { explain: String, insideMs });
      return observed.filter(({ state }) => state === 'not checked').map(({ condition }) => condition);
    };
    expect(await left(0)).to.include.members(['key', 'expiring-keys']);
    expect(await left(60_000)).to.not.include.members(['key', 'expiring-keys']);
  });

  it('says since when a condition is unknown', async () => {
    const moment = new Date('2027-01-31T12:00:00.000Z');
    const watch = new ConditionWatch(
      () => silentSight(),
      { explain: String },
      () => moment,
    );
    const observed = await watch.current({ waitMs: 20_000 });
    expect(observed.find(({ condition }) => condition === 'process')).to.deep.include({
      state: 'unknown',
      since: moment,
    });
  });
});
