import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { clockPasses } from '../../harness/process/until.ts';
import type { Input, Refusal } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

const LEAD = 'Lead.Person@mail.example';
const GUEST = 'Guest+flat@mail.example';

describe('update-participant', () => {
  let applicationId: string;
  const test = useService();
  // An application is unique per set of people, so each test has its own set.
  let serial = 0;
  beforeEach(async () => {
    serial += 1;
    const tenants = [LEAD, GUEST, `third-${serial}@mail.example`].map((email) => ({ email, is_lead: email === LEAD }));
    const { data } = await test.alice.ok('createApplication', { body: { title: 'Shared flat', tenants } });
    applicationId = data.application_id;
  });

  const update = async (body: Input<'updateParticipant'>['body'], email = GUEST) =>
    (await test.alice.ok('updateParticipant', { params: { applicationId, email }, body: body ?? {} })).data;
  const get = async () => (await test.alice.ok('getApplication', { params: { applicationId } })).data;
  const patch = async (text: string, email = GUEST) => {
    const answer = await test.alice.raw('PATCH', `/applications/${applicationId}/participants/${email}`, {
      headers: { authorization: `Bearer ${test.alice.token}`, 'content-type': 'application/json' },
      body: text,
    });
    const refusal: Refusal = JSON.parse(answer.text);
    return { status: answer.status, message: refusal.message };
  };

  it('returns the whole application with every field of every participant', async () => {
    const account = await test.tenant(GUEST);
    const data = await update({ name: 'Ñandú 🏠', is_guarantor: true });
    const before = await get();
    expect(data).to.have.all.keys('application_id', 'title', 'participants', 'created_at', 'updated_at');
    expect(data).to.include({
      application_id: applicationId,
      title: 'Shared flat',
      created_at: before.created_at,
      updated_at: before.updated_at,
    });
    const untouched = { name: '', consent_status: 'pending', onboarding_status: 'PENDING', is_guarantor: false };
    expect(data.participants).to.deep.equal([
      { ...untouched, email: LEAD, id: null, is_lead: true },
      { ...untouched, email: GUEST, id: account.id, is_lead: false, name: 'Ñandú 🏠', is_guarantor: true },
      { ...untouched, email: `third-${serial}@mail.example`, id: null, is_lead: false },
    ]);
  });

  it('changes what the body names and leaves the rest unchanged', async () => {
    const guest = async (body: Input<'updateParticipant'>['body']) => {
      const { name, is_guarantor } = (await update(body)).participants[1] ?? {};
      return { name, is_guarantor };
    };
    expect(await guest({ name: 'Jonas' })).to.deep.equal({ name: 'Jonas', is_guarantor: false });
    expect(await guest({ is_guarantor: true })).to.deep.equal({ name: 'Jonas', is_guarantor: true });
    expect(await guest({ name: 'Jonas Weber' })).to.deep.equal({ name: 'Jonas Weber', is_guarantor: true });
    expect(await guest({})).to.deep.equal({ name: 'Jonas Weber', is_guarantor: true });
    expect(await guest({ is_guarantor: false })).to.deep.equal({ name: 'Jonas Weber', is_guarantor: false });
    expect(await guest({ name: '' })).to.deep.equal({ name: '', is_guarantor: false });
  });

  it('changes the lead as well, who stays the lead', async () => {
    const { participants } = await update({ name: 'Marta', is_guarantor: true }, LEAD);
    expect(participants[0]).to.include({ email: LEAD, name: 'Marta', is_guarantor: true, is_lead: true });
  });

  it('stores the change, and shows it in get-application without the role', async () => {
    await update({ name: 'Kept', is_guarantor: true });
    const { participants } = await get();
    expect(participants.map(({ name }) => name)).to.deep.equal(['', 'Kept', '']);
    expect(participants[1]).to.not.have.any.keys('is_guarantor', 'is_lead');
  });

  it('updates updated_at and never created_at', async () => {
    const { created_at, updated_at } = await get();
    await clockPasses(updated_at);
    const later = await update({ name: 'Later' });
    expect(later.updated_at > updated_at).to.equal(true);
    expect(later.created_at).to.equal(created_at);
    expect((await get()).updated_at).to.equal(later.updated_at);
  });

  it('leaves updated_at when nothing changes: an empty body, or the current values', async () => {
    const before = await update({ name: 'Same', is_guarantor: true });
    await clockPasses(before.updated_at);
    for (const body of [{}, { name: 'Same' }, { is_guarantor: true }, { name: 'Same', is_guarantor: true }])
      expect(await update(body), JSON.stringify(body)).to.deep.equal(before);
    expect((await get()).updated_at).to.equal(before.updated_at);
  });

  it('finds the person by the address in any case and any encoding of the path', async () => {
    for (const email of ['guest+flat@mail.example', 'GUEST+FLAT@MAIL.EXAMPLE']) {
      const { participants } = await update({ name: email }, email);
      expect(participants[1]).to.include({ email: GUEST, name: email });
    }
    for (const spelling of ['guest+flat@mail.example', 'guest%2Bflat%40mail.example', '%67uest%2bflat@mail%2Eexample'])
      expect((await patch('{"name": "By path"}', spelling)).status, spelling).to.equal(200);
    const spaced = await patch('{"name": "A plus is no space"}', 'guest%20flat@mail.example');
    expect(spaced.status).to.be.oneOf([400, 404]);
  });

  it('refuses to change the e-mail, names the field and changes nothing', async () => {
    const before = await get();
    for (const body of [{ email: 'new@mail.example' }, { name: 'Sneaky', email: GUEST }, { email: null }]) {
      const { status, message } = await patch(JSON.stringify(body));
      expect(status).to.equal(400);
      expect(message).to.match(/^email: /);
    }
    expect(await get()).to.deep.equal(before);
  });

  it('refuses other fields, wrong types and bodies that are not objects, and changes nothing', async () => {
    const before = await get();
    const cases: [string, RegExp][] = [
      ['{"name": 7}', /^name: /],
      ['{"name": null}', /^name: /],
      ['{"name": ["Jonas"]}', /^name: /],
      ['{"name": "a\\u0000b"}', /^name: /],
      ['{"is_guarantor": "true"}', /^is_guarantor: /],
      ['{"is_guarantor": 1}', /^is_guarantor: /],
      ['{"is_guarantor": null}', /^is_guarantor: /],
      ['{"name": "Good", "is_guarantor": "no"}', /^is_guarantor: /],
      ['{"is_lead": true}', /^is_lead: /],
      ['{"consent_status": "accepted"}', /^consent_status: /],
      ['{"name": 1, "is_guarantor": 2}', /name: .*is_guarantor: /],
      ['[]', /./],
      ['"name"', /./],
      ['null', /./],
      ['', /./],
      ['{"name": ', /./],
    ];
    for (const [text, expected] of cases) {
      const { status, message } = await patch(text);
      expect(status, text).to.equal(400);
      expect(message, text).to.match(expected);
    }
    expect(await get()).to.deep.equal(before);
  });

  it('answers 404 for a person who does not take part, and 400 for an invalid address', async () => {
    const absent = { params: { applicationId, email: 'stranger@mail.example' }, body: { name: 'X' } };
    expect((await test.alice.refused('updateParticipant', 404, absent)).message).to.equal('Participant not found.');
    await test.alice.ok('removeParticipant', { params: { applicationId, email: GUEST } });
    const removed = { params: { applicationId, email: GUEST }, body: { name: 'X' } };
    expect((await test.alice.refused('updateParticipant', 404, removed)).message).to.equal('Participant not found.');
    const elsewhere = { params: { applicationId: 'absent', email: LEAD }, body: { name: 'X' } };
    expect((await test.alice.refused('updateParticipant', 404, elsewhere)).message).to.equal('Application not found.');
    for (const email of ['nobody', '%00@mail.example', '%zz', `${'a'.repeat(250)}@mail.example`])
      expect((await patch('{"name": "X"}', email)).status, email).to.equal(400);
  });

  it('loses neither of two concurrent changes to different fields of one person', async () => {
    for (let round = 1; round <= 20; round++) {
      const [name, is_guarantor] = [`Round ${round}`, round % 2 === 1];
      await Promise.all([update({ name }), update({ is_guarantor }), update({ name }, `third-${serial}@mail.example`)]);
      const { participants } = await update({}, LEAD);
      expect(participants.map((person) => [person.name, person.is_guarantor])).to.deep.equal([
        ['', false],
        [name, is_guarantor],
        [name, false],
      ]);
    }
  });
});
