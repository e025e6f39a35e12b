import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { clockPasses } from '../../harness/process/until.ts';
import type { Client } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

describe('remove-participant', () => {
  const test = useService();

  const create = async (client: Client, ...emails: string[]) => {
    const tenants = emails.map((email, index) => ({ email, is_lead: index === 0 }));
    return (await client.ok('createApplication', { body: { title: 'Shared flat', tenants } })).data.application_id;
  };
  const get = async (applicationId: string) =>
    (await test.alice.ok('getApplication', { params: { applicationId } })).data;
  const remove = (applicationId: string, email: string) =>
    test.alice.ok('removeParticipant', { params: { applicationId, email } });
  const pay = async (
    applicationId: string,
    comparable_email: string,
    ...payments: [0 | 1, 'pending' | 'affected'][]
  ) => {
    const { db } = test.service.runtime;
    const person = await db('participants').where({ application_id: applicationId, comparable_email }).first('id');
    const participant_id = person?.id ?? '';
    await db('payments').insert(
      payments.map(([is_protected, status]) => ({
        id: randomUUID(),
        participant_id,
        amount: 350.5,
        is_protected,
        status,
        created_at: new Date().toISOString(),
      })),
    );
    return () => db('payments').where({ participant_id }).orderBy('is_protected').select('status');
  };

  it('removes one person, shows the rest with all fields and leaves them unchanged', async () => {
    const applicationId = await create(test.alice, 'o-lead@mail.example', 'o-2@mail.example', 'o-3@mail.example');
    const params = { applicationId, email: 'o-3@mail.example' };
    const before = (await test.alice.ok('updateParticipant', { params, body: { name: 'Eva', is_guarantor: true } }))
      .data;
    const { status, data } = await remove(applicationId, 'O-2@MAIL.example');
    expect(status).to.equal('success');
    expect(data).to.have.all.keys('application_id', 'title', 'participants', 'created_at', 'updated_at');
    expect(data.participants).to.deep.equal(before.participants.filter(({ email }) => email !== 'o-2@mail.example'));
    expect(data).to.include({ application_id: applicationId, title: before.title, created_at: before.created_at });
    expect((await get(applicationId)).participants.map(({ email }) => email)).to.deep.equal([
      'o-lead@mail.example',
      'o-3@mail.example',
    ]);
  });

  it('updates updated_at', async () => {
    const applicationId = await create(test.alice, 'm-lead@mail.example', 'm-2@mail.example');
    const { updated_at } = await get(applicationId);
    await clockPasses(updated_at);
    const { data } = await remove(applicationId, 'm-2@mail.example');
    expect(data.updated_at > updated_at).to.equal(true);
    expect((await get(applicationId)).updated_at).to.equal(data.updated_at);
  });

  it('refuses to remove the lead with 409 and changes nothing, even for the last person', async () => {
    const applicationId = await create(test.alice, 'l-lead@mail.example', 'l-2@mail.example');
    const payments = await pay(applicationId, 'l-lead@mail.example', [1, 'pending']);
    for (const rest of [2, 1]) {
      const before = await get(applicationId);
      for (const email of ['l-lead@mail.example', 'L-LEAD@mail.example']) {
        const { message } = await test.alice.refused('removeParticipant', 409, { params: { applicationId, email } });
        expect(message).to.match(/lead/);
      }
      expect(await get(applicationId)).to.deep.equal(before);
      expect(before.participants).to.have.length(rest);
      if (rest === 2) await remove(applicationId, 'l-2@mail.example');
    }
    expect(await payments()).to.deep.equal([{ status: 'pending' }]);
  });

  it('answers 404 for a person already removed, for a stranger and for an absent application', async () => {
    const applicationId = await create(test.alice, 'n-lead@mail.example', 'n-2@mail.example');
    await remove(applicationId, 'n-2@mail.example');
    for (const params of [
      { applicationId, email: 'n-2@mail.example' },
      { applicationId, email: 'n-stranger@mail.example' },
      { applicationId: 'absent', email: 'n-lead@mail.example' },
    ])
      await test.alice.refused('removeParticipant', 404, { params });
    for (const email of ['nobody', '\0@mail.example'])
      await test.alice.refused('removeParticipant', 400, { params: { applicationId, email } });
  });

  describe('warns', () => {
    let applicationId: string;
    let serial = 0;
    const person = () => `w-${serial}@mail.example`;
    beforeEach(async () => {
      serial += 1;
      applicationId = await create(test.alice, 'w-lead@mail.example', person(), `w-other-${serial}@mail.example`);
    });

    const cases: [string, [0 | 1, 'pending' | 'affected'][], boolean | undefined][] = [
      ['not at all without a payment', [], undefined],
      ['that protection is affected when the pending payment is protected', [[1, 'pending']], true],
      ['that protection is not affected when the pending payment is not protected', [[0, 'pending']], false],
      [
        'that protection is affected when one of several pending payments is protected',
        [
          [0, 'pending'],
          [1, 'pending'],
        ],
        true,
      ],
      ['not at all when no payment is pending any more', [[1, 'affected']], undefined],
      [
        'of pending payments alone',
        [
          [0, 'pending'],
          [1, 'affected'],
        ],
        false,
      ],
    ];
    for (const [what, payments, affected] of cases)
      it(what, async () => {
        const statuses = payments.length > 0 ? await pay(applicationId, person(), ...payments) : async () => [];
        const { data } = await remove(applicationId, person());
        if (affected === undefined) expect(data).to.not.have.property('warnings');
        else expect(data.warnings).to.deep.equal({ service_protect_affected: affected });
        expect(await statuses()).to.deep.equal(payments.map(() => ({ status: 'affected' })));
        expect(await get(applicationId)).to.not.have.property('warnings');
      });

    it('of the removed person’s payments, not of others’', async () => {
      const others = await pay(applicationId, `w-other-${serial}@mail.example`, [1, 'pending']);
      const { data } = await remove(applicationId, person());
      expect(data).to.not.have.property('warnings');
      expect(await others()).to.deep.equal([{ status: 'pending' }]);
    });
  });

  it('ends access to the person: the tenant operations answer 404', async () => {
    const { id: tenantId } = await test.tenant('gone@mail.example', { documents: 1 });
    const applicationId = await create(test.alice, 'g-lead@mail.example', 'gone@mail.example');
    const twin = await create(test.alice, 'g-other@mail.example', 'gone@mail.example');
    await remove(applicationId, 'gone@mail.example');
    await test.alice.ok('runForensic', { params: { tenantId } });
    await remove(twin, 'gone@mail.example');
    const params = { tenantId };
    await test.alice.refused('initiateKyc', 404, { params });
    await test.alice.refused('runForensic', 404, { params });
    await test.alice.refused('initiateEid', 404, { params, body: { redirect_url: 'https://letting.example/' } });
    await create(test.alice, 'g-lead@mail.example', 'gone@mail.example');
    await test.alice.ok('runForensic', { params });
  });

  it('ends the person’s events for the key that removed them, and for no other', async () => {
    const [ours, bobs] = [await Receiver.start(), await Receiver.start()];
    try {
      await test.alice.ok('createWebhook', { body: { url: ours.url } });
      await test.bob.ok('createWebhook', { body: { url: bobs.url } });
      const { id: tenantId } = await test.tenant('silent+kyc-verified@mail.example');
      const { id: leadId } = await test.tenant('s-lead+kyc-verified@mail.example');
      const applicationId = await create(
        test.alice,
        's-lead+kyc-verified@mail.example',
        'silent+kyc-verified@mail.example',
      );
      await create(test.bob, 'silent+kyc-verified@mail.example');
      await remove(applicationId, 'silent+kyc-verified@mail.example');
      await test.bob.ok('initiateKyc', { params: { tenantId } });
      await bobs.next('KYC_VERIFICATION_DATA');
      await test.alice.ok('initiateKyc', { params: { tenantId: leadId } });
      await ours.next('KYC_VERIFICATION_DATA');
      expect(ours.received.map(({ data }) => data?.['tenant_id'])).to.deep.equal([leadId]);
    } finally {
      await Promise.all([ours.stop(), bobs.stop()]);
    }
  });

  it('lets concurrent removals of different people all succeed once each, and the lead stay', async () => {
    const emails = ['c-lead', 'c-2', 'c-3', 'c-4', 'c-5'].map((name) => `${name}@mail.example`);
    const applicationId = await create(test.alice, ...emails);
    const answers = await Promise.all(
      [...emails, ...emails].map(async (email) => {
        const { status } = await test.alice.call('removeParticipant', { params: { applicationId, email } });
        return `${email} ${status}`;
      }),
    );
    const expected = emails.flatMap((email, index) =>
      index === 0 ? [`${email} 409`, `${email} 409`] : [`${email} 200`, `${email} 404`],
    );
    expect(answers.sort()).to.deep.equal(expected.sort());
    expect((await get(applicationId)).participants.map(({ email }) => email)).to.deep.equal(['c-lead@mail.example']);
    // The key of the remaining people is correct, whichever removal came last.
    expect(await create(test.alice, 'c-lead@mail.example')).to.equal(applicationId);
  });
});
