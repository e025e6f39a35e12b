import { expect } from 'chai';
import { addProperty } from '../../db/properties/properties.ts';
import { addWorkspace } from '../../db/properties/workspaces.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Admin, misunderstood } from '../../harness/service/admin.ts';
import { invitationPath, look, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

type Row = Record<string, unknown>;
interface Shown extends Row {
  participants: (Row & { payments: Row[] })[];
}

describe('the command line for applications', () => {
  let serial = 0;
  const test = useService({ RUN_WORKERS: 'false' });
  const admin = new Admin(test);

  const apply = async (client = test.alice) => {
    serial += 1;
    const [lead, guest, third] = ['lead', 'guest', 'third'].map((who) => `${who}-${serial}@mail.example`);
    if (!lead || !guest || !third) throw new Error('unreachable');
    const tenants = [lead, guest, third].map((email) => ({ email, is_lead: email === lead }));
    const { data } = await client.ok('createApplication', { body: { title: `Flat ${serial}`, tenants } });
    return { id: data.application_id, lead, guest, third };
  };
  const shown = async (applicationId: string) =>
    (await test.alice.ok('getApplication', { params: { applicationId } })).data;
  const roles = async (applicationId: string, email: string) => {
    const { data } = await test.alice.ok('updateParticipant', { params: { applicationId, email }, body: {} });
    return data.participants.filter(({ is_lead }) => is_lead).map((person) => person.email);
  };
  const actionsOn = async (resource: unknown) => {
    const rows = await test.service.runtime
      .db('audit_entries')
      .where({ resource_id: String(resource) })
      .orderBy('sequence');
    return rows.map(({ actor_kind, action }) => `${actor_kind} ${action}`);
  };
  const property = async (landlordId: string) => {
    const { db, now } = test.service.runtime;
    return db.transaction(async (trx) => {
      const workspace = await addWorkspace(trx, landlordId, 'Centre', now());
      return (await addProperty(trx, workspace, {})).property_id;
    });
  };

  it('lists newest first, filtered by landlord, key or person, and shows all details of one', async () => {
    const { id, lead, guest, third } = await apply();
    const foreign = await apply(test.charlie);
    // Both may have been created in the same millisecond.
    await test.service.runtime.db('applications').where({ id: foreign.id }).update({ created_at: '2100-01-01' });
    const ids = async (...args: string[]) =>
      (await admin.json<Row[]>('application', 'list', ...args)).map(({ application_id }) => application_id);
    expect(await ids('--limit', '2')).to.deep.equal([foreign.id, id]);
    expect(await ids('--landlord', test.landlords.other)).to.deep.equal([foreign.id]);
    expect(await ids('--key', test.charlie.clientId, '--landlord', test.landlords.ours)).to.deep.equal([]);
    const { id: tenantId } = await test.tenant(guest.toUpperCase());
    expect(await ids('--tenant', tenantId)).to.deep.equal([id]);
    expect(await ids('--tenant', third)).to.deep.equal([id]);
    await admin.json('payment', 'record', '--application', id, '--email', guest, '--amount', '350.50', '--protected');
    await test.alice.ok('removeParticipant', { params: { applicationId: id, email: third } });
    const found = await admin.json<Shown>('application', 'show', id);
    expect(found).to.include({
      application_id: id,
      lead_email: lead,
      property_id: null,
      client_id: test.alice.clientId,
    });
    expect(found.participants.map(({ email, invitation }) => [email, invitation])).to.deep.equal([
      [lead, null],
      [guest, 'pending'],
      [third, 'pending'],
    ]);
    expect(found.participants[1]).to.include({ tenant_id: tenantId, onboarding_status: 'PENDING', removed_at: null });
    expect(found.participants[2]?.['removed_at']).to.be.a('string');
    expect(await admin.json<Row[]>('payment', 'list', '--application', id)).to.deep.equal(
      found.participants[1]?.payments,
    );
    const human = await admin.text('application', 'show', id);
    expect(human)
      .to.match(new RegExp(`${guest} .*pending .*PENDING`))
      .and.include('350.5');
    expect(human).to.match(new RegExp(`${third} .*removed`));
    for (const args of [
      ['application', 'show', 'absent'],
      ['payment', 'list', '--application', 'absent'],
    ])
      expect(await admin.refused(1, args)).to.match(/application list/);
  });

  it('consent records a person’s answer, uses up their invitation link, and can be corrected', async () => {
    const { id, guest } = await apply();
    const path = await invitationPath(test, id, guest);
    const consent = (answer: string) => admin.json<Row>('application', 'consent', id, '--email', guest, answer);
    const accepted = await consent('--accept');
    expect(accepted).to.include({ consent_status: 'accepted', former_consent_status: 'pending' });
    const before = await shown(id);
    expect(before.participants[1]?.consent_status).to.equal('accepted');
    await submit(test, path, { answer: 'decline' });
    expect((await look(test, path)).text)
      .to.include('Thank you for accepting')
      .and.not.include('name="answer"');
    expect(await consent('--accept')).to.include({ former_consent_status: 'accepted' });
    expect(await shown(id)).to.deep.equal(before);
    const corrected = await admin.text('application', 'consent', id, '--email', guest.toUpperCase(), '--reject');
    expect(corrected).to.match(/^It was recorded that the participant declines; before, they had accepted\.\n/);
    expect((await shown(id)).participants[1]?.consent_status).to.equal('rejected');
    expect(await actionsOn(accepted['participant_id'])).to.deep.equal([
      'operator participant.accept',
      'operator participant.decline',
    ]);
    expect(await admin.refused(1, ['application', 'consent', id, '--email', 'x@mail.example', '--accept'])).to.match(
      /application show/,
    );
    await admin.refused(2, ['application', 'consent', id, '--email', guest]);
    await misunderstood('application', 'consent', id, '--email', guest, '--accept', '--reject');
  });

  it('transfer-lead replaces the lead with another participant who has not declined', async () => {
    const { id, lead, guest, third } = await apply();
    const to = (email: string) => ['application', 'transfer-lead', id, '--to', email];
    expect(await admin.json(...to(guest))).to.deep.include({ lead_email: guest, former_lead_email: lead });
    expect(await roles(id, guest)).to.deep.equal([guest]);
    const before = await shown(id);
    expect(await admin.text(...to(guest))).to.match(/nothing changed/);
    await admin.json('application', 'consent', id, '--email', third, '--reject');
    const declined = await shown(id);
    expect(declined.updated_at > before.updated_at).to.equal(true);
    expect(await admin.refused(1, to(third))).to.match(/declined/);
    await test.alice.ok('removeParticipant', { params: { applicationId: id, email: lead } });
    expect(await admin.refused(1, to(lead))).to.match(/takes no part/);
    expect(await roles(id, guest)).to.deep.equal([guest]);
    expect(await actionsOn(id)).to.deep.equal(['api_key application.create', 'operator application.transfer-lead']);
  });

  it('link-property accepts only the landlord’s own properties', async () => {
    const { id } = await apply();
    const [own, foreign] = [await property(test.landlords.ours), await property(test.landlords.other)];
    const link = (propertyId: string) => ['application', 'link-property', id, '--property', propertyId];
    expect(await admin.json(...link(own))).to.deep.equal({ application_id: id, property_id: own });
    const { updated_at } = await shown(id);
    expect(await admin.text(...link(own))).to.match(/nothing changed/);
    expect((await shown(id)).updated_at).to.equal(updated_at);
    const refusals = [await admin.refused(1, link(foreign)), await admin.refused(1, link('absent'))];
    expect(refusals[0]?.replace(foreign, 'absent')).to.equal(refusals[1]);
    expect(await admin.json('application', 'show', id)).to.include({ property_id: own });
    expect(await admin.json('application', 'link-property', id, '--none')).to.include({ property_id: null });
    expect((await actionsOn(id)).slice(1)).to.deep.equal([
      'operator application.link-property',
      'operator application.unlink-property',
    ]);
    await admin.refused(2, ['application', 'link-property', id]);
    await misunderstood('application', 'link-property', id, '--property', own, '--none');
  });

  it('onboard creates a single-use link for a profile, and links the property with it, or does neither', async () => {
    const { id, guest, third } = await apply();
    const own = await property(test.landlords.ours);
    const onboard = (email: string, ...more: string[]) => ['application', 'onboard', id, '--email', email, ...more];
    const { onboarding_url, ...made } = await admin.json<Row>(...onboard(guest, '--property', own, '--days', '3'));
    expect(made).to.include({ email: guest, property_id: own });
    expect(Date.parse(String(made['expires_at'])) - Date.now()).to.be.within(2.9 * 86_400_000, 3 * 86_400_000);
    expect(String(onboarding_url)).to.match(new RegExp(`^${test.service.url}/onboarding/`));
    const path = new URL(String(onboarding_url)).pathname;
    await submit(test, path, { name: 'Nuria Gil', answer: 'accept' });
    expect((await shown(id)).participants[1]).to.include({ name: 'Nuria Gil', onboarding_status: 'COMPLETED' });
    const { participants } = await admin.json<Shown>('application', 'show', id);
    expect(participants.map(({ onboarding_link }) => onboarding_link)).to.deep.equal([null, 'used', null]);
    expect(await actionsOn(made['participant_id'])).to.deep.equal([
      'operator participant.onboard',
      'person participant.accept',
    ]);
    const stored = await test.service.runtime.db('onboarding_links');
    expect(JSON.stringify(stored)).to.not.include(path.split('/').at(-1));
    await admin.json('application', 'link-property', id, '--none');
    await admin.json('application', 'consent', id, '--email', third, '--reject');
    expect(await admin.refused(1, onboard(third, '--property', own))).to.match(/declined/);
    expect(await admin.json('application', 'show', id)).to.include({ property_id: null });
    for (const days of ['0', '91', '1.5', 'week']) await misunderstood(...onboard(guest, '--days', days));
  });

  it('tenant add shows whom the account is linked to, and tenant show everything about one person', async () => {
    const { id, guest } = await apply();
    const added = await admin.json<Row & { applications: Row[] }>('tenant', 'add', '--email', guest, '--name', 'Gil');
    expect(added.applications.map(({ application_id }) => application_id)).to.deep.equal([id]);
    expect((await shown(id)).participants[1]?.id).to.equal(added['tenant_id']);
    await admin.json('tenant', 'profile', guest, '--state', 'COMPLETED');
    expect(await actionsOn(added['tenant_id'])).to.deep.equal(['operator tenant.add', 'operator tenant.profile']);
    const { email } = await test.tenant(`papers-${serial}@mail.example`, { documents: 1 });
    const papers = await admin.json<Row & { documents: Row[] }>('tenant', 'show', email);
    expect(papers.documents).to.have.length(1);
    expect(await admin.text('tenant', 'show', guest))
      .to.include(id)
      .and.match(/They have no documents/);
    expect(await admin.json<Row[]>('tenant', 'list', '--limit', '1')).to.have.length(1);
    expect(await admin.text('tenant', 'list', '--limit', '1')).to.match(/--limit shows more/);
    expect(await admin.refused(1, ['tenant', 'show', 'absent'])).to.match(/tenant list/);
  });
});
