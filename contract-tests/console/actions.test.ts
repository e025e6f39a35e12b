import { expect } from 'chai';
import { csrfIn, readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';
import { useOperatorAtWork } from './at-work.ts';
import { addOperator, CONSOLE, OperatorBrowser } from './operators.ts';

databases('either');

describe('operators’ actions in the console', () => {
  const { test, scene, operator, db, example, follow, done } = useOperatorAtWork();

  it('a failed delivery is reachable from the overview and can be redelivered', async () => {
    expect((await operator.open('/')).text).to.include('deliveries?status=failed');
    const log = await operator.open('/deliveries?status=failed');
    const id = example('/deliveries/');
    expect(log.text).to.include(`deliveries/${id}`);
    const story = readable((await operator.open(`/deliveries/${id}`)).text);
    expect(story).to.include('It failed: answered 503. No attempt is left.').and.include('maintenance');
    expect(await follow(await operator.act(`/deliveries/${id}/redeliver`))).to.include('The delivery is sent again.');
    expect(await db()('deliveries').where({ id }).first()).to.include({ status: 'pending' });
    expect(await done()).to.deep.equal(['delivery.redeliver']);
  });

  it('a webhook is resumed, and paused only with a reason', async () => {
    expect(await follow(await operator.act(`/webhooks/${scene.paused}/resume`))).to.include('was resumed');
    expect((await operator.act(`/webhooks/${scene.paused}/pause`)).status).to.equal(400);
    expect(await follow(await operator.act(`/webhooks/${scene.paused}/pause`, { reason: 'moves' }))).to.include(
      'moves',
    );
    expect(await done()).to.include.members(['webhook.resume', 'webhook.pause']);
  });

  it('consent declined by phone is recorded once in the application', async () => {
    const path = `/applications/${example('/applications/')}`;
    const consent = { email: 'jonas.weber@mail.example', answer: 'rejected' };
    expect(await follow(await operator.act(`${path}/consent`, consent))).to.include(
      'Recorded: the participant declines',
    );
    expect(await follow(await operator.act(`${path}/consent`, consent))).to.include(
      'Nothing was changed: it was already so',
    );
    expect((await operator.act(`${path}/consent`, { ...consent, email: 'nobody@mail.example' })).status).to.equal(404);
    expect((await done()).filter((action) => action === 'participant.decline')).to.have.length(1);
  });

  it('a failed invitation can be resent; an answered one, or one of another application, cannot', async () => {
    const path = `/applications/${example('/applications/')}/invite-again`;
    const invites = await db()('invites')
      .join('participants', 'participants.id', 'invites.participant_id')
      .select('invites.id', 'email');
    const ofJonas = invites.find(({ email }) => email === 'jonas.weber@mail.example')?.id;
    expect((await operator.act(path, { invite: ofJonas })).status).to.equal(409);
    const body = {
      title: 'Another',
      tenants: [
        { email: 'a@b.example', is_lead: true },
        { email: 'c@d.example', is_lead: false },
      ],
    };
    const { application_id } = (await test.alice.ok('createApplication', { body })).data;
    const participants = db()('participants').where({ application_id, email: 'c@d.example' }).select('id');
    await db()('invites')
      .whereIn('participant_id', participants)
      .update({ status: 'failed', due_at: null, failure: 'no such mailbox' });
    const { id } = (await db()('invites').whereIn('participant_id', participants).first('id')) ?? { id: '' };
    expect((await operator.act(path, { invite: id })).status, 'of another application').to.equal(404);
    const page = await follow(await operator.act(`/applications/${application_id}/invite-again`, { invite: id }));
    expect(page).to.include('sent again with a new link');
    expect(await done()).to.include('invite.retry');
  });

  it('a person’s timeline shows their invitation and their answer', async () => {
    const email = 'invited@mail.example';
    const { id } = await test.tenant(email);
    const tenants = [
      { email: 'first@mail.example', is_lead: true },
      { email, is_lead: false },
    ];
    await test.alice.ok('createApplication', { body: { title: 'Attic', tenants } });
    const participants = db()('participants').where({ email }).select('id');
    const at = new Date().toISOString();
    const sent = { status: 'sent', due_at: null, finished_at: at, answered_at: at } as const;
    await db()('invites').whereIn('participant_id', participants).update(sent);
    await db()('participants').where({ email }).update({ consent_status: 'accepted' });
    const text = readable((await operator.open(`/people/${id}`)).text);
    for (const words of ['Was invited to <bdi>Attic', 'Accepted <bdi>Attic']) expect(text).to.include(words);
  });

  it('a stuck verification can be ended', async () => {
    const person = example('/people/');
    const page = await operator.open(`/people/${person}`);
    const flow = /name="flow" value="([^"]+)"/.exec(page.text)?.[1] ?? expect.fail('no flow');
    expect(await follow(await operator.act(`/people/${person}/cancel-flow`, { kind: 'kyc', flow }))).to.include(
      'It was ended',
    );
    expect((await operator.act(`/people/${person}/cancel-flow`, { kind: 'kyc', flow })).status).to.equal(409);
    expect(await done()).to.include('kyc.cancel');
  });

  it('the findings in a tampered payslip are shown beside the page, before and after, in the report’s words', async () => {
    const run = example('/analyses/');
    expect((await operator.open(`/people/${example('/people/')}`)).text).to.include(`analyses/${run}`);
    const page = await operator.open(`/analyses/${run}`);
    for (const words of [
      'There are strong signs that the document was changed.',
      'Was, or should be',
      '2.280,40',
      'Is now',
    ])
      expect(page.text).to.include(words);
    const [, source = ''] = /<img src="([^"]+)"/.exec(page.text) ?? [];
    const picture = await operator.browser.open(new URL(readable(source), `${operator.base}/analyses/${run}`).href);
    expect(picture.headers.get('content-type')).to.match(/^image\/svg\+xml/);
    expect(picture.text).to.include('data:image/jpeg;base64,').and.include('class="mark strong"');
    const reads = await db()('audit_entries')
      .where({ actor: operator.name })
      .whereIn('action', ['forensic.read', 'document.read'])
      .orderBy('sequence');
    expect(reads.map(({ action }) => action)).to.deep.equal(['forensic.read', 'document.read']);
    for (const query of ['document=0', 'page=9'])
      expect((await operator.open(`/analyses/${run}/picture?${query}`)).status).to.equal(404);
    for (const query of ['page=x', 'place=1,2', 'place=1,2,3,4&strength=great'])
      expect((await operator.open(`/analyses/${run}/picture?${query}`)).status).to.equal(400);
  });

  it('a decision on a finding is stored sealed, with its reason, and changes neither the result nor sent events', async () => {
    const run = example('/analyses/');
    const sent = () =>
      Promise.all([
        db()('events').orderBy('id'),
        db()('deliveries').orderBy('id'),
        db()('forensic_runs').where({ id: run }),
      ]);
    const before = await sent();
    const { text } = await operator.open(`/analyses/${run}`);
    const value = (name: string) =>
      readable(
        new RegExp(`name="${name}" value="([^"]*)"`).exec(text.slice(text.indexOf('class="decide"')))?.[1] ?? '',
      );
    const finding = { document: value('document'), rule: value('rule'), finding: value('finding') };
    expect(finding.rule).to.equal('revised-text');
    const path = `/analyses/${run}/decide`;
    for (const wrong of [
      { ...finding, decision: 'confirmed', reason: ' ' },
      { ...finding, decision: 'perhaps', reason: 'x' },
    ])
      expect((await operator.act(path, wrong)).status).to.equal(400);
    for (const other of [{ finding: '2' }, { rule: 'no-rule' }, { document: 'x' }])
      expect((await operator.act(path, { ...finding, ...other, decision: 'harmless', reason: 'x' })).status).to.equal(
        404,
      );
    const reason = 'The employer sent <the original>.';
    const page = await follow(await operator.act(path, { ...finding, decision: 'confirmed', reason }));
    expect(page).to.include('The decision is recorded.').and.include(reason).and.include(operator.name);
    expect(page).to.not.include('<the original>.</li>');
    const rows = await db()('finding_decisions').where({ run_id: run });
    expect(rows).to.have.length(1);
    expect(JSON.stringify(rows)).to.not.include('original');
    expect(await sent()).to.deep.equal(before);
    expect(await done()).to.include('forensic.decide');
  });

  it('an analysis can be repeated only where run-forensic allows it', async () => {
    const run = example('/analyses/');
    const refused = await operator.act(`/analyses/${run}/rerun`);
    expect(refused.status).to.equal(409);
    expect(readable(refused.text)).to.include('The identity verification (KYC) is not completed');
    await db()('kyc_verifications')
      .where({ tenant_id: example('/people/') })
      .update({ status: 'verified', due_at: null, finished_at: new Date().toISOString() });
    expect(await follow(await operator.act(`/analyses/${run}/rerun`))).to.include('are analysed again');
    expect((await operator.act(`/analyses/${run}/rerun`)).status).to.equal(409);
    expect((await done()).filter((action) => action === 'forensic.queue')).to.have.length(1);
  });

  it('reads of people and event bodies are audited', async () => {
    await operator.open(`/people/${example('/people/')}`);
    await operator.open(`/deliveries/${example('/deliveries/')}/body`);
    const reads = await db()('audit_entries')
      .where({ actor: operator.name })
      .whereIn('action', ['tenant.read', 'event.read']);
    expect(reads.map(({ action }) => action)).to.include.members(['tenant.read', 'event.read']);
  });

  it('a new secret is shown once, and revoking a key requires typing its client_id', async () => {
    const { clientId } = test.bob;
    const shown = await operator.act(`/keys/${clientId}/rotate`, { overlap: '0s' });
    const secret = /<pre[^>]*>(sandbox_[\w-]+)<\/pre>/.exec(shown.text)?.[1] ?? expect.fail('no secret');
    expect((await operator.open(`/keys/${clientId}`)).text).to.not.include(secret);
    expect((await operator.act(`/keys/${clientId}/revoke`, { confirm: 'yes' })).status).to.equal(400);
    expect(await follow(await operator.act(`/keys/${clientId}/revoke`, { confirm: clientId }))).to.include(
      'was revoked',
    );
    expect((await operator.act(`/keys/${clientId}/rotate`)).status).to.equal(409);
    expect(await done()).to.include.members(['key.rotate', 'key.revoke']);
  });

  it('third-party text is escaped', async () => {
    const body = { title: '<script>alert(1)</script>', tenants: [{ email: 'x@y.example', is_lead: true }] };
    const { application_id } = (await test.alice.ok('createApplication', { body })).data;
    const { text } = await operator.open(`/applications/${application_id}`);
    expect(text).to.not.include('<script>');
  });

  it('notices come from a fixed list, so a URL cannot inject text', async () => {
    expect((await operator.open('/?notice=paused')).text).to.include('The webhook was paused');
    expect((await operator.open('/?notice=Call+this+number')).text).to.not.include('role="status"');
  });
});

describe('the delivery log', () => {
  const { test, scene } = useOperatorAtWork();

  it('lists every delivery exactly once across its pages, with any filter', async () => {
    const viewer = await OperatorBrowser.signIn(test, 'viewer');
    const db = test.service.runtime.db;
    const all = await db('deliveries')
      .join('events', 'events.id', 'deliveries.event_id')
      .select('deliveries.*', 'events.event');
    const filters: [query: string, expected: string[]][] = [
      ['', all.map(({ id }) => id)],
      ['status=failed', all.filter(({ status }) => status === 'failed').map(({ id }) => id)],
      ['status=held', all.filter(({ status, due_at }) => status === 'pending' && due_at === null).map(({ id }) => id)],
      ['event=EID_SUCCESS', all.filter(({ event }) => event === 'EID_SUCCESS').map(({ id }) => id)],
      [
        `webhook=${scene.hook.id}&status=delivered`,
        all
          .filter(({ webhook_id, status }) => webhook_id === scene.hook.id && status === 'delivered')
          .map(({ id }) => id),
      ],
      [`landlord=${test.landlords.ours}`, all.map(({ id }) => id)],
      [`landlord=${test.landlords.other}`, []],
    ];
    for (const [query, expected] of filters) {
      const seen: string[] = [];
      for (let next: string | undefined = `/deliveries?${query}`; next !== undefined; ) {
        const { text }: { text: string } = await viewer.open(next);
        seen.push(...[...text.matchAll(/deliveries\/(msg_\w+)"/g)].map(([, id = '']) => id));
        const older: string | undefined = /href="[^"]*(\/deliveries\?[^"]*)" rel="next"/.exec(text)?.[1];
        next = older && readable(older);
      }
      expect(seen, query).to.have.members(expected);
    }
  });

  it('refuses unknown filter values and malformed positions', async () => {
    const viewer = await OperatorBrowser.signIn(test, 'viewer');
    for (const query of ['status=lost', 'event=NONE', 'before=yesterday', `webhook=${'x'.repeat(600)}`])
      expect((await viewer.open(`/deliveries?${query}`)).status, query).to.equal(400);
  });
});

describe('an account of the console', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });

  it('ends the browser’s previous session on sign-in', async () => {
    const first = await OperatorBrowser.signIn(test, 'viewer');
    const before = [...first.browser.cookies.values()].flat().find(({ name }) => name === 'console')?.value;
    const { link } = await addOperator(test, 'operator');
    await first.browser.open(link, { csrf: csrfIn((await first.browser.open(link)).text) });
    const replayed = await fetch(`${first.base}/`, { headers: { cookie: `console=${before}` } });
    expect(replayed.status).to.equal(401);
  });
});
