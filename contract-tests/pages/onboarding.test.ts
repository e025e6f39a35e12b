import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { look, onboardingPath, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const DAY_MS = 86_400_000;

describe('the onboarding page', () => {
  let serial = 0;
  const test = useService({ RUN_WORKERS: 'false', ONBOARDING_VALID_DAYS: '365' });

  const apply = async () => {
    serial += 1;
    const email = `onboards-${serial}@mail.example`;
    const tenants = [{ email, is_lead: true }];
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const get = async () => (await test.alice.ok('getApplication', { params: { applicationId: application_id } })).data;
    const participant = async () => (await get()).participants[0];
    return { applicationId: application_id, email, get, participant };
  };
  const entriesOf = (resourceId: string | null | undefined) =>
    test.service.runtime.db('audit_entries').where({ resource_id: resourceId ?? '' });

  it('creates the account with the name that the person confirms, and completes its profile', async () => {
    const { applicationId, email, participant } = await apply();
    const path = await onboardingPath(test, applicationId, email);
    const before = await participant();
    const page = await look(test, path);
    expect(page.text)
      .to.include('Would you like to apply?')
      .and.include(email)
      .and.include('Casa Clara')
      .and.include('Loft');
    expect(await participant())
      .to.deep.equal(before)
      .and.include({ id: null, onboarding_status: 'PENDING' });
    const { status, headers } = await submit(test, path, { name: '  Nuria   Gil ', answer: 'accept' });
    expect([status, headers['location']]).to.deep.equal([303, `../${path.slice(1)}#step`]);
    const after = await participant();
    expect(after).to.include({ name: 'Nuria Gil', onboarding_status: 'COMPLETED' });
    expect(after?.id).to.be.a('string');
    const [entry, ...others] = await entriesOf(after?.id);
    expect(entry).to.include({ actor_kind: 'person', action: 'tenant.onboard' });
    expect(others).to.deep.equal([]);
  });

  it('shows again what was typed, however long it is, but not to strangers', async () => {
    const { applicationId, email, participant } = await apply();
    const path = await onboardingPath(test, applicationId, email);
    const name = 'Nuria Gil '.repeat(2_000).trim();
    const long = await submit(test, path, { name, answer: 'accept' });
    expect(long.status).to.equal(400);
    expect(long.text).to.include(`value="${name}"`).and.include('Use no more than 200 characters.');
    for (const unusable of ['Nuria\0', 'x'.repeat(400 * 1024)]) {
      const { status, text } = await submit(test, path, { name: unusable, answer: 'accept' });
      expect(status).to.equal(400);
      expect(text).to.include('characters that cannot be stored').and.include('name="name"');
    }
    const stranger = await submit(test, `/onboarding/${'a'.repeat(43)}`, { name, answer: 'accept' });
    expect(stranger.status).to.equal(404);
    expect(stranger.text).to.not.include('Nuria');
    expect(await participant()).to.include({ id: null });
  });

  it('asks the lead, who got no mail, and accepts one answer with the name or instead of it', async () => {
    for (const [answer, status, completed] of [
      ['accept', 'accepted', 'COMPLETED'],
      ['decline', 'rejected', 'PENDING'],
    ] as const) {
      const { applicationId, email, get, participant } = await apply();
      const path = await onboardingPath(test, applicationId, email);
      expect((await look(test, path)).text).to.match(/value="accept"[\s\S]*value="decline"/);
      const unanswered = await submit(test, path, { name: 'Nuria Gil' });
      expect([unanswered.status, (await participant())?.consent_status]).to.deep.equal([400, 'pending']);
      expect(unanswered.text).to.include('Choose whether you accept or decline.').and.include('value="Nuria Gil"');
      const answeredAt = new Date(Date.parse((await get()).updated_at) + 1000);
      test.setNow(answeredAt);
      expect((await submit(test, path, { name: answer === 'accept' ? 'Nuria Gil' : '', answer })).status).to.equal(303);
      const { updated_at, participants } = await get();
      expect(participants[0]).to.include({ consent_status: status, onboarding_status: completed });
      expect(updated_at).to.equal(answeredAt.toISOString());
      for (const other of ['accept', 'decline']) await submit(test, path, { name: 'Other', answer: other });
      const after = await participant();
      expect(after).to.deep.equal(participants[0]);
      const { db } = test.service.runtime;
      const id = (await db('participants').where({ email }).first('id'))?.id;
      const entries = (
        await db('audit_entries')
          .where({ actor: id ?? '' })
          .orderBy('sequence')
      ).map(({ action }) => action);
      const recorded = answer === 'accept' ? ['participant.accept', 'tenant.onboard'] : ['participant.decline'];
      expect(entries).to.deep.equal(recorded);
      test.setNow(new Date());
    }
  });

  it('shows people who declined that they did, and accepts nothing from them, whichever page they declined on', async () => {
    const { applicationId, email, participant } = await apply();
    const former = await onboardingPath(test, applicationId, email);
    await submit(test, former, { answer: 'decline' });
    const page = await look(test, former);
    expect(page.text).to.include('You have declined').and.include('Casa Clara').and.include('Loft');
    expect(page.text).to.not.include('<form').and.not.include(email);
    const { db } = test.service.runtime;
    await db('participants').where({ email }).update({ consent_status: 'accepted' });
    expect((await look(test, former)).text).to.include('This link has expired');
    expect(await participant()).to.include({ name: '', id: null, onboarding_status: 'PENDING' });
    expect(await db('tenants').where({ email })).to.deep.equal([]);
  });

  it('does not ask a person who has accepted again, and declining then changes nothing', async () => {
    const { applicationId, email, participant } = await apply();
    const path = await onboardingPath(test, applicationId, email);
    await test.service.runtime.db('participants').where({ email }).update({ consent_status: 'accepted' });
    const page = await look(test, path);
    expect(page.text).to.include('Complete your profile').and.not.include('Decline');
    await submit(test, path, { answer: 'decline' });
    expect(await participant()).to.include({ consent_status: 'accepted', onboarding_status: 'PENDING' });
    await submit(test, path, { name: 'Nuria Gil' });
    expect(await participant()).to.include({ consent_status: 'accepted', onboarding_status: 'COMPLETED' });
  });

  it('can be used once, and then reveals nothing about its person', async () => {
    const { applicationId, email, participant } = await apply();
    const path = await onboardingPath(test, applicationId, email);
    const names = ['Nuria', 'Olga', 'Pilar', 'Queralt'];
    await Promise.all(names.map((name) => submit(test, path, { name, answer: 'accept' })));
    const { name, id } = (await participant()) ?? {};
    expect(names).to.include(name);
    await submit(test, path, { name: 'Someone Else', answer: 'accept' });
    const { text } = await look(test, path);
    expect(text).to.include('Your profile is complete').and.not.include('<form').and.not.include(email);
    expect(text).to.not.include(name);
    expect(await participant()).to.include({ name, id });
    expect(
      await test.service.runtime
        .db('tenants')
        .where({ id: id ?? '' })
        .first('name'),
    ).to.deep.equal({ name });
    expect(await entriesOf(id)).to.have.length(1);
  });

  it('shows the integrator’s name for the person, and none from another landlord', async () => {
    const { applicationId, email, participant } = await apply();
    await test.alice.ok('updateParticipant', { params: { applicationId, email }, body: { name: 'Nuri' } });
    const path = await onboardingPath(test, applicationId, email);
    expect((await look(test, path)).text).to.include('value="Nuri"');
    const account = await test.tenant(email.toUpperCase(), { name: 'Nuria' });
    expect((await look(test, path)).text)
      .to.include('value="Nuri"')
      .and.not.include('Nuria');
    await submit(test, path, { name: 'Nuria Gil', answer: 'accept' });
    expect(await participant()).to.include({ name: 'Nuri', id: account.id, onboarding_status: 'COMPLETED' });
    expect(await test.service.runtime.db('tenants').where({ id: account.id }).first('name')).to.include({
      name: 'Nuria Gil',
    });
  });

  it('accepts no invalid name, and keeps the input', async () => {
    const { applicationId, email, participant } = await apply();
    const path = await onboardingPath(test, applicationId, email);
    for (const [name, fault] of [
      [' ', 'Enter your full name.'],
      ['<i>'.repeat(67), 'Use no more than 200 characters.'],
    ] as const) {
      const page = await submit(test, path, { name, answer: 'accept' });
      expect(page.status).to.equal(400);
      expect(page.text).to.include(fault).and.not.include('<i>');
    }
    expect(await participant()).to.include({ name: '', id: null, onboarding_status: 'PENDING' });
  });

  it('expires, is replaced by a later one, and admits a removed person no more', async () => {
    const { applicationId, email, participant } = await apply();
    const former = await onboardingPath(test, applicationId, email);
    const path = await onboardingPath(test, applicationId, email, 7 * DAY_MS);
    const opened = test.service.runtime.now();
    await submit(test, former, { name: 'Former', answer: 'accept' });
    expect((await look(test, former)).text)
      .to.include('This link has expired')
      .and.include('Casa Clara');
    test.setNow(new Date(opened.getTime() + 8 * DAY_MS));
    await submit(test, path, { name: 'Late', answer: 'accept' });
    expect((await look(test, path)).text).to.include('This link has expired');
    test.setNow(opened);
    expect(await participant()).to.include({ name: '', id: null });
    await test.service.runtime.db('participants').where({ email }).update({ removed_at: opened.toISOString() });
    const { text: unknown } = await look(test, '/onboarding/x');
    for (const other of [`${path}x`, former])
      expect(await look(test, other)).to.deep.include({ status: 404, text: unknown });
    await submit(test, path, { name: 'Gone', answer: 'accept' });
    expect((await look(test, path)).text)
      .to.include('You no longer take part')
      .and.not.include('<form');
    expect(await test.service.runtime.db('tenants').where({ name: 'Gone' })).to.deep.equal([]);
  });

  it('completes a profile that becomes outdated automatically after ONBOARDING_VALID_DAYS, which changes nothing else', async () => {
    const { applicationId, email, get } = await apply();
    const completed = new Date();
    test.setNow(completed);
    await submit(test, await onboardingPath(test, applicationId, email), { name: 'Nuria Gil', answer: 'accept' });
    const { updated_at } = await get();
    for (const [days, extraMs, status] of [
      [365, -1, 'COMPLETED'],
      [365, 0, 'OUTDATED'],
      [900, 0, 'OUTDATED'],
    ] as const) {
      test.setNow(new Date(completed.getTime() + days * DAY_MS + extraMs));
      await test.alice.authenticate();
      const shown = await get();
      expect([shown.participants[0]?.onboarding_status, shown.updated_at]).to.deep.equal([status, updated_at]);
    }
    await submit(test, await onboardingPath(test, applicationId, email), { name: 'Nuria Gil', answer: 'accept' });
    expect((await get()).participants[0]?.onboarding_status).to.equal('COMPLETED');
  });
});
