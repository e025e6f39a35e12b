import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createApiKey } from '../../db/access/api-keys.ts';
import { type ContractOperation, operations } from '../../harness/contract/contract.ts';
import { buildRequest, namesIn } from '../../harness/contract/requests.ts';
import { databases, isNightly } from '../../harness/database/dialect.ts';
import { workDone } from '../../harness/database/open-work.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { readMails } from '../../harness/peers/mailbox.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { Client } from '../../harness/service/client.ts';
import { emitTestEvent } from '../../harness/service/deliveries.ts';
import { holdPerson } from '../../harness/service/held-person.ts';
import { rowsOfKey } from '../../harness/service/key-rows.ts';
import { look, onboardingPath } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { addFlat } from '../../harness/service/stage.ts';

databases('either');

const WORD = 'Quillfeather';

/** The owner of the resource that each parameter names. Add each new parameter of the contract here. */
const OWNERS: Record<string, 'key' | 'person' | 'landlord'> = {
  ...{ applicationId: 'key', email: 'key', tenantId: 'person', property_id: 'landlord', workspace_id: 'landlord' },
};

/** The person's state in the stranger's own application; `none` means no application. */
const STATES = ['none', 'pending', 'accepted', 'rejected'] as const;

/** The role only changes the stranger's own application, so the daily run tries each state in one role. */
function rolesIn(state: (typeof STATES)[number]): boolean[] {
  if (state === 'none') return [false];
  return isNightly ? [true, false] : [state === 'accepted'];
}

/** Calls every operation of the contract with another key than the one that created the resources. */
describe('isolation between API keys', () => {
  const test = useService();
  const [alices, strangers] = [suiteFixture(() => Receiver.start()), suiteFixture(() => Receiver.start())];
  const person = suiteFixture(() => holdPerson(test, alices, WORD));
  let [aliceId, markers, values, twins]: [string, string[], Record<string, string>, number] = ['', [], {}, 0];

  before(async () => {
    const { db } = test.service.runtime;
    aliceId = (await db('api_keys').where({ client_id: test.alice.clientId }).first('id'))?.id ?? '';
    const ids =
      Object.values(await rowsOfKey(db, aliceId))
        .flat()
        .join()
        .match(/(?<="id":")[^"]+/g) ?? [];
    const words = ['first', 'last', 'payslip', 'content', 'back', 'answer', 'alone'].map((part) => `${WORD}-${part}`);
    markers = [...new Set(ids), ...words, person.friend, 'Calle M', 'Calle Otra'];
    // The account belongs to the person; the name in Alice's applications belongs to Alice.
    await db('tenants').where({ id: person.tenantId }).update({ name: 'Account Name' });
    const flat = await addFlat(test);
    values = { applicationId: person.applications.led, email: person.email, tenantId: person.tenantId, ...flat };
  });

  const newKey = async (landlordId: string) => {
    const { apiKey, clientSecret } = await createApiKey(test.service.runtime.db, landlordId, 'Stranger', new Date());
    const client = new Client(test.service.url, apiKey.client_id, clientSecret);
    await client.authenticate();
    return client;
  };
  const ask = async (client: Client, operation: ContractOperation, given: Record<string, string>) => {
    const { method, path, body } = buildRequest(operation, given, strangers.url);
    const isLogin = operation.operationId === 'generateToken';
    const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
    const authorization = isLogin ? `Basic ${basic}` : `Bearer ${client.token}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const { status, text } = await client.raw(method, path, { headers, ...(body === undefined ? {} : { body }) });
    return { status, text };
  };
  /** The stranger's application with the person, in the given state. */
  const include = async (client: Client, email: string, isLead: boolean, state: (typeof STATES)[number]) => {
    if (state === 'none') return;
    const other = { email: `other-${randomUUID()}@mail.example`, is_lead: !isLead };
    const tenants = [{ email, is_lead: isLead }, other];
    const { application_id } = (await client.ok('createApplication', { body: { title: 'Own flat', tenants } })).data;
    const found = test.service.runtime
      .db('participants')
      .where({ application_id, comparable_email: email.toLowerCase() });
    expect(await found.update({ consent_status: state })).to.equal(1);
    return application_id;
  };
  const hide = (text: string) => {
    const shown = markers.filter((marker) => text.toLowerCase().includes(marker.toLowerCase()));
    expect(shown, text).to.deep.equal([]);
  };
  /** An answer without its random parts. */
  const masked = ({ status, text }: { status: number; text: string }) => ({
    status,
    text: text.replace(/[\w-]{20,}/g, '…'),
  });

  for (const landlord of ['ours', 'other'] as const)
    for (const state of STATES)
      for (const isLead of rolesIn(state))
        it(`hides everything from ${landlord === 'ours' ? 'another key of the landlord' : 'another landlord'}: ${state}${isLead ? ', lead' : ''}`, async () => {
          const { db } = test.service.runtime;
          const [before, mailed] = [await rowsOfKey(db, aliceId), await readMails(test.folder)];
          const [heard, had] = [strangers.received.length, alices.received.length];
          const client = await newKey(test.landlords[landlord]);
          const twin = await test.tenant(`twin-${twins++}+kyc-verified+eid-verified@mail.example`);
          const own = await include(client, person.email, isLead, state);
          await include(client, twin.email, isLead, state);
          const said: string[] = [];
          // In reverse, because a finished verification already changes run-forensic's answer; twice, because a finished analysis changes
          // it too.
          for (const operation of [...operations].reverse().concat([...operations].reverse())) {
            const { operationId } = operation;
            const absent = {
              ...Object.fromEntries(Object.keys(values).map((name) => [name, randomUUID()])),
              email: 'nobody@mail.example',
            };
            const owners = namesIn(operation).map((name) => OWNERS[name] ?? expect.fail(`${name} has no owner`));
            const answer = await ask(client, operation, values);
            said.push(answer.text);
            if (owners.includes('key') || (owners.includes('landlord') && landlord === 'other')) {
              expect(answer.status, operationId).to.equal(404);
              expect(answer, operationId).to.deep.equal(await ask(client, operation, absent));
            } else if (owners.includes('person')) {
              const asTwin = await ask(client, operation, { ...values, tenantId: twin.id });
              const asAbsent = await ask(client, operation, absent);
              const isHidden = state === 'none' || state === 'rejected';
              expect(answer.status === 404, operationId).to.equal(isHidden);
              expect(asAbsent.status, operationId).to.equal(404);
              if (isHidden) expect(answer, operationId).to.deep.equal(asAbsent);
              expect(masked(answer), operationId).to.deep.equal(masked(asTwin));
            } else expect(answer.status, operationId).to.equal(200);
            if (operation === operations[0]) await workDone(test.service.runtime.db);
          }
          await workDone(test.service.runtime.db);
          if (own && state !== 'rejected')
            said.push((await look(test, await onboardingPath(test, own, person.email))).text);
          const mails = [...(await readMails(test.folder))]
            .filter(([name]) => !mailed.has(name))
            .map(([, mail]) => mail);
          said.push(...mails);
          // The events of the stranger's own application did arrive.
          if (state === 'pending') expect(mails.join()).to.include('Own flat');
          if (own && state !== 'rejected') {
            const events = strangers.received.slice(heard).filter(({ data }) => data?.['tenant_id'] === twin.id);
            expect(events.map(({ event }) => event)).to.include('KYC_VERIFICATION_DATA');
          }
          const links = said.join('\n').match(/https?:\/\/[^\s"<>\\]+/g) ?? [];
          for (const link of new Set(links.filter((one) => one.startsWith(test.service.url)))) {
            const page = await fetch(link, { redirect: 'manual' });
            said.push(await page.text(), page.headers.get('location') ?? '');
          }
          said.push(...strangers.received.slice(heard).map(({ body }) => body));
          for (const text of said) hide(text);
          if (landlord === 'other') for (const text of said) expect(text).to.not.include('Casa Clara');
          expect(await rowsOfKey(db, aliceId)).to.deep.equal(before);
          expect(alices.received.slice(had)).to.deep.equal([]);
          const all = strangers.received.length;
          await emitTestEvent(test, person.tenantId);
          await workDone(test.service.runtime.db);
          expect([strangers.received.length, alices.received.length]).to.deep.equal([all, had + 1]);
        });
});
