import { expect } from 'chai';
import { create, expectStatus, get, type Histories, list, propertyOf, remove, update } from './asking.ts';
import { applicationOf } from './good-calls.ts';

/** Request sequences for applications that were created through the API. */
export const applicationHistories: Histories = {
  'keys that take turns see their own things alone': async (stacks) => {
    const callers = [await stacks.caller(), await stacks.caller(), await stacks.outsider()];
    const applications: string[] = [];
    for (const caller of callers)
      applications.push((await applicationOf(stacks, caller, ['same@mail.example'])).applicationId);
    for (let round = 0; round < 2; round++)
      for (const [owner, applicationId] of applications.entries())
        for (const [index, caller] of callers.entries()) {
          const status = owner === index ? 200 : 404;
          const email = 'same@mail.example';
          await expectStatus(stacks, status, get(caller, applicationId));
          await expectStatus(stacks, status, update(caller, applicationId, email, { name: `${owner}${round}` }));
        }
  },
  'a change of an application or of who takes part is seen by the next look': async (stacks) => {
    const caller = await stacks.caller();
    const [one, two] = ['one@mail.example', 'Two@Mail.example'];
    const { applicationId } = await applicationOf(stacks, caller, [one, two]);
    const look = get(caller, applicationId);
    await expectStatus(stacks, 200, look, look);
    await expectStatus(
      stacks,
      200,
      update(caller, applicationId, 'TWO@mail.example', { name: 'Two', is_guarantor: true }),
      look,
    );
    await expectStatus(stacks, 200, update(caller, applicationId, one, { name: 'İß 𝄞 "\\' }), look);
    const created_at = stacks.clock().toISOString();
    const tenant = {
      id: crypto.randomUUID(),
      email: two.toUpperCase(),
      comparable_email: two.toLowerCase(),
      name: '',
      created_at,
    };
    const profile = {
      profile_completed_at: created_at,
      profile_outdated_at: new Date(stacks.clock().getTime() + 60_000).toISOString(),
    };
    await stacks.inBoth((db) =>
      db('tenants').insert({
        ...tenant,
        last_took_part_at: null,
        profile_completed_at: null,
        profile_outdated_at: null,
      }),
    );
    await expectStatus(stacks, 200, look);
    await stacks.inBoth((db) => db('tenants').where({ id: tenant.id }).update(profile));
    await expectStatus(stacks, 200, look);
    stacks.pass(60_000);
    await expectStatus(stacks, 200, look);
    await stacks.inBoth((db) => db('participants').where({ email: one }).update({ consent_status: 'accepted' }));
    await expectStatus(stacks, 200, look, remove(caller, applicationId, one), look);
    await expectStatus(stacks, 404, remove(caller, applicationId, one), update(caller, applicationId, one, {}));
    await expectStatus(stacks, 409, remove(caller, applicationId, stacks.stage.lead));
    await stacks.inBoth((db) => db('tenants').where({ id: tenant.id }).delete());
    await expectStatus(stacks, 200, look);
    await stacks.inBoth((db) =>
      db('applications')
        .where({ title: 'Flat', api_key_id: caller.apiKeyId })
        .update({ api_key_id: stacks.owner.apiKeyId }),
    );
    await expectStatus(stacks, 404, look, update(caller, applicationId, two, {}));
  },
  'the same people are the same application, in whatever order and case, until one is removed': async (stacks) => {
    const caller = await stacks.caller();
    const people = ['a@mail.example', 'B@mail.example', 'c@mail.example', 'd@mail.example', 'e@mail.example'];
    for (let count = 1; count <= people.length; count++)
      for (let lead = 0; lead < count; lead++) {
        const tenants = people.slice(0, count).map((email, index) => ({ email, is_lead: index === lead }));
        await expectStatus(stacks, 200, create(caller, `${count} by ${lead}`, tenants));
        const others = tenants.toReversed().map((tenant) => ({ ...tenant, email: tenant.email.toUpperCase() }));
        await expectStatus(stacks, 200, create(caller, '', others));
      }
    const [stays, leaves] = ['f@mail.example', 'g@mail.example'];
    const applications: string[] = [];
    // Among several applications with the same people, the oldest counts.
    for (let time = 0; time < 3; time++) {
      const { applicationId } = await applicationOf(stacks, caller, [stays, leaves]);
      await expectStatus(stacks, 200, remove(caller, applicationId, leaves));
      applications.push(applicationId, (await applicationOf(stacks, caller, [stays])).applicationId);
    }
    expect(new Set(applications).size).to.equal(3);
    expect([applications[1], applications[3], applications[5]]).to.deep.equal(Array(3).fill(applications[0]));
  },
  'many who ask at once get each their own answer': async (stacks) => {
    const callers = await Promise.all(Array.from({ length: 12 }, () => stacks.caller()));
    const applications: string[] = [];
    for (const [index, caller] of callers.entries())
      applications.push((await applicationOf(stacks, caller, [`guest-${index}@mail.example`])).applicationId);
    const calls = callers.flatMap((caller, index) => [
      ...[index, index + 1, index + 5].map((other) => get(caller, applications[other % applications.length] ?? '')),
      list(caller),
      propertyOf(stacks, caller),
      list({ ...caller, token: `${caller.token}x` }),
    ]);
    for (let round = 0; round < 3; round++) await stacks.sendTogether(calls);
  },
};
