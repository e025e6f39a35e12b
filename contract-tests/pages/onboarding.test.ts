import { expect } from 'chai';
import { dialect } from '../../harness/database/databases.ts';
import { look, onboardingPath, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';

const DAY_MS = 86_400_000;

describe(`the page of an onboarding link on ${dialect}`, () => {
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

  it('opens the account under the name that the person confirms, and completes its profile', async () => {
    const { applicationId, email, participant } = await apply();
    const path = await onboardingPath(test, applicationId, email);
    const before = await participant();
    const page = await look(test, path);
    expect(page.text)
      .to.include('Complete your profile')
      .and.include(email)
      .and.include('Casa Clara')
      .and.include('Loft');
    expect(await participant())
      .to.deep.equal(before)
      .and.include({ id: null, onboarding_status: 'PENDING' });
    const { status, headers } = await submit(test, path, { name: '  Nuria   Gil ' });
    expect([status, headers['location']]).to.deep.equal([303, `../${path.slice(1)}#step`]);
    const after = await participant();
    expect(after).to.include({ name: 'Nuria Gil', onboarding_status: 'COMPLETED' });
    expect(after?.id).to.be.a('string');
    const [entry, ...others] = await entriesOf(after?.id);
    expect(entry).to.include({ actor_kind: 'person', action: 'tenant.onboard' });
    expect(others).to.deep.equal([]);
  });

  it('can be used once, and then tells nothing of whose it was', async () => {
    const { applicationId, email, participant } = await apply();
    const path = await onboardingPath(test, applicationId, email);
    const names = ['Nuria', 'Olga', 'Pilar', 'Queralt'];
    await Promise.all(names.map((name) => submit(test, path, { name })));
    const { name, id } = (await participant()) ?? {};
    expect(names).to.include(name);
    await submit(test, path, { name: 'Somebody Else' });
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

  it('shows the name that is known already, and leaves the one that the integrator gave', async () => {
    const { applicationId, email, participant } = await apply();
    await test.alice.ok('updateParticipant', { params: { applicationId, email }, body: { name: 'Nuri' } });
    const path = await onboardingPath(test, applicationId, email);
    expect((await look(test, path)).text).to.include('value="Nuri"');
    const account = await test.tenant(email.toUpperCase(), { name: 'Nuria' });
    expect((await look(test, path)).text).to.include('value="Nuria"');
    await submit(test, path, { name: 'Nuria Gil' });
    expect(await participant()).to.include({ name: 'Nuri', id: account.id, onboarding_status: 'COMPLETED' });
    expect(await test.service.runtime.db('tenants').where({ id: account.id }).first('name')).to.include({
      name: 'Nuria Gil',
    });
  });

  it('takes no name that is none, and keeps what was typed', async () => {
    const { applicationId, email, participant } = await apply();
    const path = await onboardingPath(test, applicationId, email);
    for (const [name, fault] of [
      [' ', 'Enter your full name.'],
      ['<i>'.repeat(67), 'Use no more than 200 characters.'],
      ['Nul\0', 'Leave out the characters that cannot be read.'],
    ] as const) {
      const page = await submit(test, path, { name });
      expect(page.status).to.equal(400);
      expect(page.text).to.include(fault).and.not.include('<i>');
    }
    expect(await participant()).to.include({ name: '', id: null, onboarding_status: 'PENDING' });
  });

  it('expires, is replaced by a later one, and leads nowhere once the person was removed', async () => {
    const { applicationId, email, participant } = await apply();
    const former = await onboardingPath(test, applicationId, email);
    const path = await onboardingPath(test, applicationId, email, 7 * DAY_MS);
    const opened = test.service.runtime.now();
    await submit(test, former, { name: 'Former' });
    expect((await look(test, former)).text)
      .to.include('This link has expired')
      .and.include('Casa Clara');
    test.setNow(new Date(opened.getTime() + 8 * DAY_MS));
    await submit(test, path, { name: 'Late' });
    expect((await look(test, path)).text).to.include('This link has expired');
    test.setNow(opened);
    expect(await participant()).to.include({ name: '', id: null });
    await test.service.runtime.db('participants').where({ email }).update({ removed_at: opened.toISOString() });
    const gone = await look(test, path);
    expect(gone.status).to.equal(404);
    for (const unknown of ['/onboarding/x', `${path}x`])
      expect(await look(test, unknown)).to.deep.include({ status: 404, text: gone.text });
    expect((await submit(test, path, { name: 'Gone' })).status).to.equal(404);
  });

  it('completes a profile that goes out of date by itself after ONBOARDING_VALID_DAYS, which moves nothing else', async () => {
    const { applicationId, email, get } = await apply();
    const completed = new Date();
    test.setNow(completed);
    await submit(test, await onboardingPath(test, applicationId, email), { name: 'Nuria Gil' });
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
    await submit(test, await onboardingPath(test, applicationId, email), { name: 'Nuria Gil' });
    expect((await get()).participants[0]?.onboarding_status).to.equal('COMPLETED');
  });
});
