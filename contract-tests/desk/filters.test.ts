import { expect } from 'chai';
import { inTransaction } from '../../db/connection/transactions.ts';
import { addProperty } from '../../db/properties/properties.ts';
import { addWorkspace } from '../../db/properties/workspaces.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { useService } from '../../harness/service/service.ts';
import { MemberBrowser } from './members.ts';

databases('either');

describe('the list of applications at the desk', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const agent = suiteFixture(() =>
    MemberBrowser.signIn(test, 'agent', { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] }),
  );
  const DAYS = ['2026-01-30', '2026-01-31', '2026-02-01'];
  const property = suiteFixture(async () => {
    for (const day of DAYS) {
      const body = { title: `Flat of ${day}`, tenants: [{ email: `of-${day}@mail.example`, is_lead: true }] };
      const { application_id } = (await test.alice.ok('createApplication', { body })).data;
      await db()('applications')
        .where({ id: application_id })
        .update({ created_at: `${day}T23:59:59.999Z` });
    }
    const body = { title: 'Of Bob', tenants: [{ email: 'of-bob@mail.example', is_lead: true }] };
    await test.bob.ok('createApplication', { body });
    const added = await inTransaction(db(), async (trx) => {
      const workspace = await addWorkspace(trx, test.landlords.ours, 'Madrid', new Date());
      return addProperty(trx, workspace, { property_reference: 'MAD-1' });
    });
    const titles = ['Flat of 2026-01-31', 'Of Bob'];
    await db()('applications').whereIn('title', titles).update({ property_internal_id: added.id });
    return added;
  });
  const shown = async (query: string) => {
    const { status, text } = await agent.open(`/applications?${query}`);
    expect(status).to.equal(200);
    expect(text).to.not.include('Of Bob');
    return DAYS.filter((day) => text.includes(`Flat of ${day}`));
  };

  it('narrows to days, of which the first and the last count whole', async () => {
    expect(await shown('')).to.deep.equal(DAYS);
    expect(await shown('from=2026-01-31')).to.deep.equal(DAYS.slice(1));
    expect(await shown('until=2026-01-31')).to.deep.equal(DAYS.slice(0, 2));
    expect(await shown('from=2026-01-31&until=2026-01-31')).to.deep.equal(['2026-01-31']);
    expect(await shown('until=2026-01-29')).to.deep.equal([]);
  });

  it('narrows to a property, within the keys of the member', async () => {
    expect(await shown(`property=${property.property_id}`)).to.deep.equal(['2026-01-31']);
    expect(await shown(`property=${property.property_id}&from=2026-02-01`)).to.deep.equal([]);
  });

  it('another landlord’s property and an absent one have no applications', async () => {
    const other = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.other });
    for (const id of [property.property_id, 'absent'])
      expect((await other.open(`/applications?property=${id}`)).text).to.include('There are no such applications.');
  });

  it('a day that is no day is refused', async () => {
    for (const query of ['from=yesterday', 'until=2026-1-1', 'from=2026-13-01'])
      expect((await agent.open(`/applications?${query}`)).status, query).to.equal(400);
  });
});
