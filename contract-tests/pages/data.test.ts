import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { unzip } from '../../harness/process/unzip.ts';
import { Admin } from '../../harness/service/admin.ts';
import type { Client } from '../../harness/service/client.ts';
import { invitationPath, look, onboardingPath, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const DAY_MS = 86_400_000;

interface Finding {
  check: string;
  state: string;
}

interface Request {
  participant_id: string;
  email: string;
  landlord_id: string;
  other_landlords: number;
  due_at: string;
  overdue: boolean;
}

describe('the page that shows people their data', () => {
  let serial = 0;
  const test = useService({ RUN_WORKERS: 'false' });
  const admin = new Admin(test);

  const apply = async (client: Client, title: string, email: string) => {
    const people = [`lead-of-${email}`, email];
    const tenants = people.map((address) => ({ email: address, is_lead: address !== email }));
    return (await client.ok('createApplication', { body: { title, tenants } })).data.application_id;
  };
  const invite = async () => {
    const email = `reads-${++serial}@mail.example`;
    const applicationId = await apply(test.alice, 'Loft of Alice', email);
    const link = await invitationPath(test, applicationId, email);
    const participant = await test.service.runtime.db('participants').where({ email }).first('id');
    return { email, applicationId, link, page: `${link}/data`, participantId: participant?.id ?? '' };
  };
  const copyOf = async (page: string) => {
    const answer = await fetch(`${test.service.url}${page}/copy`, { method: 'POST', body: new URLSearchParams() });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-disposition')).to.equal('attachment; filename="your-data.zip"');
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    return unzip(Buffer.from(await answer.arrayBuffer()));
  };
  /** Answers as for a link that never was. */
  const leadsNowhere = async (path: string) => {
    const [, place, , ...below] = path.split('/');
    const { text } = await look(test, ['', place, 'guessed', ...below].join('/'));
    expect(await look(test, path), path).to.deep.include({ status: 404, text });
  };
  const idOfKey = async (name: string) =>
    (await test.service.runtime.db('api_keys').where({ name }).first('id'))?.id ?? '';
  const requests = async (email: string) =>
    (await admin.json<Request[]>('privacy', 'requests')).filter((request) => request.email === email);
  const entriesOf = (resourceId: string) =>
    test.service.runtime.db('audit_entries').where({ resource_id: resourceId }).orderBy('sequence');

  it('shows and exports what the landlord holds under each of their keys, and nothing of another landlord', async () => {
    const { email, page, participantId } = await invite();
    await apply(test.bob, 'Studio of Bob', email);
    await apply(test.charlie, 'Villa of Charlie', email);
    for (const name of ['Alice', 'Charlie'])
      await test.tenant(email, { name: 'Set elsewhere', documents: 1, apiKeyId: await idOfKey(name) });
    const { db } = test.service.runtime;
    const [ours, others] = await Promise.all(
      ['Alice', 'Charlie'].map(async (name) =>
        db('documents')
          .where({ api_key_id: await idOfKey(name) })
          .orderBy('created_at', 'desc')
          .first(),
      ),
    );
    await db('documents')
      .where({ id: ours?.id ?? '' })
      .update({ name: 'ours.pdf' });
    await db('documents')
      .where({ id: others?.id ?? '' })
      .update({ name: 'of-charlie.pdf' });
    const { status, text } = await look(test, page);
    expect(status).to.equal(200);
    for (const shown of [email, 'Casa Clara', 'Loft of Alice', 'Studio of Bob', 'ours.pdf'])
      expect(text, shown).to.include(shown);
    const files = await copyOf(page);
    const data = files.get('data.json')?.toString() ?? '';
    for (const foreign of ['Villa of Charlie', 'of-charlie.pdf', 'Set elsewhere', `lead-of-${email}`])
      expect([text.includes(foreign), data.includes(foreign)], foreign).to.deep.equal([false, false]);
    const parsed: { documents: { file: string; sha256: string }[]; participations: object[] } = JSON.parse(data);
    expect(parsed.participations).to.have.length(2);
    expect(parsed.documents.map(({ file }) => file)).to.deep.equal(['documents/ours.pdf']);
    const content = files.get('documents/ours.pdf') ?? '';
    expect(createHash('sha256').update(content).digest('hex')).to.equal(parsed.documents[0]?.sha256);
    expect(await entriesOf(participantId)).to.have.length(1);
    expect((await entriesOf(participantId))[0]).to.include({ actor_kind: 'person', action: 'participant.export' });
  });

  it('is available behind each kind of link until it expires, whatever was answered', async () => {
    const { applicationId, email, link, page } = await invite();
    expect((await look(test, link)).text).to.include('/data#step');
    await submit(test, link, { answer: 'decline' });
    expect((await look(test, link)).text).to.include('/data#step');
    expect((await look(test, page)).status).to.equal(200);
    const lead = `lead-of-${email}`;
    const onboarding = await onboardingPath(test, applicationId, lead, DAY_MS);
    expect((await look(test, `${onboarding}/data`)).text)
      .to.include(lead)
      .and.not.include(`>${email}<`);
    const now = new Date();
    test.setNow(new Date(now.getTime() + 400 * DAY_MS));
    for (const path of [link, onboarding]) {
      expect((await look(test, path)).text).to.not.include('/data#step');
      const [page, ...changes] = [
        await look(test, `${path}/data`),
        await submit(test, `${path}/data/copy`, {}),
        await submit(test, `${path}/data/erasure`, {}),
      ];
      expect([page.status, page.headers['location']]).to.deep.equal([303, `../..${path}#step`]);
      for (const { status, headers } of changes)
        expect([status, headers['location']]).to.deep.equal([303, `../../..${path}#step`]);
    }
    test.setNow(now);
  });

  it('is all that remains behind the links of a removed person, until they expire', async () => {
    const { email, applicationId, link, participantId } = await invite();
    const onboarding = await onboardingPath(test, applicationId, email, DAY_MS);
    await submit(test, link, { answer: 'accept' });
    await submit(test, onboarding, { name: 'Rafael Vega' });
    await test.tenant(email, { documents: 1, apiKeyId: await idOfKey('Alice') });
    await test.alice.ok('removeParticipant', { params: { applicationId, email } });
    for (const path of [link, onboarding]) {
      const home = await look(test, path);
      expect(home.status, path).to.equal(200);
      expect(home.text).to.include('You no longer take part').and.include('/data#step').and.not.include('<form');
      for (const closed of ['/documents', '/part', '/renew', '/bank', '/reminders']) {
        const { status, headers } = await look(test, path + closed);
        expect([status, headers['location']], path + closed).to.deep.equal([303, `../..${path}#step`]);
      }
      const sent = [
        await submit(test, path, { answer: 'decline', name: 'Another Name' }),
        await submit(test, `${path}/documents`, { type: 'payslip' }),
        await submit(test, `${path}/part/leave`, {}),
        await submit(test, `${path}/reminders`, {}),
      ];
      expect(sent.map(({ status }) => status)).to.deep.equal([303, 303, 303, 303]);
      const data = await look(test, `${path}/data`);
      expect(data.status).to.equal(200);
      expect(data.text).to.include(email).and.include('You no longer take part').and.include('data/copy');
      expect([...(await copyOf(`${path}/data`)).keys()].join()).to.match(
        /data\.json.*documents\/|documents\/.*data\.json/,
      );
      expect((await submit(test, `${path}/data/erasure`, {})).status).to.equal(303);
      expect(await requests(email)).to.have.length(1);
      expect((await submit(test, `${path}/data/erasure/withdraw`, {})).status).to.equal(303);
      expect(await requests(email)).to.deep.equal([]);
      expect((await look(test, `${path}/accessibility`)).status).to.equal(200);
    }
    const { db } = test.service.runtime;
    expect(await db('participants').where({ id: participantId }).first()).to.include({ consent_status: 'accepted' });
    expect(await db('tenants').where({ email }).first()).to.not.include({ name: 'Another Name' });
    const now = new Date();
    test.setNow(new Date(now.getTime() + 400 * DAY_MS));
    for (const path of [link, onboarding])
      for (const below of ['', '/data', '/renew', '/accessibility']) await leadsNowhere(path + below);
    test.setNow(now);
  });

  it('is gone, like the links, once a removed person was erased', async () => {
    const { email, applicationId, link, page } = await invite();
    await test.alice.ok('removeParticipant', { params: { applicationId, email } });
    expect((await look(test, page)).status).to.equal(200);
    await admin.json('privacy', 'erase', email, '--yes');
    for (const path of [link, page]) await leadsNowhere(path);
  });

  it('answers 404 for an invalid token, and changes nothing on GET', async () => {
    const { page, participantId } = await invite();
    for (const path of ['', '/copy', '/erasure']) {
      const unknown = `/invitation/nobody-has-this/data${path}`;
      const { status } = path === '' ? await look(test, unknown) : await submit(test, unknown, {});
      expect(status, path).to.equal(404);
    }
    for (const path of ['/copy', '/erasure']) expect((await look(test, page + path)).status, path).to.equal(405);
    expect(await entriesOf(participantId)).to.deep.equal([]);
  });

  it('queues one request for erasure, with a deadline that the doctor watches', async () => {
    const { email, page, participantId } = await invite();
    await apply(test.charlie, 'Villa', email);
    const doctor = async () =>
      JSON.parse((await admin.run(['doctor', '--json'])).stdout).find(({ check }: Finding) => check === 'erasures');
    const { status, headers } = await submit(test, `${page}/erasure`, {});
    expect([status, headers['location']]).to.deep.equal([303, `../../..${page}#step`]);
    const [request] = await requests(email);
    expect(request).to.include({ participant_id: participantId, other_landlords: 1, overdue: false });
    await submit(test, `${page}/erasure`, {});
    expect(await requests(email)).to.deep.equal([request]);
    expect((await entriesOf(participantId)).map(({ action }) => action)).to.deep.equal(['participant.ask-erasure']);
    expect((await look(test, page)).text).to.match(/You asked for erasure on .* answer by .* at the latest/);
    expect(await doctor()).to.include({ state: 'warning' });
    await test.service.runtime.db('erasure_requests').update({ due_at: new Date(0).toISOString() });
    expect(await doctor()).to.include({ state: 'problem' });
    expect((await requests(email))[0]).to.include({ overdue: true });
  });

  it('shows a refusal with its reason, after which the person can ask again', async () => {
    const { email, page, participantId } = await invite();
    const refuse = ['privacy', 'refuse', participantId, '--reason', 'The law wants <us> to keep it.'];
    expect(await admin.refused(1, refuse)).to.include('waits for an answer');
    await submit(test, `${page}/erasure`, {});
    await admin.json(...refuse);
    expect(await requests(email)).to.deep.equal([]);
    expect((await look(test, page)).text).to.include('The law wants &#60;us&#62; to keep it.');
    await submit(test, `${page}/erasure`, {});
    expect(await requests(email)).to.have.length(1);
  });

  it('reflects an erasure of one landlord’s data or of everything', async () => {
    const { email, page } = await invite();
    const villa = await apply(test.charlie, 'Villa', email);
    await test.tenant(email, { documents: 1, apiKeyId: await idOfKey('Alice') });
    await test.tenant(email, { documents: 1, apiKeyId: await idOfKey('Charlie') });
    await submit(test, `${page}/erasure`, {});
    const { landlord_id } = (await requests(email))[0] ?? { landlord_id: '' };
    const erase = ['privacy', 'erase', email, '--yes'];
    const receipt = await admin.json<{ counts: object; left: string[] }>(...erase, '--landlord', landlord_id);
    expect(receipt.counts).to.include({ documents: 1, participants_made_nobody: 1 }).and.not.have.property('tenants');
    expect(receipt.left.join()).to.include('what other landlords hold');
    expect(await requests(email)).to.deep.equal([]);
    expect((await look(test, page)).status).to.equal(404);
    const { db } = test.service.runtime;
    expect(await db('erasure_requests').where({ outcome: 'erased' })).to.have.length(1);
    const { participants } = (await test.charlie.ok('getApplication', { params: { applicationId: villa } })).data;
    expect(participants.map((one) => one.email)).to.include(email);
    expect(await db('documents').where({ api_key_id: await idOfKey('Charlie') })).to.not.be.empty;
    expect((await admin.json<{ counts: object }>(...erase)).counts).to.include({ tenants: 1 });
  });
});
