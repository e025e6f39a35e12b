import { expect } from 'chai';
import { isoAfter } from '../../core/time.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';
import { createMemberKey, MAX_MEMBER_KEYS } from '../../jobs/access/keys.ts';
import { MemberBrowser } from './members.ts';

databases('both');

const NOON = new Date('2026-03-14T12:00:00.000Z');
const TOMORROW = new Date('2026-03-15T00:00:00.000Z');

describe('the API keys that members of a landlord create', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const keys = () => db()('api_keys').where({ landlord_id: test.landlords.other });
  const inForce = async () => (await keys().whereNull('revoked_at').pluck('id')).length;
  const developer = () => MemberBrowser.signIn(test, 'developer', { landlordId: test.landlords.other });
  const create = (member: MemberBrowser, name = 'Another') => member.act('/keys', { name });
  /** Other keys in force, as an operator creates them. */
  const fill = async (to: number) => {
    for (let count = await inForce(); count < to; count++)
      await createApiKey(db(), test.landlords.other, `Key ${count}`, NOON);
  };
  const revoke = async (member: MemberBrowser, name: string) => {
    const { client_id = '' } = (await keys().where({ name }).first('client_id')) ?? {};
    return member.act(`/keys/${client_id}/revoke`, { confirm: client_id });
  };

  beforeEach(async () => {
    test.setNow(NOON);
    await db()('member_keys').delete();
    await keys().whereNot({ client_id: test.charlie.clientId }).delete();
  });

  it('are limited, also when several are created at once, in one process or in several', async () => {
    await fill(MAX_MEMBER_KEYS - 2);
    const members = [await developer(), await developer()];
    for (const member of members) await member.open('/keys');
    const landlordId = test.landlords.other;
    const answers = await Promise.all([
      ...members.map(async (member) => (await create(member)).status === 200),
      // Without a turn of the landlord, as in other processes.
      ...members.map(async ({ id }) => {
        const order = { landlordId, name: 'Another', memberId: id };
        return (await createMemberKey(test.service.runtime, order, { kind: 'member', id })) !== undefined;
      }),
    ]);
    expect(answers.filter((isCreated) => isCreated)).to.have.length(2);
    expect(await inForce()).to.equal(MAX_MEMBER_KEYS);
    const refused = await create(await developer());
    expect(refused.status).to.equal(409);
    expect(readable(refused.text)).to.include('Revoke one you no longer need');
    const ids = keys().where({ name: 'Another' }).select('id');
    const rows = await db()('audit_entries').where({ action: 'key.create' }).whereIn('resource_id', ids);
    expect(rows, 'a refusal is no creation').to.have.length(2);
  });

  it('count until the end of the day on which they ended, because each had daily limits of its own', async () => {
    await fill(MAX_MEMBER_KEYS - 2);
    const member = await developer();
    expect((await create(member, 'Expiring')).status).to.equal(200);
    expect((await create(member, 'Revoked')).status).to.equal(200);
    expect((await revoke(member, 'Revoked')).status).to.equal(303);
    await keys()
      .where({ name: 'Expiring' })
      .update({ expires_at: isoAfter(NOON, 1) });
    expect((await create(member)).status).to.equal(409);
    test.setNow(TOMORROW);
    const next = await developer();
    expect((await create(next, 'Tomorrow')).status).to.equal(200);
    expect((await create(next, 'Tomorrow, too')).status).to.equal(200);
    expect((await create(next)).status).to.equal(409);
  });

  it('do not hide older ones that are in force from the page that revokes them', async () => {
    const member = await developer();
    expect((await create(member, 'The oldest')).status).to.equal(200);
    const ended = [];
    for (let number = 0; number < 101; number++)
      ended.push(await createApiKey(db(), test.landlords.other, `Ended ${number}`, TOMORROW));
    const ids = ended.map(({ apiKey }) => apiKey.id);
    await db()('api_keys').whereIn('id', ids).update({ revoked_at: TOMORROW.toISOString() });
    await db()('member_keys').insert(ids.map((api_key_id) => ({ api_key_id, member_id: member.id })));
    expect(readable((await member.open('/keys')).text)).to.include('The oldest');
    expect(readable((await member.open('/webhooks/new')).text)).to.not.include('Ended');
  });

  it('do not become more by a later end of one that has expired', async () => {
    const member = await developer();
    expect((await create(member, 'Expired')).status).to.equal(200);
    const { client_id = '' } = (await keys().where({ name: 'Expired' }).first('client_id')) ?? {};
    await keys().where({ client_id }).update({ expires_at: NOON.toISOString() });
    expect((await member.act(`/keys/${client_id}/expiry`, { end: 'never' })).status).to.equal(409);
    expect(await keys().where({ client_id }).first('expires_at')).to.deep.equal({ expires_at: NOON.toISOString() });
  });
});
