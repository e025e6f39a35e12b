import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import PostalMime from 'postal-mime';
import { databases } from '../../harness/database/dialect.ts';
import { addTestMember, MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { sendWebhookMails } from '../../jobs/members/webhook-mails.ts';
import { pause, resume } from '../../jobs/webhooks/webhook-care.ts';
import { MailDelayed, MailRefused } from '../../providers/mail/port.ts';

databases('either');

const MINUTE_MS = 60_000;

describe('the mails to members about failing webhooks', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  /** One pass of a leading process, some minutes from now. */
  const pass = (minutes = 0) =>
    sendWebhookMails({ ...test.service.runtime, now: () => new Date(Date.now() + minutes * MINUTE_MS) })();
  const mailsTo = async (address: string) => {
    const folder = join(test.folder, 'mailbox');
    const names = (await readdir(folder, { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.eml'));
    const mails = await Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))));
    return mails.filter(({ to = [] }) => to.some((one) => one.address === address));
  };
  const webhook = async (minutes: number | undefined) => {
    const { id } = (await test.alice.ok('createWebhook', { body: { url: 'https://letting.example/secret-path' } }))
      .data;
    await fail(id, minutes);
    return id;
  };
  const at = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString();
  const fail = (id: string, minutes: number | undefined) =>
    db()('webhooks')
      .where({ id })
      .update({ failing_since: minutes === undefined ? null : at(minutes), last_triggered_at: at(-1) });
  const ours = () => ({ landlordId: test.landlords.ours, clientIds: [test.alice.clientId] });

  afterEach(async () => {
    await db()('webhooks').delete();
    await db()('members').delete();
  });

  it('reach admins, and developers with its API key, once when it has failed for ten minutes and once when it recovers', async () => {
    const members = {
      admin: await addTestMember(test, 'admin', { landlordId: test.landlords.ours }),
      developer: await addTestMember(test, 'developer', ours()),
      agent: await addTestMember(test, 'agent', ours()),
      viewer: await addTestMember(test, 'viewer', ours()),
      'of another key': await addTestMember(test, 'developer', { ...ours(), clientIds: [test.bob.clientId] }),
      'of another landlord': await addTestMember(test, 'admin', { landlordId: test.landlords.other }),
    };
    const told = async () => {
      const all = Object.entries(members).map(async ([who, { mail }]) => [who, (await mailsTo(mail)).length] as const);
      return Object.fromEntries((await Promise.all(all)).filter(([, count]) => count > 0));
    };
    const id = await webhook(9);
    await pass();
    expect(await told()).to.deep.equal({});
    await pass(2);
    await pass(3);
    expect(await told()).to.deep.equal({ admin: 1, developer: 1 });
    const [mail] = await mailsTo(members.developer.mail);
    expect(mail?.text).to.include(`/desk/webhooks/${id}`).and.include('/desk/account');
    expect(mail?.text).to.not.include('secret-path');
    await fail(id, undefined);
    await pass(4);
    await pass(5);
    expect(await told()).to.deep.equal({ admin: 2, developer: 2 });
    const subjects = (await mailsTo(members.admin.mail)).map(({ subject = '' }) => subject).sort();
    expect(subjects.join()).to.match(/^A webhook of .* delivers again,A webhook of .* is failing$/);
  });

  it('are one for all webhooks that fail together', async () => {
    const { mail } = await addTestMember(test, 'developer', ours());
    await webhook(20);
    await webhook(30);
    await pass();
    const [only, ...others] = await mailsTo(mail);
    expect(others).to.deep.equal([]);
    expect(only?.subject).to.match(/^2 webhooks of /);
  });

  it('do not take a resume for a recovery, which the first success is', async () => {
    const { mail } = await addTestMember(test, 'developer', ours());
    const id = await webhook(20);
    await pass();
    const { runtime } = test.service;
    await db()('webhooks')
      .where({ id })
      .update({ last_triggered_at: at(1) });
    await pause(runtime, id, 'repairs');
    await pass();
    await resume(runtime, id);
    await pass();
    expect(await mailsTo(mail)).to.have.lengthOf(1);
    await fail(id, undefined);
    await pass();
    expect(await mailsTo(mail)).to.have.lengthOf(2);
  });

  it('stop when the member says so, and no mail about the recovery follows', async () => {
    const member = await MemberBrowser.signIn(test, 'developer', ours());
    expect((await member.open('/account')).text).to.include('Mails about failing webhooks');
    const id = await webhook(20);
    await pass();
    expect(await member.follow(await member.act('/account', { mails: 'off' }))).to.include('settings were saved');
    await pass();
    await fail(id, undefined);
    await pass();
    await fail(id, 20);
    await pass();
    expect(await mailsTo(member.mail)).to.have.lengthOf(1);
  });

  it('are at most the daily mails of an address; later ones wait', async () => {
    const { mail } = await addTestMember(test, 'developer', ours());
    const limit = test.service.runtime.dailyMails.perAddress;
    const id = await webhook(undefined);
    for (let turn = 0; turn < limit; turn += 1) {
      await fail(id, 20);
      await pass(turn * 2);
      await fail(id, undefined);
      await pass(turn * 2 + 1);
    }
    expect(await mailsTo(mail)).to.have.lengthOf(limit);
    await fail(id, 20);
    await pass(25 * 60);
    await fail(id, undefined);
    await pass(25 * 60 + 1);
    expect((await mailsTo(mail)).length).to.be.greaterThan(limit);
  });

  it('that the mail server postpones are sent later, and refused addresses hold up no one', async () => {
    const [refused, delayed] = [
      await addTestMember(test, 'developer', ours()),
      await addTestMember(test, 'admin', ours()),
    ];
    await webhook(20);
    const { mail } = test.service.runtime.providers;
    const { send } = mail;
    const asked: string[] = [];
    mail.send = async ({ to }) => {
      asked.push(to);
      throw to === refused.mail ? new MailRefused('the mailbox is unknown') : new MailDelayed('later');
    };
    await pass();
    mail.send = send;
    expect(asked).to.have.members([refused.mail, delayed.mail]);
    await pass();
    expect(await mailsTo(refused.mail)).to.deep.equal([]);
    expect(await mailsTo(delayed.mail)).to.have.lengthOf(1);
  });
});
