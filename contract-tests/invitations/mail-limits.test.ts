import { expect } from 'chai';
import { startWorkers } from '../../bin/service/work.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, testFixture } from '../../harness/mocha/fixtures.ts';
import { MailServer } from '../../harness/peers/mail-server.ts';
import { eventually } from '../../harness/process/signals.ts';
import { Admin } from '../../harness/service/admin.ts';
import type { Client } from '../../harness/service/client.ts';
import { invitationPath, submit } from '../../harness/service/links.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';
import { ofWork } from '../../jobs/conditions/of-work.ts';

databases('either');

const DAY_MS = 86_400_000;
/** More than the service sends at a time, and more than one batch. */
const FLOOD = 250;
let serial = 0;

/** Applications with one lead each, who invites one person each. */
async function invite(client: Client, addresses: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const email of addresses) {
    const tenants = [
      { email: `lead-${++serial}@mail.example`, is_lead: true },
      { email, is_lead: false },
    ];
    ids.push((await client.ok('createApplication', { body: { title: 'Loft', tenants } })).data.application_id);
  }
  return ids;
}

function invitesTo({ service }: TestService, email: string) {
  return service.runtime
    .db('invites')
    .join('participants', 'participants.id', 'invites.participant_id')
    .where({ comparable_email: email })
    .orderBy('invites.id')
    .select('invites.*');
}

describe(`the mails of an API key that sends ${FLOOD} invitations`, () => {
  let release: () => void;
  let stopWorkers: (() => Promise<void>) | undefined;
  // Before their service stops.
  afterEach(async () => {
    release();
    await stopWorkers?.();
  });
  const server = testFixture(() => MailServer.startTrusted());
  const test = testFixture(() => startTestService({ ...server.env, RUN_WORKERS: 'false' }));
  /** The mail server does not answer for these recipients until `release` is called. */
  const hold = (isHeld: (to: string) => boolean) => {
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.onMessage = () => (isHeld(server.received.at(-1)?.to[0] ?? '') ? released : undefined);
  };
  /** Only once the flood is waiting: on a busy machine, making it takes longer than a mail may wait for its server. */
  const work = async () => {
    stopWorkers = await startWorkers(test.service.runtime);
    await eventually('the flood has reached the mail server', () => server.received.length > 0);
  };
  const receivedBy = (to: string) => server.received.filter((mail) => mail.to[0] === to).length;

  it('to one address: five are sent that day and none is lost, while another key’s is sent as on an idle system', async () => {
    const target = 'flooded@mail.example';
    hold((to) => to === target);
    await invite(
      test.alice,
      Array.from({ length: FLOOD }, () => target),
    );
    await work();
    await invite(test.charlie, ['guest@mail.example']);
    await eventually('the other key’s mail is out', async () =>
      (await invitesTo(test, 'guest@mail.example')).every(({ status }) => status === 'sent'),
    );
    // No mail of the flood is finished yet, so the other mail did not wait for one.
    expect((await invitesTo(test, target)).filter(({ status }) => status === 'sent')).to.deep.equal([]);
    release();
    const afterDay = (days: number) =>
      eventually(`the mails of day ${days} are out and the others wait`, async () => {
        // The flood must continue: mails postponed by seconds would otherwise never be due.
        test.setNow(new Date(Date.now() + (days - 1) * (DAY_MS + 60_000)));
        const rows = await invitesTo(test, target);
        const soon = new Date(test.service.runtime.now().getTime() + DAY_MS / 2).toISOString();
        const { sent = [], pending = [] } = Object.groupBy(rows, ({ status }) => status);
        expect(sent.length + pending.length, 'none is lost').to.equal(FLOOD);
        return pending.every(({ due_at }) => due_at !== null && due_at > soon) && { sent, pending };
      });
    const first = await afterDay(1);
    expect([first.sent.length, receivedBy(target)]).to.deep.equal([5, 5]);
    expect(new Set(first.pending.map(({ failures }) => failures))).to.deep.equal(new Set([0]));
    const second = await afterDay(2);
    expect([second.sent.length, receivedBy(target)]).to.deep.equal([10, 10]);
  });

  it(`to ${FLOOD} addresses: another key’s waits for none of them, and all are sent`, async () => {
    const targets = Array.from({ length: FLOOD }, (_, index) => `target-${index}@mail.example`);
    hold((to) => to.startsWith('target-'));
    await invite(test.alice, targets);
    await work();
    for (const other of ['second', 'third', 'fourth']) {
      await invite(test.charlie, [`${other}@mail.example`]);
      await eventually('the other key’s mail is out', () => receivedBy(`${other}@mail.example`) === 1);
    }
    const sent = () =>
      test.service.runtime
        .db('invites')
        .join('participants', 'participants.id', 'invites.participant_id')
        .whereIn('comparable_email', targets)
        .where('invites.status', 'sent')
        .pluck('invites.id');
    expect(await sent()).to.deep.equal([]);
    release();
    await eventually('all are out', async () => (await sent()).length === FLOOD);
    expect(new Set(server.received.map(({ to }) => to[0])).size).to.equal(FLOOD + 3);
  });
});

describe('the mail limit', () => {
  const server = suiteFixture(() => MailServer.startTrusted());
  const test = suiteFixture(() =>
    startTestService({ ...server.env, RUN_WORKERS: 'false', DAILY_MAILS_PER_ADDRESS: '3', INVITATION_DAYS: '2' }),
  );
  afterEach(() => {
    server.says.clear();
    server.received.splice(0);
    test.setNow(new Date());
  });
  const work = async (email: string) => {
    const due = (await invitesTo(test, email)).filter(
      ({ due_at }) => due_at !== null && due_at <= test.service.runtime.now().toISOString(),
    );
    await Promise.all(due.map(({ id }) => workOn(test.service.runtime, 'send-invite', id)));
    return invitesTo(test, email);
  };
  const later = (ms: number) => test.setNow(new Date(test.service.runtime.now().getTime() + ms));
  const countOf = (rows: { status: string }[], status: string) => rows.filter((row) => row.status === status).length;

  it('applies to resends, separately for each key and address', async () => {
    const [mine, theirs] = ['at-once@mail.example', 'another@mail.example'];
    await invite(
      test.alice,
      Array.from({ length: 12 }, (_, index) => (index % 2 ? mine.toUpperCase() : mine)),
    );
    await invite(test.bob, [mine]);
    await invite(test.alice, [theirs]);
    expect(countOf(await work(mine), 'sent')).to.equal(4);
    expect(countOf(await work(theirs), 'sent')).to.equal(1);
    expect(server.received).to.have.length(5);
  });

  it('counts addresses that differ in their tag only as one mailbox', async () => {
    const addresses = Array.from({ length: 40 }, (_, number) => `victim+${number}@mail.example`);
    await invite(test.alice, addresses);
    for (const address of addresses) await work(address);
    expect(server.received.map(({ to }) => to[0])).to.have.length(3);
    await invite(test.alice, ['victim@mail.example', 'victim.other@mail.example']);
    expect(countOf(await work('victim@mail.example'), 'sent')).to.equal(0);
    expect(countOf(await work('victim.other@mail.example'), 'sent'), 'another mailbox').to.equal(1);
  });

  it('counts the mails of processes of the version before, which know no mailbox', async () => {
    const target = 'upgraded@mail.example';
    await invite(test.alice, [target, target]);
    await work(target);
    await test.service.runtime.db('sent_mails').where({ comparable_email: target }).update({ mailbox: null });
    await invite(test.alice, [target, target]);
    expect(countOf(await work(target), 'sent')).to.equal(3);
  });

  it('is a 24-hour window, after which a postponed invitation’s link is valid for its full time', async () => {
    const target = 'window@mail.example';
    const started = new Date();
    test.setNow(started);
    await invite(test.alice, [target]);
    await work(target);
    later(DAY_MS / 2);
    await test.alice.authenticate();
    await invite(
      test.alice,
      Array.from({ length: 4 }, () => target),
    );
    const [waiting, ...others] = (await work(target)).filter(({ status }) => status === 'pending');
    expect(others).to.have.length(1);
    expect(waiting).to.include({
      due_at: new Date(started.getTime() + DAY_MS).toISOString(),
      failures: 0,
      failure: 'its API key has sent this address its mails of the day',
    });
    later(DAY_MS / 2);
    const rows = await work(target);
    expect([countOf(rows, 'sent'), countOf(rows, 'pending')]).to.deep.equal([4, 1]);
    later(DAY_MS / 2);
    const last = (await work(target)).find(({ id }) => rows.some((row) => row.id === id && row.status === 'pending'));
    expect(last).to.include({ status: 'sent', failure: null });
    expect(last?.expires_at).to.equal(new Date(test.service.runtime.now().getTime() + 2 * DAY_MS).toISOString());
    expect(server.received).to.have.length(5);
  });

  it('counts a mail once, however often its server deferred it', async () => {
    const target = 'retried@mail.example';
    await invite(test.alice, [target]);
    server.says.set('recipient', '451 4.7.1 Greylisted');
    for (let round = 0; round < 5; round++) {
      await work(target);
      later(3_600_000);
    }
    server.says.clear();
    await test.alice.authenticate();
    await invite(test.alice, [target, target]);
    expect(countOf(await work(target), 'sent')).to.equal(3);
  });
});

describe('the daily limit of an API key’s mails', () => {
  const server = suiteFixture(() => MailServer.startTrusted());
  const test = suiteFixture(() => startTestService({ ...server.env, RUN_WORKERS: 'false', DAILY_MAILS_PER_KEY: '3' }));
  const admin = new Admin(test);

  it('lets later mails wait until the next day, and shows operators the key', async () => {
    const { runtime } = test.service;
    const noon = new Date(`${new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)}T12:00:00.000Z`);
    test.setNow(noon);
    const nextDay = new Date(noon.getTime() + DAY_MS / 2);
    for (const client of [test.alice, test.bob]) await client.authenticate();
    const found = async () => (await ofWork(runtime.db, { runWorkers: false }, runtime.now()).limits()).found;
    expect(await found()).to.equal('No API key has reached a daily limit.');
    await invite(
      test.alice,
      Array.from({ length: 5 }, (_, number) => `person-${number}@mail.example`),
    );
    await invite(test.bob, ['of-bob@mail.example']);
    const work = async () => {
      const due = await runtime.db('invites').where('due_at', '<=', runtime.now().toISOString()).pluck('id');
      for (const id of due) await workOn(runtime, 'send-invite', id);
      return runtime.db('invites').orderBy('id');
    };
    const { sent = [], pending = [] } = Object.groupBy(await work(), ({ status }) => status);
    expect([sent.length, pending.length]).to.deep.equal([4, 2]);
    for (const invitation of pending)
      expect(invitation).to.include({
        due_at: nextDay.toISOString(),
        failures: 0,
        failure: 'its API key has sent its mails of the day',
      });
    expect(server.received.map(({ to }) => to[0])).to.include('of-bob@mail.example');
    expect(await found()).to.equal(`API keys that have reached a daily limit: ${test.alice.clientId} (3 mails).`);
    expect(JSON.stringify(await admin.json('invite', 'list'))).to.include('its API key has sent its mails of the day');
    test.setNow(nextDay);
    expect(new Set((await work()).map(({ status }) => status))).to.deep.equal(new Set(['sent']));
  });
});

describe('a person who declined an application with the same people', () => {
  const test = suiteFixture(() => startTestService({ RUN_WORKERS: 'false' }));
  const create = async (client: Client, lead: string, ...others: string[]) => {
    const tenants = [lead, ...others].map((email, index) => ({ email, is_lead: index === 0 }));
    return (await client.ok('createApplication', { body: { title: 'Loft', tenants } })).data.application_id;
  };
  const remove = (applicationId: string, email: string) =>
    test.alice.ok('removeParticipant', { params: { applicationId, email } });
  const statusIn = async (applicationId: string, email: string) => {
    const { runtime } = test.service;
    const invites = () =>
      runtime
        .db('invites')
        .join('participants', 'participants.id', 'invites.participant_id')
        .where({ application_id: applicationId, comparable_email: email })
        .first('invites.id', 'invites.status', 'failure');
    await workOn(runtime, 'send-invite', (await invites())?.id ?? '');
    const { status, failure } = (await invites()) ?? {};
    return failure ? `${status}: ${failure}` : status;
  };
  const DECLINED = 'cancelled: the person has declined to apply with the same people';

  it('is not invited again by the same key, in any order and case, and the others are', async () => {
    const [lead, guest, third] = ['lead@one.example', 'guest@one.example', 'third@one.example'];
    const first = await create(test.alice, lead, guest, third);
    await submit(test, await invitationPath(test, first, guest), { answer: 'decline' });
    await remove(first, guest);
    const second = await create(test.alice, third, guest.toUpperCase(), lead);
    expect(second).to.not.equal(first);
    expect(await statusIn(second, guest)).to.equal(DECLINED);
    expect(await statusIn(second, lead)).to.equal('sent');
    const fewer = await create(test.alice, lead, guest);
    expect(await statusIn(fewer, guest), 'another group').to.equal('sent');
    expect(await statusIn(await create(test.bob, lead, guest, third), guest), 'another key').to.equal('sent');
  });

  it('is not invited again when the others were removed first', async () => {
    const [lead, guest, third] = ['lead@two.example', 'guest@two.example', 'third@two.example'];
    const first = await create(test.alice, lead, guest, third);
    await remove(first, third);
    await submit(test, await invitationPath(test, first, guest), { answer: 'decline' });
    await remove(first, guest);
    expect(await statusIn(await create(test.alice, lead, guest), guest)).to.equal(DECLINED);
    expect(await statusIn(await create(test.alice, lead, guest, third), guest)).to.equal(DECLINED);
  });

  it('is invited again once an operator has recorded that they changed their mind', async () => {
    const [lead, guest] = ['lead@three.example', 'guest@three.example'];
    const first = await create(test.alice, lead, guest);
    await submit(test, await invitationPath(test, first, guest), { answer: 'decline' });
    const { db } = test.service.runtime;
    await db('participants').where({ comparable_email: guest }).update({ consent_status: 'accepted' });
    await remove(first, guest);
    expect(await statusIn(await create(test.alice, lead, guest), guest)).to.equal('sent');
  });
});
