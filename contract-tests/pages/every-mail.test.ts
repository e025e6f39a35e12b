import { expect } from 'chai';
import { watchOwn } from '../../bin/service/own-conditions.ts';
import { newId } from '../../core/ids.ts';
import { HOUR_MS, isoAfter } from '../../core/time.ts';
import { csrfIn, readable, WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import type { Client } from '../../harness/service/client.ts';
import { addTestMember, MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { OperatorMails } from '../../jobs/conditions/operator-mails.ts';
import { sendWebhookMails } from '../../jobs/members/webhook-mails.ts';
import { retain } from '../../jobs/privacy/retain.ts';
import { type MailKind, mailKinds } from '../../providers/mail/port.ts';
import { addOperator, CONSOLE, consoleUrl, OperatorBrowser } from '../console/operators.ts';

databases('either');

const OPERATOR = 'operations@agency.example';
const GUEST = 'noah.meyer@mail.example';
/** Links in invitations to the desk are valid for three days. */
const KEPT_HOURS = 72;

describe('every mail of the sandbox', () => {
  const test = useService(CONSOLE);
  const ours = () => ({ landlordId: test.landlords.ours, clientIds: [test.alice.clientId] });
  const admin = suiteFixture(() => MemberBrowser.signIn(test, 'admin', ours()));
  const command = new Admin(test);
  const db = () => test.service.runtime.db;

  const get = async (path: string, { clientId, clientSecret }: Pick<Client, 'clientId' | 'clientSecret'>) => {
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const answer = await fetch(`${test.service.url}${path}`, { headers: { accept: 'text/html', authorization } });
    return { status: answer.status, text: await answer.text() };
  };
  /** The ids of the mails that a key's page lists. */
  const listed = async (client: Client) =>
    [...(await get('/mailbox', client)).text.matchAll(/href="[^"]*mailbox\/([\w-]+)"/g)].map(([, id = '']) => id);
  const toOperators = async () =>
    (await command.json<{ mail_id: string }[]>('mail', 'list')).map(({ mail_id }) => mail_id);

  const ask = async (url: string, form: Record<string, string>) => {
    const browser = new WebBrowser();
    const page = await browser.open(`${url}/sign-in`);
    await browser.open(page.url, { csrf: csrfIn(page.text), ...form });
  };
  const passkey = (of: Record<string, string>) => ({
    ...{ ...of, id: newId(), name: 'Laptop', credential_id: newId(), public_key: '', counter: 0 },
    ...{ challenge_at: new Date().toISOString(), created_at: new Date().toISOString() },
  });
  const webhookFails = async (hours: number | undefined) => {
    const failing_since = hours === undefined ? null : isoAfter(new Date(), -hours * HOUR_MS);
    await db()('webhooks').update({ failing_since, last_triggered_at: new Date().toISOString() });
  };

  /** Brings about a mail of each kind. @returns whom it goes to */
  const causes: Record<MailKind, () => Promise<string>> = {
    applicant: async () => {
      const tenants = ['marta.ruiz@mail.example', GUEST].map((email, index) => ({ email, is_lead: index === 0 }));
      await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } });
      return GUEST;
    },
    'member-invitation': async () => {
      const form = { name: 'Lea', email: 'lea@letting.example', role: 'viewer' };
      expect((await admin.act('/members', form)).status).to.equal(303);
      return form.email;
    },
    'member-link': async () => {
      const { mail } = await addTestMember(test, 'agent', ours());
      await ask(`${test.service.url}/desk`, { email: mail });
      return mail;
    },
    'member-passkey': async () => {
      const row = passkey({ member_id: admin.id });
      await db().table('member_passkeys').insert(row);
      expect((await admin.act('/account/remove-passkey', { passkey: row.id })).status).to.equal(303);
      return admin.mail;
    },
    'failing-webhooks': async () => {
      await test.alice.ok('createWebhook', { body: { url: 'https://letting.example/hook' } });
      await webhookFails(1);
      await sendWebhookMails(test.service.runtime)();
      return admin.mail;
    },
    'recovered-webhooks': async () => {
      await webhookFails(undefined);
      await sendWebhookMails(test.service.runtime)();
      return admin.mail;
    },
    'operator-link': async () => {
      const to = 'ana@agency.example';
      const { name } = await addOperator(test, 'viewer', to);
      await db()('console_links').delete();
      await ask(consoleUrl(test), { name });
      return to;
    },
    'operator-passkey': async () => {
      const to = 'eve@agency.example';
      const account = await addOperator(test, 'viewer', to);
      const operator = await OperatorBrowser.enter(test, account);
      const row = passkey({ account_id: account.id });
      await db().table('account_passkeys').insert(row);
      expect((await operator.act('/account/remove-passkey', { passkey: row.id })).status).to.equal(303);
      return to;
    },
    conditions: async () => {
      await webhookFails(2);
      const watch = watchOwn(test.config, test.service.runtime, { loops: undefined, stopping: undefined });
      await new OperatorMails(test.service.runtime, watch, OPERATOR).lead();
      return OPERATOR;
    },
    test: async () => {
      await command.json('mail', 'test', '--to', OPERATOR);
      return OPERATOR;
    },
  };

  for (const [kind, reader] of Object.entries(mailKinds))
    it(`is shown to its ${reader}, and to no others: ${kind}`, async () => {
      const cause = Object.entries(causes).find(([one]) => one === kind)?.[1];
      const [before, commanded] = [await listed(test.alice), await toOperators()];
      const to = (await cause?.()) ?? expect.fail('nothing causes it');
      const isNew = (known: readonly string[]) => (id: string) => !known.includes(id);
      if (reader === 'operators') {
        const id = await until('operators have it', async () => (await toOperators()).find(isNew(commanded)));
        expect(await command.json('mail', 'show', id)).to.include({ mail_id: id, to });
        expect(await command.text('mail', 'show', id)).to.include(to);
        expect((await get(`/mailbox/${id}`, test.alice)).status).to.equal(404);
        expect(await listed(test.alice)).to.deep.equal(before);
        return;
      }
      const id = await until('the page lists it', async () => (await listed(test.alice)).find(isNew(before)));
      const { status, text } = await get(`/mailbox/${id}`, test.alice);
      expect(status).to.equal(200);
      expect(readable(text)).to.include(to);
      const [, link = ''] = /<p class="mail-text">[\s\S]*?<a href="([^"]+)"/.exec(text) ?? [];
      expect(readable(link)).to.match(new RegExp(`^${test.service.url}/(?:invitation|desk)/`));
      expect((await get(`/mailbox/${id}/html`, test.alice)).text).to.match(/<a [^>]*target="_blank"/);
      const others = reader === 'key' ? [test.bob, test.charlie] : [test.charlie];
      for (const other of others) {
        expect(await listed(other)).to.not.include(id);
        expect((await get(`/mailbox/${id}`, other)).status).to.equal(404);
      }
      if (reader === 'landlord') expect(await listed(test.bob), 'the desk is the landlord’s').to.include(id);
      expect(await toOperators()).to.deep.equal(commanded);
    });

  it('leads a member from the page to the desk', async () => {
    const { mail } = await addTestMember(test, 'agent', ours());
    const before = await listed(test.alice);
    await ask(`${test.service.url}/desk`, { email: mail });
    const id = await until('the page lists it', async () =>
      (await listed(test.alice)).find((one) => !before.includes(one)),
    );
    const { text } = await get(`/mailbox/${id}`, test.alice);
    const link = readable(/<a href="([^"]+\/desk\/sign-in\/[^"]+)"/.exec(text)?.[1] ?? '');
    const browser = new WebBrowser();
    const page = await browser.open(link);
    expect((await browser.open(link, { csrf: csrfIn(page.text) })).status).to.equal(303);
    expect((await browser.open(`${test.service.url}/desk/`)).status).to.equal(200);
  });

  it('is named at the sign-in of either office, which says where it is', async () => {
    const desk = await new WebBrowser().open(`${test.service.url}/desk/sign-in`);
    expect(desk.text).to.match(/<a href="[./]*mailbox">Read them<\/a>/);
    expect((await new WebBrowser().open(`${consoleUrl(test)}/sign-in`)).text).to.include('<code>mail list</code>');
  });

  it('that went to an office is removed once no link in it is valid', async () => {
    const { runtime } = test.service;
    expect(await listed(test.bob)).to.not.deep.equal([]);
    const at = (hours: number) => ({ ...runtime, now: () => new Date(Date.now() + hours * HOUR_MS) });
    await retain(at(KEPT_HOURS - 1));
    expect(await listed(test.bob)).to.not.deep.equal([]);
    await retain(at(KEPT_HOURS + 1));
    expect([await listed(test.bob), await toOperators()]).to.deep.equal([[], []]);
  });
});

describe('where mails are sent', () => {
  const smtp = { MAIL_PROVIDER: 'smtp', MAIL_FROM: 'a@b.example', SMTP_URL: 'smtp://127.0.0.1:9' };
  const test = useService({ ...CONSOLE, ...smtp, RUN_WORKERS: 'false' });

  it('no page and no command shows one', async () => {
    expect((await fetch(`${test.service.url}/mailbox`)).status).to.equal(404);
    const command = new Admin(test, smtp);
    for (const args of [['list'], ['show', newId()]])
      expect(await command.refused(1, ['mail', ...args])).to.include('none is kept');
    for (const page of [`${test.service.url}/desk/sign-in`, `${consoleUrl(test)}/sign-in`])
      expect((await new WebBrowser().open(page)).text).to.not.match(/mailbox|mail list/);
  });
});
