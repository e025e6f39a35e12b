import { expect } from 'chai';
import { transferLead } from '../../db/applications/applications.ts';
import { launchBrowser, visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { type RawAnswer, send } from '../../harness/service/client.ts';
import { invitationPath, look, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { addPath } from './path-proxy.ts';

databases('either');

const DAY_MS = 86_400_000;
const TITLE = 'Flat <b>on</b> Calle de Alcalá';

describe('the invitation page', () => {
  let serial = 0;
  // Without workers, so that the test knows the links.
  const test = useService({ RUN_WORKERS: 'false', INVITATION_DAYS: '30' });

  /** A new application, and the link of the invited person. */
  const invite = async () => {
    serial += 1;
    const [lead, guest] = [`lead-${serial}@mail.example`, `guest-${serial}@mail.example`] as const;
    const tenants = [lead, guest].map((email) => ({ email, is_lead: email === lead }));
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: TITLE, tenants } })).data;
    const path = await invitationPath(test, application_id, guest);
    const get = async () => (await test.alice.ok('getApplication', { params: { applicationId: application_id } })).data;
    const consent = async () => (await get()).participants[1]?.consent_status;
    return { applicationId: application_id, lead, guest, path, get, consent };
  };
  const participantId = async (applicationId: string, email: string) =>
    (await test.service.runtime.db('participants').where({ application_id: applicationId, email }).first('id'))?.id;
  const audit = (resourceId = '') =>
    test.service.runtime.db('audit_entries').where({ resource_id: resourceId }).orderBy('sequence');
  const offers = ({ text }: RawAnswer) => text.includes('<form') || text.includes('<button');

  it('says who invites whom to what, as text and without another’s address, and changes nothing when viewed', async () => {
    const { applicationId, lead, guest, path, get } = await invite();
    const before = await get();
    const page = await look(test, path);
    expect(page.status).to.equal(200);
    expect(page.text).to.include(guest).and.include('Casa Clara').and.include('&#60;b&#62;on');
    expect(page.text).to.include('You are asked to take part').and.not.include(lead);
    expect(page.text).to.match(/value="accept"[\s\S]*value="decline"/);
    const params = { applicationId, email: lead };
    await test.alice.ok('updateParticipant', { params, body: { name: `Marta <${lead}>` } });
    expect((await look(test, path)).text).to.not.include(lead);
    await test.alice.ok('updateParticipant', { params, body: { name: 'Marta Ruiz' } });
    expect((await look(test, path)).text)
      .to.include('Marta Ruiz')
      .and.not.include(lead);
    for (const method of ['GET', 'HEAD', 'GET'])
      expect((await send(test.service.url, method, path)).status).to.equal(200);
    const { participants } = await get();
    expect(participants.map(({ consent_status }) => consent_status)).to.deep.equal(['pending', 'pending']);
    expect(before.participants[1]).to.deep.equal(participants[1]);
  });

  it('accepts one answer, which the integrator sees immediately, and does not ask again', async () => {
    for (const [answer, status, words] of [
      ['accept', 'accepted', 'Thank you for accepting'],
      ['decline', 'rejected', 'You have declined'],
    ] as const) {
      const { applicationId, guest, path, get } = await invite();
      const answeredAt = new Date(Date.parse((await get()).updated_at) + 1000);
      test.setNow(answeredAt);
      const { status: code, headers } = await submit(test, path, { answer });
      expect([code, headers['location']]).to.deep.equal([303, `../${path.slice(1)}#step`]);
      const { participants, updated_at } = await get();
      expect([participants[1]?.consent_status, updated_at]).to.deep.equal([status, answeredAt.toISOString()]);
      const page = await look(test, path);
      expect(page.text).to.include(words).and.include('&#60;b&#62;on').and.not.include('name="answer"');
      for (const other of ['accept', 'decline'])
        expect((await submit(test, path, { answer: other })).status).to.equal(303);
      expect((await get()).participants[1]?.consent_status).to.equal(status);
      const id = await participantId(applicationId, guest);
      const action = answer === 'accept' ? 'participant.accept' : 'participant.decline';
      const entries = (await audit(id)).map((entry) => [entry.actor_kind, entry.actor, entry.action]);
      expect(entries).to.deep.equal([['person', id, action]]);
    }
  });

  it('then asks for the profile, once, with this landlord’s name for the person, and completes it', async () => {
    const { applicationId, guest, path, get } = await invite();
    const participant = async () => (await get()).participants[1];
    await submit(test, path, { name: 'Too Early' });
    expect(await participant()).to.include({ consent_status: 'pending', onboarding_status: 'PENDING' });
    await submit(test, path, { answer: 'accept' });
    const params = { applicationId, email: guest };
    await test.alice.ok('updateParticipant', { params, body: { name: 'Jonas W.' } });
    expect((await look(test, path)).text).to.include('value="Jonas W."');
    const refused = await submit(test, path, { name: 'x'.repeat(300) });
    expect([refused.status, refused.text.includes('id="fault"')]).to.deep.equal([400, true]);
    for (const name of ['  Jonas   Weber ', 'Someone Else']) await submit(test, path, { name });
    const completed = await participant();
    expect(completed).to.include({ name: 'Jonas W.', onboarding_status: 'COMPLETED' });
    const { db } = test.service.runtime;
    expect(await db('tenants').where({ email: guest }).first('name')).to.deep.equal({ name: 'Jonas Weber' });
    expect((await audit(completed?.id ?? '')).map(({ action }) => action)).to.deep.equal(['tenant.onboard']);
    const page = await look(test, path);
    expect(page.text).to.include('You have accepted');
    expect(offers(page)).to.equal(false);
  });

  it('lets a person who accepted leave before they gave their name, as the invitation says', async () => {
    const { path, consent } = await invite();
    expect((await look(test, path)).text).to.include('you can still leave later, on the same page');
    await submit(test, path, { answer: 'accept' });
    const { text } = await look(test, path);
    expect(text).to.include('Complete your profile');
    const [, part = ''] = /href="([^"]*\/part)#step"/.exec(text) ?? [];
    const leaving = await look(test, new URL(part, `${test.service.url}${path}`).pathname);
    expect(leaving.status).to.equal(200);
    expect(leaving.text).to.include('Yes, leave the application');
    await submit(test, `${path}/part/leave`, {});
    expect(await consent()).to.equal('rejected');
  });

  it('accepts no profile from a person who declined, or behind an expired link', async () => {
    const [declined, expired] = [await invite(), await invite()];
    await submit(test, declined.path, { answer: 'decline' });
    await submit(test, expired.path, { answer: 'accept' });
    await submit(test, declined.path, { name: 'Jonas Weber' });
    const now = test.service.runtime.now();
    test.setNow(new Date(now.getTime() + 30 * DAY_MS));
    await submit(test, expired.path, { name: 'Jonas Weber' });
    test.setNow(now);
    for (const { get } of [declined, expired])
      expect((await get()).participants[1]).to.include({ name: '', id: null, onboarding_status: 'PENDING' });
  });

  it('accepts one of two concurrent answers, and shows it to both', async () => {
    for (let round = 0; round < 5; round++) {
      const { path, consent, guest, applicationId } = await invite();
      const answers = ['accept', 'decline', 'accept', 'decline'];
      const sent = await Promise.all(answers.map((answer) => submit(test, path, { answer })));
      expect(sent.map(({ status }) => status)).to.deep.equal([303, 303, 303, 303]);
      const words = (await consent()) === 'accepted' ? 'Thank you for accepting' : 'You have declined';
      expect((await look(test, path)).text).to.include(words);
      expect(await audit(await participantId(applicationId, guest))).to.have.length(1);
    }
  });

  it('accepts no invalid answer, and says what is missing', async () => {
    const { path, consent } = await invite();
    for (const fields of [{}, { answer: 'maybe' }, { answer: 'accepted' }]) {
      const page = await submit(test, path, fields);
      expect(page.status).to.equal(400);
      expect(page.text).to.include('Choose whether you accept or decline.').and.include('value="accept"');
    }
    expect(await consent()).to.equal('pending');
  });

  it('expires: it then says so and whom to ask, and accepts nothing', async () => {
    const { path, consent } = await invite();
    const created = test.service.runtime.now();
    test.setNow(new Date(created.getTime() + 30 * DAY_MS - 1));
    expect(offers(await look(test, path))).to.equal(true);
    test.setNow(new Date(created.getTime() + 30 * DAY_MS));
    await submit(test, path, { answer: 'accept' });
    const page = await look(test, path);
    expect(page.text).to.include('This invitation has expired').and.include('Get a new link');
    expect(offers(page)).to.equal(false);
    test.setNow(created);
    expect(await consent()).to.equal('pending');
  });

  it('answers 404, in the same words, for every unknown link', async () => {
    const { path } = await invite();
    const { status, text } = await look(test, '/invitation/guessed');
    expect(status).to.equal(404);
    expect(text).to.include('This link leads nowhere');
    const token = path.slice('/invitation/'.length);
    for (const unknown of [token.toLowerCase(), `${token}x`, token.slice(0, -1), 'x'.repeat(43), '%00'])
      expect(await look(test, `/invitation/${unknown}`)).to.deep.include({ status: 404, text });
    expect(await submit(test, '/invitation/guessed', { answer: 'accept' })).to.deep.include({ status: 404, text });
    expect(JSON.parse((await send(test.service.url, 'GET', '/invitation/guessed')).text)).to.include({
      status: 'error',
    });
  });

  it('tells a removed person that they no longer take part, and accepts no answer from them', async () => {
    const { applicationId, guest, path } = await invite();
    await test.alice.ok('removeParticipant', { params: { applicationId, email: guest } });
    const { headers } = await submit(test, path, { answer: 'accept' });
    expect(headers['location']).to.equal(`../${path.slice(1)}#step`);
    const page = await look(test, path);
    expect(page.status).to.equal(200);
    expect(page.text).to.include('You no longer take part').and.include('&#60;b&#62;on').and.include('/data#step');
    expect(offers(page)).to.equal(false);
    const { db } = test.service.runtime;
    expect(await db('participants').where({ email: guest }).first()).to.include({ consent_status: 'pending' });
  });

  it('does not name an inviter once the invited person is the lead', async () => {
    const { applicationId, guest, lead, path } = await invite();
    const { db, now } = test.service.runtime;
    await db.transaction(async (trx) => {
      const participant = await trx('participants').where({ application_id: applicationId, email: guest }).first();
      if (participant) await transferLead(trx, participant, now());
    });
    const page = await look(test, path);
    expect(page.text).to.include('You are asked to take part').and.not.include(lead);
  });

  it('works without JavaScript, and below a path that a proxy adds', async () => {
    const { path, consent } = await invite();
    const [chromium, proxy] = await Promise.all([launchBrowser(), addPath('/screening', test.service.url)]);
    try {
      const address = proxy.url + path;
      const { page, problems } = await visit(chromium.browser, address, [proxy.url], { javaScriptEnabled: false });
      await page.getByRole('button', { name: 'Accept' }).click();
      await page.getByRole('heading', { name: 'Complete your profile' }).waitFor();
      expect(page.url()).to.equal(`${address}#step`);
      expect(await consent()).to.equal('accepted');
      await page.getByLabel('Full name').fill('Jonas Weber');
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('heading', { name: 'Your application' }).waitFor();
      expect(problems).to.deep.equal([]);
    } finally {
      await proxy.stop();
      await chromium.stop();
    }
  });

  it('is never cached or framed, and sends no referrer to other sites', async () => {
    const { path } = await invite();
    for (const [method, at] of [
      ['GET', path],
      ['GET', '/invitation/guessed'],
      ['DELETE', path],
      ['GET', '/onboarding/x'],
    ] as const) {
      const { headers } = await send(test.service.url, method, at);
      expect(headers, `${method} ${at}`).to.include({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(headers['content-security-policy']).to.match(/^default-src 'none'.*frame-ancestors 'none'$/);
    }
    expect((await send(test.service.url, 'DELETE', path)).headers['allow']).to.equal('GET, HEAD, POST');
  });
});
