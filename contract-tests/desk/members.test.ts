import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { addTestMember, MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { retain } from '../../jobs/privacy/retain.ts';

databases('either');

describe('the members of a landlord', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const keyId = async (clientId: string) =>
    String((await db()('api_keys').where({ client_id: clientId }).first('id'))?.id);
  const memberWith = async (mail_address: string) =>
    String((await db()('members').where({ mail_address }).first('id'))?.id);

  it('are invited by an admin, with a role and API keys, and see what these keys see', async () => {
    const admin = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours });
    const key = await keyId(test.bob.clientId);
    const form = { name: 'Leo', email: 'leo@letting.example', role: 'agent', key };
    expect(await admin.follow(await admin.act('/members', form))).to.include('on its way by mail');
    const id = await memberWith(form.email);
    expect(await db()('member_keys').where({ member_id: id }).pluck('api_key_id')).to.deep.equal([key]);
    expect(await db()('audit_entries').where({ action: 'member.create', resource_id: id }).first()).to.include({
      actor_kind: 'member',
      actor: admin.id,
    });
    expect((await admin.act('/members', form)).status).to.equal(409);
  });

  it('are added once although their mail cannot be sent, and are invited again then', async () => {
    const admin = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours });
    const form = { name: 'Ida', email: 'ida@letting.example', role: 'viewer', key: await keyId(test.alice.clientId) };
    const mailbox = join(test.folder, 'mailbox');
    await mkdir(mailbox, { recursive: true });
    await rename(mailbox, `${mailbox}-aside`);
    await writeFile(mailbox, 'no folder');
    const added = await admin.act('/members', form);
    await rm(mailbox);
    await rename(`${mailbox}-aside`, mailbox);
    expect(await admin.follow(added)).to.include('but the mail could not be sent');
    const again = await admin.act(`/members/${await memberWith(form.email)}/invite`);
    expect(await admin.follow(again)).to.include('on its way by mail');
  });

  it('get no API key of another landlord', async () => {
    const admin = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours });
    const key = await keyId(test.charlie.clientId);
    const form = { name: 'Eve', email: 'eve@letting.example', role: 'agent', key };
    expect((await admin.act('/members', form)).status).to.equal(400);
    expect(await db()('members').where({ mail_address: form.email })).to.deep.equal([]);
    const { id } = await MemberBrowser.signIn(test, 'viewer', { landlordId: test.landlords.ours });
    expect((await admin.act(`/members/${id}`, { role: 'viewer', key })).status).to.equal(400);
    expect(await db()('member_keys').where({ member_id: id })).to.deep.equal([]);
  });

  it('may be members of several landlords, who learn nothing of each other', async () => {
    const mail = 'both@letting.example';
    await MemberBrowser.signIn(test, 'viewer', { landlordId: test.landlords.other, mail });
    const admin = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours });
    const form = { name: 'Both', email: mail, role: 'viewer' };
    expect(await admin.follow(await admin.act('/members', form))).to.include('on its way by mail');
  });

  it('include an admin always: the last one is neither disabled nor given another role', async () => {
    const only = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.other });
    expect((await only.act(`/members/${only.id}`, { role: 'viewer' })).status).to.equal(409);
    expect((await only.act(`/members/${only.id}/disable`)).status).to.equal(409);
    const second = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.other });
    expect((await only.act(`/members/${only.id}/disable`)).status).to.equal(303);
    expect((await only.open('/')).status).to.equal(401);
    expect((await second.act(`/members/${second.id}/disable`)).status).to.equal(409);
    expect(await second.follow(await second.act(`/members/${only.id}/enable`))).to.include('can sign in again');
  });

  it('who lose an API key no longer see its applications, in a session that is open', async () => {
    const tenants = [{ email: 'tom@mail.example', is_lead: true }];
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const of = { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] };
    const [admin, agent] = [
      await MemberBrowser.signIn(test, 'admin', of),
      await MemberBrowser.signIn(test, 'agent', of),
    ];
    expect((await agent.open(`/applications/${application_id}`)).status).to.equal(200);
    await admin.act(`/members/${agent.id}`, { role: 'agent', key: await keyId(test.bob.clientId) });
    expect((await agent.open(`/applications/${application_id}`)).status).to.equal(404);
  });
});

describe('members who were disabled', () => {
  const test = useService({ RUN_WORKERS: 'false', RETAIN_ACCOUNTS_DAYS: '30' });

  it('are deleted once their retention has ended, with their keys and links; others stay', async () => {
    const { runtime } = test.service;
    const of = { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] };
    const [gone, recent, active] = [
      await addTestMember(test, 'agent', of),
      await addTestMember(test, 'agent', of),
      await addTestMember(test, 'agent', of),
    ];
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const disable = (id: string, days: number) =>
      runtime
        .db('members')
        .where({ id })
        .update({ disabled_at: daysAgo(days) });
    await disable(gone.id, 31);
    await disable(recent.id, 29);
    await retain(runtime);
    expect(await runtime.db('members').pluck('id')).to.have.members([recent.id, active.id]);
    for (const table of ['member_keys', 'member_links'] as const)
      expect(await runtime.db(table).pluck('member_id')).to.have.members([recent.id, active.id]);
  });
});
