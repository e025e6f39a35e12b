import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import type { MemberMailRow } from '../../db/access/member-mails.ts';
import { csrfIn, readable, WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { linkFor, MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { createMemberKey, MAX_MEMBER_KEYS } from '../../jobs/access/keys.ts';
import { addInvitedMember, mailMemberLinks } from '../../jobs/members/member-mails.ts';
import { enableMember, MAX_MEMBERS } from '../../jobs/members/members.ts';
import { retain } from '../../jobs/privacy/retain.ts';
import { MailDelayed } from '../../providers/mail/port.ts';

databases('both');

const NOON = new Date('2026-03-14T12:00:00.000Z');
/** `DAILY_MAILS_PER_ADDRESS` by default. */
const DAILY_TO_A_MAILBOX = 5;
/** Three links are open for ten minutes. */
const MAX_BY_STRANGERS = 3 * 6 * 24;
const TOMORROW = new Date('2026-03-15T00:00:00.000Z');

describe('the API keys that members of a landlord create', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const keys = () => db()('api_keys').where({ landlord_id: test.landlords.other });
  const inForce = async () => (await keys().whereNull('revoked_at').pluck('id')).length;
  const developer = () => MemberBrowser.signIn(test, 'developer', { landlordId: test.landlords.other });
  const create = (member: MemberBrowser, name = 'Another') => member.act('/keys', { name });
  /** Other keys in force, as an operator creates them. */
  const fill = async (to: number) => {
    for (let count = await inForce(); count < to; count++)
      await createApiKey(db(), test.landlords.other, `Key ${count}`, NOON);
  };
  const revoke = async (member: MemberBrowser, name: string) => {
    const { client_id = '' } = (await keys().where({ name }).first('client_id')) ?? {};
    return member.act(`/keys/${client_id}/revoke`, { confirm: client_id });
  };

  beforeEach(async () => {
    test.setNow(NOON);
    await db()('member_keys').delete();
    await keys().whereNot({ client_id: test.charlie.clientId }).delete();
  });

  it('are limited, also when several are created at once, in one process or in several', async () => {
    await fill(MAX_MEMBER_KEYS - 2);
    const members = [await developer(), await developer()];
    for (const member of members) await member.open('/keys');
    const landlordId = test.landlords.other;
    const answers = await Promise.all([
      ...members.map(async (member) => (await create(member)).status === 200),
      // Without a turn of the landlord, as in other processes.
      ...members.map(async ({ id }) => {
        const order = { landlordId, name: 'Another', memberId: id };
        return (await createMemberKey(test.service.runtime, order, { kind: 'member', id })) !== undefined;
      }),
    ]);
    expect(answers.filter((isCreated) => isCreated)).to.have.length(2);
    expect(await inForce()).to.equal(MAX_MEMBER_KEYS);
    const refused = await create(await developer());
    expect(refused.status).to.equal(409);
    expect(readable(refused.text)).to.include('Revoke one you no longer need');
    const ids = keys().where({ name: 'Another' }).select('id');
    const rows = await db()('audit_entries').where({ action: 'key.create' }).whereIn('resource_id', ids);
    expect(rows, 'a refusal is no creation').to.have.length(2);
  });

  it('count until the end of the day on which they ended, because each had daily limits of its own', async () => {
    await fill(MAX_MEMBER_KEYS - 2);
    const member = await developer();
    expect((await create(member, 'Expiring')).status).to.equal(200);
    expect((await create(member, 'Revoked')).status).to.equal(200);
    expect((await revoke(member, 'Revoked')).status).to.equal(303);
    await keys()
      .where({ name: 'Expiring' })
      .update({ expires_at: isoAfter(NOON, 1) });
    expect((await create(member)).status).to.equal(409);
    test.setNow(TOMORROW);
    const next = await developer();
    expect((await create(next, 'Tomorrow')).status).to.equal(200);
    expect((await create(next, 'Tomorrow, too')).status).to.equal(200);
    expect((await create(next)).status).to.equal(409);
  });

  it('do not hide older ones that are in force from the page that revokes them', async () => {
    const member = await developer();
    expect((await create(member, 'The oldest')).status).to.equal(200);
    const ended = [];
    for (let number = 0; number < 101; number++)
      ended.push(await createApiKey(db(), test.landlords.other, `Ended ${number}`, TOMORROW));
    const ids = ended.map(({ apiKey }) => apiKey.id);
    await db()('api_keys').whereIn('id', ids).update({ revoked_at: TOMORROW.toISOString() });
    await db()('member_keys').insert(ids.map((api_key_id) => ({ api_key_id, member_id: member.id })));
    expect(readable((await member.open('/keys')).text)).to.include('The oldest');
    expect(readable((await member.open('/webhooks/new')).text)).to.not.include('Ended');
  });

  it('do not become more by a later end of one that has expired', async () => {
    const member = await developer();
    expect((await create(member, 'Expired')).status).to.equal(200);
    const { client_id = '' } = (await keys().where({ name: 'Expired' }).first('client_id')) ?? {};
    await keys().where({ client_id }).update({ expires_at: NOON.toISOString() });
    expect((await member.act(`/keys/${client_id}/expiry`, { end: 'never' })).status).to.equal(409);
    expect(await keys().where({ client_id }).first('expires_at')).to.deep.equal({ expires_at: NOON.toISOString() });
  });
});

describe('the members of a landlord who may sign in', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const active = async () =>
    (await db()('members').where({ landlord_id: test.landlords.ours }).whereNull('disabled_at').pluck('id')).length;
  const add = (names: readonly string[], disabled_at: string | null = null) =>
    db()('members').insert(
      names.map((name) => ({
        ...{ id: newId(), landlord_id: test.landlords.ours, name, role: 'viewer', disabled_at, mails_webhooks: 1 },
        ...{ mail_address: `${name}@letting.example`, comparable_email: `${name}@letting.example` },
        created_at: NOON.toISOString(),
      })),
    );

  it('are limited, also when several are invited or enabled at once, and come first in their list', async () => {
    const admin = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours });
    await add(['disabled-1', 'disabled-2'], NOON.toISOString());
    await add(Array.from({ length: MAX_MEMBERS - 3 }, (_, number) => `zoe-${number}`));
    const disabled = await db()('members').whereLike('name', 'disabled-%').orderBy('name');
    const by = { kind: 'member', id: admin.id } as const;
    const member = { landlord_id: test.landlords.ours, name: 'Leo', role: 'viewer' } as const;
    const { runtime } = test.service;
    const asked = await Promise.allSettled([
      ...disabled.map((one) => enableMember(runtime, one, by)),
      ...['leo', 'lea'].map((name) => {
        const invited = { ...member, mail_address: `${name}@letting.example` };
        return addInvitedMember(runtime, invited, [], 'en', by);
      }),
    ]);
    expect(asked.filter(({ status }) => status === 'fulfilled')).to.have.length(2);
    expect(await active()).to.equal(MAX_MEMBERS);
    const refused = await admin.act('/members', { name: 'Ida', email: 'ida@letting.example', role: 'agent' });
    expect(refused.status).to.equal(409);
    expect(readable(refused.text)).to.include('Disable one first');
    expect(await db()('members').where({ name: 'Ida' })).to.deep.equal([]);
    await db()('members').whereLike('name', 'disabled-%').update({ disabled_at: NOON.toISOString() });
    const [again] = disabled;
    while ((await active()) < MAX_MEMBERS) await add([`zoe-again-${await active()}`]);
    expect((await admin.act(`/members/${again?.id}/enable`)).status).to.equal(409);
    const page = readable((await admin.open('/members')).text);
    expect(page).to.include('zoe-0').and.not.include('disabled-1');
    expect((await admin.act(`/members/${admin.id}/disable`)).status, 'the only admin').to.equal(409);
  });
});

describe('the mails that a landlord’s desk causes', () => {
  const test = useService({ RUN_WORKERS: 'false', TRUSTED_PROXIES: '127.0.0.1' });
  const db = () => test.service.runtime.db;
  const sent: string[] = [];
  let admin: MemberBrowser;
  let asked = 0;
  before(() => {
    test.service.runtime.providers.mail.send = async ({ to }) => {
      sent.push(to);
      signal();
    };
  });
  beforeEach(async () => {
    sent.length = 0;
    test.setNow(NOON);
    await db()('member_mails').delete();
    admin = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours });
  });
  const invite = (email: string) => admin.act('/members', { name: 'Leo', email, role: 'agent' });
  const memberWith = async (mail_address: string) =>
    String((await db()('members').where({ mail_address }).first('id'))?.id);
  /** Earlier mails of the landlord. */
  const mailed = (count: number, of: Partial<MemberMailRow>) =>
    db()('member_mails').insert(
      Array.from({ length: count }, () => ({
        ...{ id: newId(), landlord_id: test.landlords.ours, kind: 'invitation' as const, mailbox: newId() },
        ...{ sent_at: NOON.toISOString(), ...of },
      })),
    );
  /** Asks for a sign-in link, from an address of its own. */
  const ask = async (email: string) => {
    const browser = new WebBrowser();
    browser.headers = { 'x-forwarded-for': `198.51.100.${++asked % 256}` };
    const page = await browser.open(`${test.service.url}/desk/sign-in`);
    expect((await browser.open(page.url, { csrf: csrfIn(page.text), email })).status).to.equal(303);
  };

  it('are a few to one mailbox, however its address is written and however often its member is disabled', async () => {
    for (const tag of ['+1', '+2']) expect((await invite(`leo${tag}@letting.example`)).status).to.equal(303);
    const id = await memberWith('leo+1@letting.example');
    const again = async () => {
      await admin.act(`/members/${id}/disable`);
      await admin.act(`/members/${id}/enable`);
      return (await admin.act(`/members/${id}/invite`)).status;
    };
    for (let count = sent.length; count < DAILY_TO_A_MAILBOX; count++) expect(await again()).to.equal(303);
    expect(await again()).to.equal(409);
    const refused = await invite('leo+3@letting.example');
    expect(refused.status).to.equal(409);
    expect(readable(refused.text)).to.include('invitations go to one mailbox within 24 hours');
    expect(await db()('members').where({ mail_address: 'leo+3@letting.example' })).to.deep.equal([]);
    expect((await invite('lea@letting.example')).status, 'another mailbox').to.equal(303);
    test.setNow(new Date(NOON.getTime() + DAY_MS + 1));
    await admin.enter(await linkFor(test, admin.id));
    expect(await again()).to.equal(303);
  });

  it('invite a number of people a day, and leave other landlords theirs', async () => {
    await mailed(MAX_MEMBERS - 2, {});
    const { runtime } = test.service;
    const member = { landlord_id: test.landlords.ours, name: 'Leo', role: 'viewer' } as const;
    const together = await Promise.allSettled([
      ...['one', 'two', 'three'].map((name) => invite(`${name}@first.example`)),
      ...['four', 'five'].map((name) =>
        addInvitedMember(runtime, { ...member, mail_address: `${name}@first.example` }, [], 'en', {
          kind: 'member',
          id: admin.id,
        }),
      ),
    ]);
    expect(together).to.have.length(5);
    expect(sent).to.have.length(2);
    const refused = await invite('six@first.example');
    expect(readable(refused.text)).to.include('invitations to members within 24 hours');
    expect(await db()('members').whereLike('mail_address', '%@first.example')).to.have.length(2);
    const neighbour = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.other });
    const form = { name: 'Leo', email: 'six@first.example', role: 'agent' };
    expect((await neighbour.act('/members', form)).status).to.equal(303);
  });

  it('with links are a few to an address that never signed in, and never so few that strangers keep a member out', async () => {
    await invite('new@letting.example');
    const id = await memberWith('new@letting.example');
    const received = () => sent.filter((to) => to === 'new@letting.example').length;
    /** Asks one after the other, and waits for the mails that are due. */
    const askAgain = async (count: number, due = count) => {
      const before = received();
      for (let number = 1; number <= count; number++) {
        await db()('member_links').where({ member_id: id }).delete();
        // As the page does, which does not wait: a refused one that came late would be mailed once the member has signed in.
        if (number > due) await mailMemberLinks(test.service.runtime, 'new@letting.example', 'en');
        else {
          await ask('new@letting.example');
          await eventually('a link was mailed', () => received() === before + number);
        }
      }
    };
    expect(received(), 'the invitation').to.equal(1);
    await askAgain(DAILY_TO_A_MAILBOX + 2, DAILY_TO_A_MAILBOX);
    await db()('members').where({ id }).update({ last_signed_in_at: NOON.toISOString() });
    await askAgain(2 * DAILY_TO_A_MAILBOX);
    expect(received()).to.equal(1 + 3 * DAILY_TO_A_MAILBOX);
    expect((await admin.act(`/members/${id}/invite`)).status, 'an invitation').to.equal(303);
    await db()('member_mails').where({ kind: 'link' }).delete();
    await mailed(MAX_BY_STRANGERS, { kind: 'link', mailbox: 'new@letting.example' });
    await askAgain(1);
  });

  it('do not count when the mail server refuses them', async () => {
    const { mail } = test.service.runtime.providers;
    const { send } = mail;
    mail.send = async () => {
      throw new MailDelayed('the mail server is down');
    };
    await invite('late@letting.example');
    mail.send = send;
    expect(await db()('member_mails').where({ mailbox: 'late@letting.example' })).to.deep.equal([]);
    const id = await memberWith('late@letting.example');
    expect((await admin.act(`/members/${id}/invite`)).status).to.equal(303);
    expect(await db()('member_mails').where({ mailbox: 'late@letting.example' })).to.have.length(1);
  });

  it('are forgotten after a day', async () => {
    await mailed(1, { sent_at: isoAfter(NOON, -DAY_MS) });
    await mailed(1, { mailbox: 'recent@letting.example', sent_at: isoAfter(NOON, 1 - DAY_MS) });
    await retain(test.service.runtime);
    expect(await db()('member_mails').pluck('mailbox')).to.deep.equal(['recent@letting.example']);
  });
});
