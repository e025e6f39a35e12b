import { Readable } from 'node:stream';
import { newId } from '../../core/ids.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import { recordPayment } from '../../db/applications/payments.ts';
import { addTenant, setProfile } from '../../db/applications/tenants.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';
import { workDone } from '../database/open-work.ts';
import type { Receiver } from '../peers/receiver.ts';
import { BACK } from './eid-world.ts';
import type { TestService } from './service.ts';
import { ofTheirKey } from './tenant-of-key.ts';

/** A person with data in every place that can hold some, each marked by a unique word. */
interface HeldPerson {
  email: string;
  name: string;
  /** Other people in their applications; none of them is lead where they take part. */
  friend: string;
  tenantId: string;
  applications: { led: string; invitedTo: string; alone: string; left: string };
  /** What must be gone everywhere once they are erased. */
  words: string[];
}

/** Takes a person through everything that the service does with one. */
export async function holdPerson(test: TestService, receiver: Receiver, word: string): Promise<HeldPerson> {
  const { runtime } = test.service;
  const { db } = runtime;
  const email = `${word}-Mail+kyc-verified+eid-verified@mail.example`;
  const name = `${word}-first ${word}-last`;
  const friend = `friend-of-somebody-${newId().slice(-8)}@mail.example`;
  receiver.answer = () => ({ status: 200, body: `${word}-answer ${receiver.received.at(-1)?.body}` });
  await test.alice.ok('createWebhook', { body: { url: receiver.url, secret: 'a secret' } });
  const create = async (title: string, tenants: { email: string; is_lead: boolean }[]) =>
    (await test.alice.ok('createApplication', { body: { title, tenants } })).data.application_id;
  const lead = (address: string) => ({ email: address, is_lead: true });
  const guest = (address: string) => ({ email: address, is_lead: false });
  const led = await create(`Calle Mayor 1, ${name} (${email})`, [lead(email), guest(friend)]);
  const invitedTo = await create('Calle Menor 2', [lead(friend), guest(email), guest(`second-${friend}`)]);
  const alone = await create(`${word}-alone`, [lead(email)]);
  const third = `third-${friend}`;
  const left = await create('Calle Otra 3', [lead(friend), guest(email), guest(third)]);
  await test.alice.ok('updateParticipant', {
    params: { applicationId: led, email },
    body: { name, is_guarantor: true },
  });
  await inTransaction(db, async (trx) => {
    for (const [applicationId, isProtected] of [[led, true] as const, [invitedTo, false] as const])
      await recordPayment(trx, { applicationId, email, amount: 1450.5, isProtected }, new Date());
  });
  await test.alice.ok('removeParticipant', { params: { applicationId: left, email } });
  const { tenant } = await inTransaction(db, (trx) => addTenant(trx, { email, name }, new Date()));
  await setProfile(db, tenant.id, 'COMPLETED', new Date());
  await addDocument(test, tenant.id, `${word}-payslip.pdf`, `${word}-content`);
  await linkOnboarding(test, tenant.comparable_email);
  const params = { tenantId: tenant.id };
  await test.alice.ok('initiateEid', { params, body: { redirect_url: `${BACK}?who=${word}-back` } });
  await test.alice.ok('initiateKyc', { params });
  await workDone(db);
  const told = await db('deliveries').where({ status: 'delivered' }).select('id');
  if (told.length < 3) throw new Error(`Only ${told.length} events were delivered.`);
  const { id, comparable_email } = tenant;
  return {
    ...{ email, name, friend, tenantId: id, applications: { led, invitedTo, alone, left } },
    words: [word, comparable_email, email],
  };
}

export async function addDocument({ service }: TestService, tenantId: string, name: string, text: string) {
  const { runtime } = service;
  const content = Readable.from([sampleDocument([text])]);
  return storingDocuments(runtime, [{ name, content }], async (trx, stored) =>
    addDocuments(trx, runtime.queue, await ofTheirKey(trx, tenantId), stored, 'operator', new Date()),
  );
}

async function linkOnboarding({ service: { runtime } }: TestService, comparable_email: string): Promise<void> {
  const participant = await runtime.db('participants').where({ comparable_email }).first('id');
  await runtime.db('onboarding_links').insert({
    id: newId(),
    participant_id: participant?.id ?? '',
    token_hash: hashSecret(newId()),
    expires_at: new Date(Date.now() + 60_000).toISOString(),
    used_at: null,
    created_at: new Date().toISOString(),
  });
}
