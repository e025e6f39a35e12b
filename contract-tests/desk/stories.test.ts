import { expect } from 'chai';
import { MAX_FORMER_SECRETS } from '../../core/secrets/former-secrets.ts';
import { eventNames } from '../../db/webhooks/events.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { addDelivery, addHook, type Hook } from '../../harness/service/deliveries.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

describe('the stories of an agent', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const agent = suiteFixture(() =>
    MemberBrowser.signIn(test, 'agent', { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] }),
  );
  const people = { 'email-1': 'rosa@mail.example', 'email-2': 'teo@mail.example', 'email-3': 'ines@mail.example' };
  const create = (form: Record<string, string>) =>
    agent.act('/applications/new', { client_id: test.alice.clientId, ...form });
  let here = '';
  const consentOf = async (email: string) =>
    await db()('participants').where({ email, removed_at: null }).first('consent_status', 'is_lead');

  it('an application is created under one of their API keys, whose API sees it', async () => {
    const page = await agent.follow(await create({ title: 'Garden flat', ...people }));
    expect(page).to.include('was created').and.include('Garden flat');
    const listed = readable((await agent.open('/applications?email=teo@mail.example')).text);
    const [, id = ''] = /applications\/([\w-]{36})/.exec(listed) ?? [];
    here = `/applications/${id}`;
    const { data } = await test.alice.ok('getApplication', { params: { applicationId: id } });
    expect(data.participants.map(({ email }) => email)).to.deep.equal(Object.values(people));
    const created = await db()('audit_entries').where({ action: 'application.create', resource_id: id }).first();
    expect(created).to.include({ actor_kind: 'member', actor: agent.id });
    expect(await db()('invites').pluck('status')).to.deep.equal(['pending', 'pending', 'pending']);
  });

  it('the same people again are the same application, and no one is invited again', async () => {
    const page = await agent.follow(await create({ title: 'Other title', ...people }));
    expect(page).to.include('it was already so').and.include('Garden flat');
    expect(await db()('invites').pluck('status')).to.have.length(3);
  });

  it('a form with a mistake says what to mend, and creates nothing', async () => {
    const before = (await db()('applications').pluck('id')).length;
    const mistakes: [Record<string, string>, string][] = [
      [{ title: '', ...people }, 'Give a title'],
      [{ title: 'x'.repeat(256), ...people }, 'Give a title'],
      [{ title: 'Flat' }, 'address of the lead'],
      [{ title: 'Flat', 'email-1': 'rosa' }, 'rosa is no e-mail address'],
      [{ title: 'Flat', 'email-1': 'a@b.example', 'email-2': 'A@b.example' }, 'their own e-mail address'],
      [{ title: 'Flat', ...people, client_id: test.bob.clientId }, 'Choose one of your API keys'],
    ];
    for (const [form, words] of mistakes) {
      const answer = await create(form);
      expect(answer.status, words).to.equal(400);
      expect(readable(answer.text)).to.include(words);
    }
    expect(await db()('applications').pluck('id')).to.have.length(before);
  });

  it('an answer given by phone is recorded once, and the lead is transferred to who accepted', async () => {
    const answer = { email: 'teo@mail.example', answer: 'accepted' };
    expect(await agent.follow(await agent.act(`${here}/consent`, answer))).to.include('the participant accepts');
    expect(await agent.follow(await agent.act(`${here}/consent`, answer))).to.include('it was already so');
    expect(await agent.follow(await agent.act(`${here}/lead`, { email: answer.email }))).to.include('was transferred');
    expect(await consentOf(answer.email)).to.deep.equal({ consent_status: 'accepted', is_lead: 1 });
    expect((await agent.act(`${here}/remove`, { email: answer.email })).status).to.equal(409);
  });

  it('a participant is removed, and is then in no list and gets no mail', async () => {
    const email = 'ines@mail.example';
    expect(await agent.follow(await agent.act(`${here}/remove`, { email }))).to.include('was removed');
    expect(await consentOf(email)).to.equal(undefined);
    expect(readable((await agent.open(`/applications?email=${email}`)).text)).to.include('no such applications');
    expect((await agent.act(`${here}/mail-link`, { email })).status).to.equal(404);
  });

  it('a document is requested with a reason, and the person is mailed', async () => {
    const form = { email: 'rosa@mail.example', type: 'payslip' };
    expect((await agent.act(`${here}/ask-document`, form)).status).to.equal(400);
    const asked = await agent.follow(
      await agent.act(`${here}/ask-document`, { ...form, reason: 'The page is cut off' }),
    );
    expect(asked).to.include('is requested');
    expect(await db()('document_requests').first('type', 'reason')).to.deep.equal({
      type: 'payslip',
      reason: 'The page is cut off',
    });
  });

  it('what happened tells a mailed link from an invitation, and says no second time that a person was added', async () => {
    const title = 'Flat of a lead';
    const tenants = ['lena@mail.example', 'otto@mail.example'].map((email, index) => ({ email, is_lead: index === 0 }));
    const { application_id } = (await test.alice.ok('createApplication', { body: { title, tenants } })).data;
    const at = `/applications/${application_id}`;
    await agent.act(`${at}/mail-link`, { email: 'lena@mail.example' });
    const sent = { status: 'sent', due_at: null, finished_at: new Date().toISOString() } as const;
    const ids = db()('participants').where({ application_id }).select('id');
    await db()('invites').whereIn('participant_id', ids).update(sent);
    expect(readable((await agent.open(at)).text))
      .to.include('A mail was sent to <bdi>lena@mail.example')
      .and.include('<bdi>otto@mail.example</bdi> was invited')
      .and.not.match(/lena@mail\.example<\/bdi> was (?:invited|added)/);
  });

  it('an onboarding link is shown once, works, and links the property', async () => {
    const { status, text } = await agent.act(`${here}/onboard`, { email: 'teo@mail.example' });
    expect(status).to.equal(200);
    const [, link = ''] = /<pre[^>]*>([^<]+)<\/pre>/.exec(readable(text)) ?? [];
    expect((await fetch(link)).status).to.equal(200);
    const foreign = await agent.act(`${here}/onboard`, { email: 'teo@mail.example', property: 'absent' });
    expect(foreign.status).to.equal(400);
  });

  it('checks are started for a person with an account, who finds them behind their link', async () => {
    const email = 'teo@mail.example';
    expect((await agent.act(`${here}/check`, { email, check: 'kyc' })).status).to.equal(409);
    const { id: tenant_id } = await test.tenant(email, { documents: 1 });
    const analysed = await agent.act(`${here}/check`, { email, check: 'analysis' });
    expect(readable(analysed.text)).to.include('(KYC) is not completed');
    expect(await agent.follow(await agent.act(`${here}/check`, { email, check: 'kyc' }))).to.include('was started');
    const kyc = await db()('kyc_verifications').where({ tenant_id });
    expect(kyc).to.have.length(1);
    const person = readable((await agent.open(`/people/${tenant_id}`)).text);
    expect(person).to.include('Identity verification (KYC) began');
    await db()('kyc_verifications').update({ status: 'verified', due_at: null, finished_at: new Date().toISOString() });
    expect(await agent.follow(await agent.act(`${here}/check`, { email, check: 'analysis' }))).to.include(
      'analysed again',
    );
    expect(await db()('audit_entries').where({ actor: agent.id }).pluck('action')).to.include.members([
      ...['kyc.start', 'forensic.queue', 'tenant.read', 'participant.onboard'],
    ]);
  });

  it('who declined gets no mail and no lead', async () => {
    const email = 'rosa@mail.example';
    await agent.act(`${here}/consent`, { email, answer: 'rejected' });
    for (const action of ['mail-link', 'lead']) {
      const { status, text } = await agent.act(`${here}/${action}`, { email });
      expect(status, action).to.equal(409);
      expect(readable(text)).to.include('declined the invitation');
    }
  });
});

describe('the stories of a developer', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const hook: Hook = suiteFixture(() => addHook(test.alice, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'));
  const developer = suiteFixture(() =>
    MemberBrowser.signIn(test, 'developer', { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] }),
  );
  const secretIn = (text: string) => /<pre[^>]*>([^<]+)<\/pre>/.exec(readable(text))?.[1] ?? '';

  it('a webhook is created for one of their API keys; its secret is shown once and signs', async () => {
    const form = { url: 'https://hooks.example/screening', client_id: test.alice.clientId };
    const { status, text } = await developer.act('/webhooks/new', form);
    expect(status).to.equal(200);
    const secret = secretIn(text);
    expect(secret).to.match(/^whsec_/);
    const { id, sealed_secret } = (await db()('webhooks').where({ url: form.url }).first()) ?? {};
    expect(sealed_secret).to.be.a('string').and.not.include(secret);
    expect(readable((await developer.open(`/webhooks/${id}`)).text))
      .to.include('hooks.example')
      .and.not.include(secret);
    expect((await developer.act('/webhooks/new', { ...form, client_id: test.bob.clientId })).status).to.equal(400);
    expect((await developer.act('/webhooks/new', { ...form, url: 'nonsense' })).status).to.equal(400);
  });

  it('a test is sent, signed like a delivery, and its response is shown', async () => {
    const { status, text } = await developer.act(`/webhooks/${hook.id}/test`);
    expect(status).to.equal(200);
    expect(readable(text)).to.include('delivered').and.include('EID_SUCCESS');
    const [received] = hook.receiver.received;
    expect(String(received?.headers['webhook-id'])).to.match(/^msg_test_/);
  });

  it('a test that no one answered says so', async () => {
    const body = { url: 'https://letting.example/hooks/unanswered' };
    const { id } = (await test.alice.ok('createWebhook', { body })).data;
    const text = readable((await developer.act(`/webhooks/${id}/test`)).text);
    expect(text)
      .to.include('failed')
      .and.match(/Response<\/h4><pre tabindex="0">There was none\./);
    await developer.act(`/webhooks/${id}/delete`);
  });

  it('a webhook is paused with a reason and resumed, and its secret rotates with an overlap', async () => {
    const here = `/webhooks/${hook.id}`;
    expect((await developer.act(`${here}/pause`)).status).to.equal(400);
    expect(await developer.follow(await developer.act(`${here}/pause`, { reason: 'we move' }))).to.include('we move');
    expect(await developer.follow(await developer.act(`${here}/resume`))).to.include('was resumed');
    const { text } = await developer.act(`${here}/rotate-secret`, { overlap: '7d' });
    expect(secretIn(text)).to.match(/^whsec_/);
    expect(await db()('former_webhook_secrets').where({ webhook_id: hook.id })).to.have.length(1);
  });

  it('a few replaced secrets of a webhook, and of a key, are valid at once: another is refused, unless it ends all', async () => {
    const key = secretIn((await developer.act('/keys', { name: 'Often' })).text);
    const { client_id = '', id: api_key_id = '' } = (await db()('api_keys').where({ name: 'Often' }).first()) ?? {};
    expect(key).to.not.equal('');
    for (const [here, formers] of [
      [`/webhooks/${hook.id}/rotate-secret`, () => db()('former_webhook_secrets').where({ webhook_id: hook.id })],
      [`/keys/${client_id}/rotate`, () => db()('former_client_secrets').where({ api_key_id })],
    ] as const) {
      for (let former = (await formers()).length; former < MAX_FORMER_SECRETS; former++)
        expect((await developer.act(here, { overlap: '24h' })).status, here).to.equal(200);
      const refused = await developer.act(here, { overlap: '24h' });
      expect(refused.status, here).to.equal(409);
      expect(readable(refused.text)).to.include(`${MAX_FORMER_SECRETS} replaced secrets are still valid.`);
      expect(await formers()).to.have.length(MAX_FORMER_SECRETS);
      expect((await developer.act(here, { overlap: '0s' })).status, here).to.equal(200);
      expect(await formers()).to.deep.equal([]);
    }
  });

  it('a failed delivery says why, with request and response, and is replayed alone or with all that failed', async () => {
    const { id: tenant } = await test.tenant('vera@mail.example', { of: test.alice, documents: 1 });
    const failed = { webhook_id: hook.id, status: 'failed', due_at: null, last_error: 'answered 503' } as const;
    const tries = [{ status_code: 503, error: 'answered 503', response_excerpt: '{"error":"maintenance"}' }];
    const one = await addDelivery(test, tenant, { ...failed, attempts: 1, last_status_code: 503, tries });
    const other = await addDelivery(test, tenant, { ...failed, attempts: 1, last_status_code: 503, tries });
    const log = readable((await developer.open('/deliveries?status=failed')).text);
    expect(log).to.include(one).and.include(other);
    const story = readable((await developer.open(`/deliveries/${one}`)).text);
    expect(story).to.include('answered 503').and.include('maintenance').and.include(`webhook-id: ${one}`);
    const stateOf = async (id: string) => (await db()('deliveries').where({ id }).first('status'))?.status;
    expect(await developer.follow(await developer.act(`/deliveries/${one}/redeliver`))).to.include('is sent again');
    expect([await stateOf(one), await stateOf(other)]).to.deep.equal(['pending', 'failed']);
    const all = await developer.act(`/webhooks/${hook.id}/redeliver-failed`, { hours: '1' });
    expect(await developer.follow(all)).to.include('are sent again');
    expect(await stateOf(other)).to.equal('pending');
  });

  it('several failed deliveries are chosen and replayed together, and none with one that is not theirs', async () => {
    const { id: tenant } = await test.tenant('olga@mail.example', { of: test.alice, documents: 1 });
    const failed = { webhook_id: hook.id, status: 'failed', due_at: null, last_error: 'answered 503' } as const;
    const add = () => addDelivery(test, tenant, { ...failed, attempts: 1, last_status_code: 503 });
    const [one, other, third] = [await add(), await add(), await add()];
    const stateOf = async (id: string) => (await db()('deliveries').where({ id }).first('status'))?.status;
    const list = (await developer.open('/deliveries?status=failed')).text;
    for (const id of [one, other, third]) expect(list).to.include(`value="${id}" form="chosen"`);
    const choose = (...delivery: string[]) => developer.act('/deliveries/redeliver', { delivery });
    expect((await choose(one, 'absent')).status).to.equal(404);
    expect(await stateOf(one)).to.equal('failed');
    expect(await developer.follow(await choose(one, other))).to.include('are sent again');
    expect([await stateOf(one), await stateOf(other), await stateOf(third)]).to.deep.equal([
      'pending',
      'pending',
      'failed',
    ]);
  });

  it('the events that webhooks receive are listed with examples, and how to cause them in the sandbox', async () => {
    const text = readable((await developer.open('/events')).text);
    for (const words of [...eventNames, '"event": "EID_SUCCESS"', '+kyc-verified']) expect(text).to.include(words);
    expect((await developer.open('/webhooks')).text).to.include('/desk/events"');
  });

  it('the body of a delivery is shown, and that it was is recorded', async () => {
    const delivery = await db()('deliveries').first('id', 'event_id');
    expect((await developer.open(`/deliveries/${delivery?.id}/body`)).status).to.equal(200);
    const read = await db()('audit_entries').where({ action: 'event.read', actor: developer.id }).first();
    expect(read).to.include({ actor_kind: 'member', resource_id: delivery?.event_id });
  });

  it('a webhook is deleted with its deliveries', async () => {
    expect(await developer.follow(await developer.act(`/webhooks/${hook.id}/delete`))).to.include('was deleted');
    expect(await db()('deliveries').where({ webhook_id: hook.id })).to.deep.equal([]);
    expect((await developer.open(`/webhooks/${hook.id}`)).status).to.equal(404);
  });

  it('an API key is created, works, rotates with an overlap, gets an end, and is revoked', async () => {
    const { text } = await developer.act('/keys', { name: 'Trial' });
    const secret = secretIn(text);
    const [, clientId = ''] = /<code>([\w-]{36})<\/code>/.exec(readable(text)) ?? [];
    const signIn = async (password: string) => {
      const authorization = `Basic ${Buffer.from(`${clientId}:${password}`).toString('base64')}`;
      const url = `${test.service.url}/api/v1/authenticate/token`;
      return (await fetch(url, { method: 'POST', headers: { authorization } })).status;
    };
    expect(await signIn(secret)).to.equal(200);
    const here = `/keys/${clientId}`;
    expect(readable((await developer.open(here)).text))
      .to.include('Trial')
      .and.not.include(secret);
    const next = secretIn((await developer.act(`${here}/rotate`, { overlap: '24h' })).text);
    expect([await signIn(secret), await signIn(next)]).to.deep.equal([200, 200]);
    expect(await developer.follow(await developer.act(`${here}/expiry`, { end: '30d' }))).to.include('was changed');
    expect((await developer.act(`${here}/revoke`, { confirm: 'yes' })).status).to.equal(400);
    expect(await developer.follow(await developer.act(`${here}/revoke`, { confirm: clientId }))).to.include(
      'was revoked',
    );
    expect([await signIn(secret), await signIn(next)]).to.deep.equal([401, 401]);
    expect((await developer.act(`${here}/rotate`)).status).to.equal(409);
  });
});
