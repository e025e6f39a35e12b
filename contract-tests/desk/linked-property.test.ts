import { expect } from 'chai';
import { inTransaction } from '../../db/connection/transactions.ts';
import { addProperty } from '../../db/properties/properties.ts';
import { addWorkspace } from '../../db/properties/workspaces.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { MAX_PROPERTIES } from '../../http/backoffice/pages/applications/property-choice.ts';

databases('both');

describe('the property of an application at the desk', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const signIn = (role: 'admin' | 'agent') =>
    MemberBrowser.signIn(test, role, { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] });
  const agent = suiteFixture(() => signIn('agent'));
  const workspace = suiteFixture(() =>
    inTransaction(db(), (trx) => addWorkspace(trx, test.landlords.ours, 'Madrid', new Date())),
  );
  const add = (fields: { property_reference: string; rent_amount?: number }) =>
    inTransaction(db(), (trx) => addProperty(trx, workspace, fields));
  const addAs = (property_id: string, fields: { property_reference: string }) =>
    inTransaction(db(), (trx) => addProperty(trx, workspace, { property_id, ...fields }));
  const loft = suiteFixture(() => add({ property_reference: 'MAD-1' }));
  const attic = suiteFixture(() => add({ property_reference: 'MAD-2', rent_amount: 1_200 }));
  const foreign = suiteFixture(() =>
    inTransaction(db(), async (trx) => {
      const theirs = await addWorkspace(trx, test.landlords.other, 'Theirs', new Date());
      return addProperty(trx, theirs, { property_reference: 'BCN-1' });
    }),
  );

  let number = 0;
  const create = (form: Record<string, string> = {}) => {
    number += 1;
    const given = { title: `Flat ${number}`, 'email-1': `p${number}@mail.example`, client_id: test.alice.clientId };
    return agent.act('/applications/new', { ...given, ...form });
  };
  const created = async (form: Record<string, string> = {}) => {
    const { location } = await create(form);
    return /applications\/([\w-]{36})/.exec(location ?? '')?.[1] ?? expect.fail('not created');
  };
  const linkedTo = async (id: string) =>
    (
      await db()('applications')
        .leftJoin('properties', 'properties.id', 'applications.property_internal_id')
        .where('applications.id', id)
        .first('property_reference')
    )?.property_reference ?? null;
  const actsOn = async (resource_id: string) =>
    db()('audit_entries').where({ resource_id, actor: agent.id }).orderBy('sequence').pluck('action');
  const change = (id: string, property: string) => agent.act(`/applications/${id}/property`, { property });

  it('is chosen when the application is created, among the landlord’s own, and is audited', async () => {
    const { text } = await agent.open(`/applications/new?property=${attic.property_id}`);
    expect(text).to.match(new RegExp(`<option value="${attic.property_id}" selected>MAD-2`));
    expect(text).to.not.include(foreign.property_id).and.not.include('BCN-1');
    const id = await created({ property: attic.property_id });
    expect(await linkedTo(id)).to.equal('MAD-2');
    expect(await actsOn(id)).to.deep.equal(['application.create', 'application.link-property']);
    const row = await db()('applications').where({ id }).first('created_at', 'updated_at');
    expect(row?.updated_at).to.equal(row?.created_at);
    expect(await linkedTo(await created({ property: '' }))).to.equal(null);
    expect((await agent.open(`/properties/${attic.property_id}`)).text).to.include(
      `applications/new?property=${attic.property_id}"`,
    );
  });

  it('is no other landlord’s, and none that is absent: nothing is created or changed then', async () => {
    const before = (await db()('applications').pluck('id')).length;
    for (const property of [foreign.property_id, 'BCN-1', 'absent']) {
      const { status, text } = await create({ property });
      expect(status).to.equal(400);
      expect(readable(text)).to.include('You have no property with this reference or identifier.');
    }
    expect(await db()('applications').pluck('id')).to.have.length(before);
    const id = await created();
    for (const property of [foreign.property_id, 'BCN-1', 'absent']) {
      expect((await change(id, property)).status).to.equal(400);
      const onboarded = await agent.act(`/applications/${id}/onboard`, { email: `p${number}@mail.example`, property });
      expect(onboarded.status).to.equal(400);
    }
    expect(await linkedTo(id)).to.equal(null);
    expect(await actsOn(id)).to.deep.equal(['application.create']);
  });

  it('does not change with the same people again', async () => {
    const form = { 'email-1': 'same@mail.example' };
    const id = await created({ ...form, property: attic.property_id });
    expect(await created({ ...form, property: loft.property_id })).to.equal(id);
    expect(await linkedTo(id)).to.equal('MAD-2');
  });

  it('is linked, changed and unlinked later, and each is audited', async () => {
    const id = await created();
    expect(await agent.follow(await change(id, loft.property_id)))
      .to.include('saved')
      .and.include('MAD-1');
    expect(await agent.follow(await change(id, loft.property_id))).to.include('it was already so');
    await agent.follow(await change(id, attic.property_id));
    expect(await linkedTo(id)).to.equal('MAD-2');
    expect(await agent.follow(await change(id, ''))).to.include('The property was unlinked');
    expect(await linkedTo(id)).to.equal(null);
    expect(await actsOn(id)).to.deep.equal([
      ...['application.create', 'application.link-property', 'application.link-property'],
      'application.unlink-property',
    ]);
  });

  it('is named in a table by its reference or identifier, and shown in the preview', async () => {
    await add({ property_reference: 'TWIN' });
    await add({ property_reference: 'TWIN' });
    const post = async (csv: string, path = '') =>
      readable((await agent.act(`/applications/import${path}`, { csv, client_id: test.alice.clientId })).text);
    const csv = `title,lead,property\nBy reference,ref@mail.example,MAD-1\nBy id,id@mail.example,${attic.property_id}\nNone,none@mail.example,`;
    expect(await post(csv))
      .to.include('MAD-1')
      .and.include('MAD-2');
    expect(await post(csv, '/create')).to.include('3 applications were created');
    const linked = await db()('applications')
      .leftJoin('properties', 'properties.id', 'applications.property_internal_id')
      .whereIn('title', ['By reference', 'By id', 'None'])
      .orderBy('title')
      .select('title', 'property_reference');
    expect(linked.map(({ title, property_reference }) => [title, property_reference])).to.deep.equal([
      ['By id', 'MAD-2'],
      ['By reference', 'MAD-1'],
      ['None', null],
    ]);
    const faults = await post('title,lead,property\nA,no address,BCN-1\nB,b@mail.example,TWIN', '/create');
    expect(faults)
      .to.include('Line 2')
      .and.include('no e-mail address')
      .and.include('You have no property with this reference or identifier.')
      .and.include('Several of your properties have this reference');
  });

  it('decides what the income is compared with, whose page leads to what is missing', async () => {
    const id = await created();
    const income = async (member = agent) => (await member.open(`/applications/${id}/income`)).text;
    expect(await income()).to.match(new RegExp(`href="[^"]*applications/${id}">Link a property`));
    await agent.follow(await change(id, loft.property_id));
    expect(await income()).to.match(new RegExp(`href="[^"]*properties/${loft.property_id}">Enter its rent`));
    await agent.follow(await change(id, attic.property_id));
    expect(readable(await income()))
      .to.include('1,200.00')
      .and.include('An admin sets the rule in the settings.')
      .and.not.include('Enter its rent');
    const admin = await signIn('admin');
    expect(await income(admin)).to.match(/href="[^"]*settings">Set the rule in the settings/);
    await admin.act('/settings', { rent_rule: '3x' });
    expect(await income(admin)).to.not.include('Set the rule');
  });

  it('is named by reference or identifier once there are more than a list can offer, and stays when nothing is typed over', async () => {
    const many = Array.from({ length: MAX_PROPERTIES }, (_, index) => ({
      ...{ property_id: `many-${index}`, property_reference: `MANY-${index}` },
      workspace_internal_id: workspace.id,
    }));
    await db().batchInsert('properties', many, 50);
    const id = await created({ property: 'MAD-1' });
    expect(await linkedTo(id)).to.equal('MAD-1');
    expect((await agent.open(`/applications/${id}`)).text).to.match(/name="property" value="MAD-1"/);
    expect(await agent.follow(await change(id, 'MAD-1'))).to.include('it was already so');
    await agent.follow(await change(id, attic.property_id));
    expect(await linkedTo(id)).to.equal('MAD-2');
    const other = await created({ property: 'MAD-1' });
    expect((await agent.open('/applications?property=MAD-1')).text)
      .to.include(other)
      .and.not.include(id);
    const twins = await change(id, 'TWIN');
    expect(twins.status).to.equal(400);
    expect(readable(twins.text)).to.include('Several of your properties have this reference');
    expect(twins.text).to.match(/name="property" value="TWIN"/);
    const filter = await agent.open('/applications?property=TWIN');
    expect(readable(filter.text)).to.include('Several of your properties have this reference');
    // A form that is sent as it was shown changes nothing, whatever the names of other properties.
    await addAs('A&B', { property_reference: 'A+B' });
    await addAs('A+B', { property_reference: ' C ' });
    for (const property_id of ['A&B', 'A+B']) {
      const application = await created({ property: property_id });
      const { text } = await agent.open(`/applications/${application}`);
      const shown = readable(/name="property" value="([^"]*)"/.exec(text)?.[1] ?? '');
      expect(await agent.follow(await change(application, shown)), property_id).to.include('it was already so');
      const ofProperty = /applications\?property=[^"]*/.exec(
        (await agent.open(`/properties/${encodeURIComponent(property_id)}`)).text,
      );
      const list = await agent.open(`/${ofProperty?.[0]}`);
      expect(list.text, property_id).to.include(application);
    }
  });
});
