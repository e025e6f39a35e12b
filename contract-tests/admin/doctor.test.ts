import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { conditionIds } from '../../core/conditions/table.ts';
import { PATIENT } from '../../core/settings/database-settings.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { OidcProvider } from '../../harness/peers/oidc-provider.ts';
import { startServiceProcess } from '../../harness/process/process.ts';
import { Admin } from '../../harness/service/admin.ts';
import { addApplicant, addDelivery } from '../../harness/service/deliveries.ts';
import { useService } from '../../harness/service/service.ts';
import { ofDatabase } from '../../jobs/conditions/of-database.ts';
import { tls, tlsOf } from '../../jobs/conditions/tls.ts';
import { pause } from '../../jobs/webhooks/webhook-care.ts';

databases('both');

interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'problem' | 'unknown' | 'not checked';
  found: string;
  advice: string | null;
}

/** A port on which nothing listens. */
const NOWHERE = 'http://127.0.0.1:2';
const STRIPE = { KYC_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SMTP = { MAIL_PROVIDER: 'smtp', MAIL_FROM: 'a@agency.example', SMTP_URL: 'smtp://127.0.0.1:1' };

describe('the command line’s doctor', () => {
  const provider = suiteFixture(() => OidcProvider.start());
  const test = useService({ RUN_WORKERS: 'false' });
  const admin = new Admin(test);

  /** They depend on the machine on which the tests run. */
  const OF_MACHINE = { disk: 'ok', inodes: 'ok', 'event-loop': 'ok' };

  const examined = async (env: Record<string, string>) => {
    const { code, stdout, stderr } = await admin.run(['doctor', '--json'], env);
    expect(stderr).to.equal('');
    const findings: Finding[] = JSON.parse(stdout);
    for (const { state, advice } of findings) expect(advice === null).to.equal(state === 'ok');
    const told = (check: string) => findings.filter((finding) => finding.check === check);
    const states = (state: Finding['state']) =>
      findings.filter((finding) => finding.state === state).map(({ check }) => check);
    return { code, findings, told, states };
  };

  it('finds nothing wrong in a healthy service, checks the providers, and changes nothing', async () => {
    const env = { PUBLIC_URL: test.service.url, ...provider.env() };
    const { code, findings, told } = await examined(env);
    const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
    expect(findings.map(({ check }) => check)).to.deep.equal(conditionIds);
    expect({ ...states, ...OF_MACHINE }).to.deep.equal(Object.fromEntries(conditionIds.map((check) => [check, 'ok'])));
    expect(code).to.equal([states['disk'], states['inodes']].includes('problem') ? 1 : 0);
    expect(told('eid')[0]?.found).to.equal('The provider can be asked.');
    const stored = [];
    for await (const { sha256 } of test.service.runtime.providers.documents.kept()) stored.push(sha256);
    expect(stored).to.deep.equal([]);
  });

  it('reports jobs without a worker, failures and pauses, and how to look at them', async () => {
    const { db } = test.service.runtime;
    const tenantId = await addApplicant(test, test.alice, 'ill@mail.example');
    const { id } = (await test.alice.ok('createWebhook', { body: { url: 'https://letting.example/' } })).data;
    await addDelivery(test, tenantId, { webhook_id: id, status: 'failed' });
    await addDelivery(test, tenantId, { webhook_id: id, status: 'pending', due_at: '2026-01-01T00:00:00.000Z' });
    const tenants = ['lead', 'guest'].map((name, place) => ({ email: `${name}@mail.example`, is_lead: place === 0 }));
    await test.alice.ok('createApplication', { body: { title: 'Ill', tenants } });
    await db('invites').update({ status: 'failed', due_at: null });
    const { id: paused } = (await test.alice.ok('createWebhook', { body: { url: 'https://letting.example/' } })).data;
    await pause(test.service.runtime, paused, 'to try');
    const { code, states, told } = await examined({ RUN_WORKERS: 'false', PUBLIC_URL: NOWHERE });
    expect(code).to.equal(1);
    expect(states('problem')).to.include.members(['workers', 'webhooks']);
    expect(told('workers')[0]).to.include({ advice: 'RUN_WORKERS is false: start npm run worker.' });
    expect(told('workers')[0]?.found).to.match(/: 1 of deliveries\.$/);
    expect(states('warning')).to.include.members(['invites', 'deliveries', 'address']);
    expect(told('webhooks')[0]?.advice).to.match(/-- webhook list --status paused$/);
    expect(told('address')[0]?.found).to.include(NOWHERE).and.include('ECONNREFUSED');
    const { stdout } = await admin.run(['doctor'], { COLUMNS: '80' });
    expect(stdout)
      .to.match(/^PROBLEM {2}workers +Jobs have waited/m)
      .and.match(/^Found: \d problems? and \d+ warnings?\.$/m);
    for (const line of stdout.split('\n')) expect(line.length, line).to.be.at.most(80);
    const coloured = await admin.run(['doctor'], { FORCE_COLOR: '1' });
    expect(coloured.stdout).to.include('\x1b[31mPROBLEM').and.include('\x1b[33mWARNING');
  });

  it('reports mails and sign-ins that wait for the operator with the reason, and none that wait for a recipient', async () => {
    const { db } = test.service.runtime;
    const tenants = ['first', 'second'].map((name, place) => ({ email: `${name}@mail.example`, is_lead: place === 0 }));
    await test.alice.ok('createApplication', { body: { title: 'Waits', tenants } });
    const [due_at, failures] = [new Date(Date.now() + 3_600_000).toISOString(), 2];
    const waiting = (failure: string) => db('invites').update({ status: 'pending', due_at, failures, failure });
    await waiting('the mail server puts the recipient off (451): greylisted');
    expect((await examined({})).told('invites')[0]).to.include({ state: 'ok' });
    await waiting('the mail server refuses mail of this service (554): Relay access denied');
    const tenantId = await addApplicant(test, test.alice, 'hindered@mail.example');
    await test.alice.ok('initiateEid', { params: { tenantId }, body: { redirect_url: 'https://letting.example' } });
    await db('eid_flows').update({ due_at, failure: 'The provider answered with invalid_scope.' });
    const { states, told } = await examined({});
    expect(states('problem')).to.include.members(['invites', 'sign-ins']);
    expect(told('invites')[0]?.found).to.include('Relay access denied');
    expect(told('invites')[0]?.advice).to.match(/-- invite retry --failing$/);
    expect(told('sign-ins')[0]?.found).to.include('invalid_scope');
    await db('eid_flows').update({ expires_at: new Date(0).toISOString() });
    expect((await examined({})).told('sign-ins')[0]).to.include({ state: 'ok' });
  });

  it('continues when the database, the mail server and the providers do not answer, and shows no password', async () => {
    const away = { DATABASE_URL: 'postgres://a:hidden@127.0.0.1:1/x', STRIPE_API_BASE: NOWHERE };
    const eid = { EID_PROVIDER: 'oidc', EID_ISSUER: NOWHERE, EID_CLIENT_ID: 'a', EID_CLIENT_SECRET: 'hidden' };
    const { code, states, findings } = await examined({ ...STRIPE, ...SMTP, ...eid, ...away });
    expect(code).to.equal(1);
    expect(states('problem')).to.include.members(['database', 'mail', 'kyc', 'eid']);
    expect(states('ok')).to.include.members(['settings', 'documents']);
    expect(JSON.stringify(findings)).to.not.include('hidden');
  });

  it('names each wrong setting, a key that does not match, and a missing database, which it does not create', async () => {
    const settings = await examined({ PORT: 'x', LOG_LEVEL: 'loud' });
    expect(settings.code).to.equal(1);
    expect(settings.states('problem')).to.deep.equal(['settings', 'settings']);
    expect(settings.states('not checked')).to.deep.equal(conditionIds.filter((check) => check !== 'settings'));
    const key = await examined({ ENCRYPTION_KEY: randomBytes(32).toString('base64') });
    expect(key.states('problem')).to.include('key').and.not.include('database');
    const file = join(test.folder, 'never', 'made.db');
    const absent = await examined({ DATABASE_URL: `sqlite:${file}` });
    expect(absent.told('database')[0]).to.include({ state: 'warning', found: `${file} does not exist yet.` });
    expect(existsSync(file)).to.equal(false);
  });

  it('reports a process that is frozen or not ready, by its OPS_PORT and by the public port', async () => {
    const { env } = new Admin(test);
    const service = await startServiceProcess({ ...env, OPS_PORT: '0', RUN_WORKERS: 'false' });
    const ports = { OPS_PORT: new URL(service.operatorsUrl ?? '').port, PUBLIC_URL: service.url };
    try {
      expect((await examined(ports)).told('process')[0]).to.include({ state: 'ok' });
      service.signal('SIGSTOP');
      const { code, told } = await examined(ports);
      expect(code).to.equal(1);
      expect(told('process')[0]).to.include({ state: 'problem' });
      expect(told('process')[0]?.found).to.include('it is frozen');
      expect(told('address')[0]).to.include({ state: 'problem' });
    } finally {
      await service.kill();
    }
    expect((await examined(ports)).told('process')[0]?.found).to.include('ECONNREFUSED');
  });
});

describe('the doctor’s findings about the database', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const states = async (mode: 'sandbox' | 'live', nowMs = Date.now()) => {
    const { db, keys } = test.service.runtime;
    const settings = { mode, runWorkers: true, database: test.config.database, keys };
    const { clock, audit, backup, partitions } = ofDatabase(db, settings, new Date(nowMs));
    const seen = Object.entries({ clock, audit, backup, partitions });
    return Object.fromEntries(await Promise.all(seen.map(async ([id, look]) => [id, (await look()).state])));
  };

  it('require a backup from the last night in live, whether made by our command or recorded', async () => {
    expect(await states('sandbox')).to.deep.equal({ clock: 'ok', audit: 'ok', backup: 'ok', partitions: 'ok' });
    expect(await states('live')).to.include({ backup: 'problem' });
    const noted = await new Admin(test).json<{ made_at: string }>('db', 'note-backup');
    expect(await states('live')).to.include({ backup: 'ok' });
    expect(await states('live', Date.parse(noted.made_at) + 27 * HOUR_MS)).to.include({ backup: 'problem' });
  });

  it('report a clock that is a minute off', async () => {
    const rightNow = Date.now;
    Date.now = () => rightNow() - MINUTE_MS;
    try {
      expect(await states('sandbox', rightNow())).to.include({ clock: 'problem' });
    } finally {
      Date.now = rightNow;
    }
  });
});

describe('the doctor on TLS to Postgres', () => {
  const url = (host: string, query = '') => `postgres://user:secret@${host}:5432/screening${query}`;
  const found = (address: string, mode: 'live' | 'sandbox' = 'live') => {
    return tls({ mode, database: { dialect: 'postgres', url: address, limits: PATIENT } }).state;
  };

  it('reports missing TLS in live, for a remote database only', () => {
    expect(found(url('db.example'))).to.equal('warning');
    expect(found(url('db.example'), 'sandbox')).to.equal('ok');
    for (const local of ['localhost', '127.0.0.1', '[::1]']) expect(found(url(local)), local).to.equal('ok');
    for (const mode of ['disable', 'no-verify']) expect(found(url('10.0.0.7', `?sslmode=${mode}`))).to.equal('warning');
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
      expect(found(url('10.0.0.7', `?sslmode=${mode}`)), mode).to.equal('ok');
  });

  if (dialect === 'postgres')
    for (const [mode, is] of [
      ['', 'none'],
      ['disable', 'none'],
      ['no-verify', 'unverified'],
      ['prefer', 'verified'],
      ['require', 'verified'],
      ['verify-ca', 'verified'],
      ['verify-full', 'verified'],
    ] as const)
      it(`${mode || 'no sslmode'} has the same meaning as in the driver`, async () => {
        const address = new URL(await freshDatabase(''));
        if (mode) address.searchParams.set('sslmode', mode);
        expect(tlsOf(address.href, {})).to.equal(is);
        const client = new pg.Client({ connectionString: address.href });
        // The test server has no TLS: only an unencrypted connection succeeds.
        const refusal = await client.connect().then(
          () => client.end(),
          (error: Error) => error.message,
        );
        if (is === 'none') expect(refusal).to.equal(undefined);
        else expect(refusal).to.equal('The server does not support SSL connections');
      });
});
