import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { MailServer } from '../../harness/peers/mail-server.ts';
import { Admin, columnsOf, misunderstood, usageFault } from '../../harness/service/admin.ts';
import { startTestService } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';

databases('either');

const REFUSED = 'refused@mail.example';
const SENT = 'sent@mail.example';

interface Shown {
  invite_id: string;
  email: string;
  status: string;
  failure: string | null;
  explanation: string;
  next_command: string | null;
}

describe("the command line's invitations", () => {
  let applicationId: string;
  let work: (id: string) => Promise<void>;

  const server = suiteFixture(() => MailServer.startTrusted());
  const test = suiteFixture(() => startTestService({ ...server.env, RUN_WORKERS: 'false' }));
  const admin = new Admin(test);
  before(async () => {
    await writeFile(join(test.folder, 'ca.pem'), server.authority);
    Object.assign(admin.settings, server.env, { NODE_EXTRA_CA_CERTS: join(test.folder, 'ca.pem') });
    work = (id) => workOn(test.service.runtime, 'send-invite', id);
    const tenants = ['lead@mail.example', REFUSED, SENT].map((email, index) => ({ email, is_lead: index === 0 }));
    applicationId = (await test.alice.ok('createApplication', { body: { title: 'Operated', tenants } })).data
      .application_id;
    server.says.set('recipient', '550 5.1.1 No such mailbox');
    await work(await idOf(REFUSED));
    server.says.clear();
  });

  async function idOf(email: string): Promise<string> {
    const row = await test.service.runtime
      .db('invites')
      .join('participants', 'participants.id', 'invites.participant_id')
      .where({ email })
      .first('invites.id');
    return row?.id ?? expect.fail(`no one invited ${email}`);
  }
  const show = async (email: string) => admin.json<Shown>('invite', 'show', await idOf(email));

  it('list their state, filtered by state and by application', async () => {
    const [failed, ...others] = await admin.json<Shown[]>('invite', 'list', '--status', 'failed');
    expect(others).to.deep.equal([]);
    expect(failed).to.include({ email: REFUSED, application_id: applicationId, status: 'failed', failures: 1 });
    expect(failed?.failure).to.equal('the mail server refuses the recipient (550): 5.1.1 No such mailbox');
    expect(await admin.json<Shown[]>('invite', 'list', '--application', applicationId)).to.have.length(2);
    const text = await admin.text('invite', 'list', '--limit', '1');
    expect(columnsOf(text)).to.include.members(['invite id', 'email', 'outcome', 'failures']);
    expect(text).to.include('--limit');
    for (const status of ['pending', 'sent', 'failed', 'cancelled'])
      expect(await usageFault('invite', 'list', '--status', status), status).to.equal(undefined);
    await misunderstood('invite', 'list', '--status', 'lost');
  });

  it('show the reason and the command that helps', async () => {
    const failed = await show(REFUSED);
    expect(failed.explanation).to.include('given up').and.include('No such mailbox');
    expect(failed.next_command).to.include(`invite retry ${failed.invite_id}`);
    expect(await admin.text('invite', 'show', failed.invite_id))
      .to.include('No such mailbox')
      .and.include('invite retry');
    expect(await show(SENT)).to.include({ status: 'pending', next_command: null });
    expect(await admin.refused(1, ['invite', 'show', 'none'])).to.include('invite list');
  });

  it('are sent again with a new link, which replaces the former one, and this is audited', async () => {
    const { db } = test.service.runtime;
    const id = await idOf(REFUSED);
    await admin.text('invite', 'retry', id);
    expect(await admin.refused(1, ['invite', 'retry', id])).to.include('waits to be sent already');
    await work(id);
    await admin.text('invite', 'retry', id);
    await work(id);
    const links = server.received.map(({ mail }) => /http\S+\/invitation\/\S+/.exec(mail.text ?? '')?.[0] ?? '');
    expect(links).to.have.length(2);
    const statuses = await Promise.all(links.map(async (link) => (await fetch(link)).status));
    expect(statuses).to.deep.equal([404, 200]);
    const ids = server.received.map(({ mail }) => mail.messageId);
    expect(new Set(ids).size, 'readers would hide a second mail of one id').to.equal(2);
    expect(await show(REFUSED)).to.include({ status: 'sent', failure: null });
    const audited = await db('audit_entries').where({ action: 'invite.retry', resource_id: id });
    expect(audited).to.have.length(2);
    expect(JSON.stringify(audited)).to.not.include('mail.example');
  });

  it('that wait because the server refused the service are sent again by one command once that is mended', async () => {
    const emails = ['one@mail.example', 'two@mail.example', 'three@mail.example'];
    const tenants = ['lead@mail.example', ...emails].map((email, index) => ({ email, is_lead: index === 0 }));
    const created = await test.alice.ok('createApplication', { body: { title: 'Refused', tenants } });
    server.received.splice(0);
    server.says.set('recipient', '554 5.7.1 Relay access denied');
    for (const email of emails) await work(await idOf(email));
    server.says.clear();
    for (const email of emails) {
      const shown = await show(email);
      expect(shown).to.include({ status: 'pending', failures: 1 });
      expect(shown.failure).to.include('refuses mail of this service').and.include('Relay access denied');
    }
    const retry = (...options: string[]) => admin.json<object>('invite', 'retry', '--failing', ...options);
    expect(await retry('--failure', 'Greylisted')).to.deep.equal({ sent: 0, skipped: 0 });
    expect(await retry('--application', 'another')).to.deep.equal({ sent: 0, skipped: 0 });
    await test.service.runtime
      .db('participants')
      .where({ email: 'three@mail.example' })
      .update({ consent_status: 'accepted' });
    const id = created.data.application_id;
    expect(await retry('--failure', 'Relay access', '--application', id)).to.deep.equal({ sent: 2, skipped: 1 });
    for (const email of emails.slice(0, 2)) {
      expect(await show(email)).to.include({ status: 'pending', failures: 0, failure: null });
      await work(await idOf(email));
    }
    expect(server.received.map(({ to }) => to)).to.deep.equal([['one@mail.example'], ['two@mail.example']]);
    expect(await admin.refused(2, ['invite', 'retry'])).to.include('--failing');
    await admin.refused(2, ['invite', 'retry', id, '--failing']);
    await admin.refused(2, ['invite', 'retry', '--failure', 'Relay']);
  });

  it('are not sent again to participants who have answered or were removed', async () => {
    const { db } = test.service.runtime;
    const id = await idOf(SENT);
    await work(id);
    const people = () => db('participants').where({ email: SENT });
    await people().update({ consent_status: 'accepted' });
    expect(await admin.refused(1, ['invite', 'retry', id])).to.include('accepted');
    expect(await show(SENT)).to.include({ next_command: null });
    await people().update({ consent_status: 'pending', removed_at: new Date().toISOString() });
    expect(await admin.refused(1, ['invite', 'retry', id])).to.include('removed');
  });

  it('can be tested by a mail sent immediately, with the server’s response', async () => {
    server.received.splice(0);
    expect(await admin.text('mail', 'test', '--to', 'me@agency.example')).to.include(
      'The mail server accepted the mail',
    );
    expect(server.received.map(({ to }) => to)).to.deep.equal([['me@agency.example']]);
    const wrong = await admin.refused(1, ['mail', 'test', '--to', 'me@agency.example'], { SMTP_PASSWORD: 'hush' });
    expect(wrong).to.include('does not take the login (535)').and.not.include('hush');
    const sandbox = { MAIL_PROVIDER: '', SMTP_URL: '', SMTP_USER: '', SMTP_PASSWORD: '', MAIL_FROM: '' };
    const { stdout } = await admin.run(['mail', 'test', '--to', 'me@agency.example'], sandbox);
    expect(stdout).to.include('nothing left this machine');
    expect(await readdir(join(test.folder, 'mailbox', 'console'))).to.have.length(1);
    await misunderstood('mail', 'test', '--to', 'nobody');
  });
});
