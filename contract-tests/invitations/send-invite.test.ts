import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { hashSecret } from '../../core/secrets/secrets.ts';
import type { InviteRow } from '../../db/applications/invites.ts';
import { settingsOf } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { MailServer, type ReceivedMail } from '../../harness/peers/mail-server.ts';
import { spawnProgram } from '../../harness/process/process.ts';
import { startTestService } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';

databases('either');

const DAY_MS = 86_400_000;
const GUEST = 'noah.meyer@mail.example';

describe('an invitation through a real mail server', () => {
  let caFile: string;
  let work: (id: string) => Promise<void>;
  let round = 0;

  const server = suiteFixture(() => MailServer.startTrusted());
  const test = suiteFixture(() => startTestService({ ...server.env, RUN_WORKERS: 'false', INVITATION_DAYS: '10' }));
  before(async () => {
    caFile = `${test.folder}/ca.pem`;
    await writeFile(caFile, server.authority);
    work = (id) => workOn(test.service.runtime, 'send-invite', id);
  });
  afterEach(() => {
    // The next test begins with a greeting.
    server.hangUp();
    server.says.clear();
    server.onMessage = undefined;
    server.received.splice(0);
    test.setNow(new Date());
  });

  /** Invites a person and returns the id of the invitation. */
  async function invite(title = 'Studio at Gran Vía 7'): Promise<string> {
    const tenants = [
      { email: 'marta.ruiz@mail.example', is_lead: true },
      { email: `${++round}.${GUEST}`, is_lead: false },
    ];
    const { application_id: applicationId } = (await test.alice.ok('createApplication', { body: { title, tenants } }))
      .data;
    const params = { applicationId, email: 'marta.ruiz@mail.example' };
    await test.alice.ok('updateParticipant', { params, body: { name: 'Marta Ruiz' } });
    const { db } = test.service.runtime;
    const invites = await db('invites')
      .join('participants', 'participants.id', 'invites.participant_id')
      .where({ email: `${round}.${GUEST}` })
      .select('invites.id');
    expect(invites).to.have.length(1);
    return invites[0]?.id ?? '';
  }
  async function row(id: string): Promise<InviteRow> {
    return (await test.service.runtime.db('invites').where({ id }).first()) ?? expect.fail('it is gone');
  }
  /** Processes the invitation as if it were due now, and returns its new state. */
  async function attempt(id: string): Promise<InviteRow> {
    const { due_at } = await row(id);
    test.setNow(new Date(due_at ?? expect.fail('it is over')));
    await work(id);
    return row(id);
  }
  const tokenIn = ({ mail }: ReceivedMail) => /\/invitation\/([\w-]{43})$/m.exec(mail.text ?? '')?.[1] ?? '';

  it('is sent once, over TLS and to one person, with a link that exists only in the mail', async () => {
    const id = await invite();
    await Promise.all(Array.from({ length: 10 }, () => work(id)));
    const [received, ...others] = server.received;
    expect(others).to.deep.equal([]);
    if (!received) expect.fail('nothing came');
    const { mail, ...session } = received;
    expect(session).to.deep.equal({
      from: 'lettings@casa-clara.example',
      to: [`${round}.${GUEST}`],
      user: 'screening',
      isSecure: true,
    });
    expect(mail.from).to.deep.equal({ name: 'Casa Clara', address: 'lettings@casa-clara.example' });
    expect(mail.subject).to.equal('You are invited to apply for a home let by Casa Clara');
    expect(mail.messageId).to.match(new RegExp(`^<${id}\\.[0-9a-f]{8}@casa-clara\\.example>$`));
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    expect(header('auto-submitted')).to.equal('auto-generated');
    expect(new Date(header('date') ?? '').getTime()).to.be.closeTo(Date.now(), DAY_MS);
    const link = `${test.service.url}/invitation/${tokenIn(received)}`;
    const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    const end = (await row(id)).expires_at ?? '';
    expect(new Date(end).getTime()).to.be.closeTo(Date.now() + 10 * DAY_MS, DAY_MS / 2);
    for (const part of [mail.text, mail.html])
      expect(part)
        .to.include(link)
        .and.include('Marta Ruiz invites you')
        .and.include('Casa Clara')
        .and.include('Studio at Gran Vía 7')
        .and.include(longDate.format(new Date(end)));
    expect(await row(id)).to.include({
      status: 'sent',
      failures: 0,
      failure: null,
      due_at: null,
      sealed_token: null,
      token_hash: hashSecret(tokenIn(received)),
    });
    expect((await fetch(link, { headers: { accept: 'text/html' } })).status).to.equal(200);
  });

  it('names the lead as the application does, never by their address or by an account that another landlord may know', async () => {
    await test.tenant('known@mail.example', { name: 'Elsewhere Known' });
    const tenants = [
      { email: 'known@mail.example', is_lead: true },
      { email: `of-known.${GUEST}`, is_lead: false },
    ];
    await test.alice.ok('createApplication', { body: { title: 'Someone unknown', tenants } });
    const invites = await test.service.runtime
      .db('invites')
      .join('participants', 'participants.id', 'invites.participant_id')
      .where({ email: `of-known.${GUEST}` })
      .select('invites.id');
    await attempt(invites[0]?.id ?? '');
    const [received] = server.received;
    for (const part of [received?.mail.text, received?.mail.html])
      expect(part).to.include('You are invited to apply').and.not.include('known@').and.not.include('Elsewhere');
  });

  const passing: [string, () => void][] = [
    ['421 at the greeting', () => server.says.set('greeting', '421 4.3.2 Too busy')],
    ['554 at the greeting', () => server.says.set('greeting', '554 5.7.1 No service')],
    ['535 at the login', () => server.says.set('login', '535 5.7.8 Wrong password')],
    ['421 in the session', () => server.says.set('sender', '421 4.3.2 Shutting down')],
    ['550 for the sender', () => server.says.set('sender', '550 5.7.1 Not yours')],
    ['451 for the recipient', () => server.says.set('recipient', '451 4.7.1 Greylisted')],
    ['530 for the recipient', () => server.says.set('recipient', '530 5.7.0 Login first')],
    ['451 for the message', () => server.says.set('message', '451 4.3.0 No space')],
    ['554 for the message', () => server.says.set('message', '554 5.7.1 Looks like spam')],
  ];
  for (const [what, happens] of passing)
    it(`survives ${what}, and is sent once the server accepts it`, async () => {
      const id = await invite();
      happens();
      const failed = await attempt(id);
      expect(failed).to.include({ status: 'pending', failures: 1 });
      expect(failed.failure)
        .to.include(`(${what.slice(0, 3)})`)
        .and.not.include(GUEST);
      expect(new Date(failed.due_at ?? '')).to.be.above(test.service.runtime.now());
      server.says.clear();
      expect(await attempt(id)).to.include({ status: 'sent', failure: null });
      const ids = server.received.map(({ mail }) => mail.messageId);
      expect(new Set(ids).size).to.equal(1);
    });

  for (const [what, place, said] of [
    [
      '550 for the recipient',
      'recipient',
      `550 5.1.1 <{to}>: no one called {local} at {domain}, see https://help.example/{to}`,
    ],
    ['552 for the message', 'message', '552 5.2.2 no one called {to} has room'],
  ] as const)
    it(`ends with ${what}, with a reason that does not identify the person`, async () => {
      const id = await invite();
      const to = `${round}.${GUEST}`;
      const [local = '', domain = ''] = to.split('@');
      server.says.set(place, said.replaceAll('{to}', to).replace('{local}', local).replace('{domain}', domain));
      const ended = await attempt(id);
      expect(ended).to.include({ status: 'failed', failures: 1, due_at: null, sealed_token: null });
      expect(ended.failure)
        .to.include(`(${what.slice(0, 3)})`)
        .and.match(/no one called/)
        .and.not.match(/meyer|mail\.example|help\.example/);
    });

  it('is resent with the same Message-ID when the connection is lost after the message', async () => {
    const id = await invite();
    server.onMessage = () => server.hangUp();
    expect(await attempt(id)).to.include({ status: 'pending', failures: 1 });
    server.onMessage = undefined;
    expect(await attempt(id)).to.include({ status: 'sent' });
    const [first, second, ...others] = server.received;
    expect(others).to.deep.equal([]);
    expect(second?.mail.messageId).to.equal(first?.mail.messageId);
    expect(second?.mail.html).to.equal(first?.mail.html);
  });

  it('waits out a server that is down for a weekend, with growing delays, and is given up after three days', async () => {
    const id = await invite();
    const other = await invite();
    const startedAt = new Date((await row(id)).created_at).getTime();
    await server.stop();
    let invitation = await row(id);
    while (new Date(invitation.due_at ?? '').getTime() < startedAt + 2.5 * DAY_MS) invitation = await attempt(id);
    expect(invitation.failure).to.include('cannot be reached');
    await server.restart();
    expect(await attempt(id)).to.include({ status: 'sent' });
    server.says.set('recipient', '451 4.7.1 Later');
    do invitation = await attempt(other);
    while (invitation.status === 'pending');
    const took = new Date(invitation.finished_at ?? '').getTime() - new Date(invitation.created_at).getTime();
    expect(took / DAY_MS).to.be.within(2.5, 3.5);
    expect(invitation).to.include({ status: 'failed', failures: 31, sealed_token: null });
  });

  for (const [what, spoiled] of [
    ['has expired before it is sent', ({ due_at }: InviteRow) => ({ expires_at: due_at })],
    ['is sealed with a key that is gone', () => ({ sealed_token: Buffer.alloc(64).toString('base64') })],
  ] as const)
    it(`gets a new link when its own ${what}`, async () => {
      const id = await invite();
      const before = await row(id);
      await test.service.runtime.db('invites').where({ id }).update(spoiled(before));
      const sent = await attempt(id);
      expect(new Date(sent.expires_at ?? '')).to.be.above(new Date(before.due_at ?? ''));
      expect(sent.token_hash)
        .to.equal(hashSecret(tokenIn(server.received[0] ?? expect.fail('nothing came'))))
        .and.not.equal(before.token_hash);
    });

  it('is not sent to participants who were removed or have answered in the meantime', async () => {
    const { db } = test.service.runtime;
    const removed = await invite();
    const participantId = (await row(removed)).participant_id;
    const participant = await db('participants').where({ id: participantId }).first();
    const params = { applicationId: participant?.application_id ?? '', email: participant?.email ?? '' };
    await test.alice.ok('removeParticipant', { params });
    expect(await attempt(removed)).to.include({
      status: 'cancelled',
      failure: 'the participant was removed',
      due_at: null,
    });
    for (const consent_status of ['accepted', 'rejected'] as const) {
      const answered = await invite();
      const participant = { id: (await row(answered)).participant_id };
      await db('participants').where(participant).update({ consent_status });
      expect(await attempt(answered), consent_status).to.include({ status: 'cancelled', sealed_token: null });
    }
    expect(server.received).to.deep.equal([]);
  });

  it('is not sent for an API key that was revoked in the meantime', async () => {
    const { db } = test.service.runtime;
    const id = await invite();
    await db('api_keys').update({ revoked_at: new Date().toISOString() });
    const { status, failure } = await attempt(id);
    await db('api_keys').update({ revoked_at: null });
    expect([status, failure]).to.deep.equal(['cancelled', 'the API key that asked for it is not in force any more']);
    expect(server.received).to.deep.equal([]);
  });

  it('reaches a person as one mail although the process was killed between sending and recording it', async () => {
    const id = await invite();
    const taken = new Promise<void>((resolve) => {
      // The answer never comes.
      server.onMessage = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    const { database } = test.config;
    const { encryption } = test.config.keys;
    const worker = spawnProgram('../../bin/worker.ts', {
      ...server.env,
      DATA_DIR: test.folder,
      ...settingsOf(database),
      ENCRYPTION_KEY: Buffer.from(encryption.current).toString('base64'),
      PUBLIC_URL: test.service.url,
      NODE_EXTRA_CA_CERTS: caFile,
      LOG_LEVEL: 'silent',
    });
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    try {
      await taken;
      // Another worker that claims the job meanwhile does not send it.
      await work(id);
      expect(server.received).to.have.length(1);
    } finally {
      worker.kill('SIGKILL');
      await ended;
    }
    server.onMessage = undefined;
    expect(await attempt(id)).to.include({ status: 'sent' });
    const ids = server.received.map(({ mail }) => mail.messageId);
    expect(ids).to.have.length(2);
    expect(new Set(ids).size).to.equal(1);
    const { participant_id } = await row(id);
    expect(await test.service.runtime.db('invites').where({ participant_id })).to.have.length(1);
  });
});
