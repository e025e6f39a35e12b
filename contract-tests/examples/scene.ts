import { createApiKey } from '../../db/access/api-keys.ts';
import { createLandlord } from '../../db/access/landlords.ts';
import { setProfile } from '../../db/applications/tenants.ts';
import type { components } from '../../generated/openapi.d.ts';
import type { NamedExample } from '../../harness/contract/named-examples.ts';
import { Client } from '../../harness/service/client.ts';
import type { TestService } from '../../harness/service/service.ts';

type Schemas = components['schemas'];

/** A running service, and a new landlord with an API key. */
export interface Scene {
  test: TestService;
  landlordId: string;
  apiKeyId: string;
  client: Client;
}

/** A request for an example. Omitted parts default to an ordinary caller's. */
export interface Asked {
  /** Path parameters by name, already encoded. */
  params?: Record<string, string>;
  /** With its question mark. */
  query?: string;
  body?: unknown;
  /** Instead of `body`: sent as it is. */
  text?: string;
  headers?: Record<string, string>;
}

/** Sets up the state that the example shows and returns the request for it. */
export type Scenario = (scene: Scene, example: NamedExample) => Promise<Asked> | Asked;

/** By operation, status and name of the example. */
export type Scenarios = Record<string, Scenario>;

export async function startScene(test: TestService): Promise<Scene> {
  const { db } = test.service.runtime;
  // Accounts are found by address, so those of an earlier scene must not appear here.
  const elsewhere = db.raw<string>("id || '@before.example'");
  await db('tenants').update({ email: elsewhere, comparable_email: elsewhere });
  const landlord = await createLandlord(db, 'Casa Clara', new Date());
  const { apiKey, clientSecret } = await createApiKey(db, landlord.id, 'Example', new Date());
  const client = new Client(test.service.url, apiKey.client_id, clientSecret);
  await client.authenticate();
  return { test, landlordId: landlord.id, apiKeyId: apiKey.id, client };
}

type Shown = Schemas['ModularParticipantSummary'] & { is_lead?: boolean; is_guarantor?: boolean };

/** An application with the people of the example, the first as lead, each with the status and account shown. */
export async function openApplication(scene: Scene, title: string, people: readonly Shown[]): Promise<string> {
  const tenants = people.map(({ email }, index) => ({ email, is_lead: index === 0 }));
  const { data } = await scene.client.ok('createApplication', { body: { title, tenants } });
  for (const person of people) await introduce(scene, data.application_id, person);
  return data.application_id;
}

async function introduce({ test, client }: Scene, applicationId: string, person: Shown): Promise<void> {
  const { name, email, is_guarantor = false, consent_status, onboarding_status, id } = person;
  const { db } = test.service.runtime;
  await client.ok('updateParticipant', { params: { applicationId, email }, body: { name, is_guarantor } });
  await db('participants').where({ application_id: applicationId, comparable_email: email }).update({ consent_status });
  if (id === null) return;
  const tenant = await test.tenant(email, { name });
  await setProfile(db, tenant.id, onboarding_status, new Date());
}

/** A tenant whom the scene's key may address. */
export async function openTenant({ test, client, apiKeyId }: Scene, documents = 0): Promise<string> {
  const email = 'marta.ruiz@mail.example';
  await client.ok('createApplication', { body: { title: 'Screening', tenants: [{ email, is_lead: true }] } });
  return (await test.tenant(email, { name: 'Marta Ruiz', documents, apiKeyId })).id;
}
