import { Readable } from 'node:stream';
import { isInForce } from '../../../db/access/api-key-states.ts';
import { createApiKey, findApiKeyByClientId } from '../../../db/access/api-keys.ts';
import { hasLandlords, insertLandlordOnce } from '../../../db/access/landlords.ts';
import { insertApplication, type NewParticipant, newApplication } from '../../../db/applications/applications.ts';
import { recordPayment } from '../../../db/applications/payments.ts';
import { addTenant, setProfile } from '../../../db/applications/tenants.ts';
import type { Transaction } from '../../../db/connection/database.ts';
import { addProperty } from '../../../db/properties/properties.ts';
import { addWorkspace } from '../../../db/properties/workspaces.ts';
import { addDocuments, type StoredDocument, storingDocuments } from '../../../jobs/documents/add-document.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import type { DownloadedDocument } from '../../../providers/documents/port.ts';
import { demoPay } from '../../../providers/sandbox/demo-pay.ts';
import { sampleDocument } from '../../../providers/sandbox/sample-document.ts';
import { type DemoCredentials, readDemoCredentials, writeDemoCredentials } from './demo-credentials.ts';

/** The ids of the contract's examples, so that these work in every sandbox as they stand; equal after each start over. */
const ids = {
  application: '0b6f2f43-6f0b-4b8f-9c0f-5a4f2b1d7e90',
  lead: '5d0c2a8e-3f57-4a4e-8f7e-0d6c1b2a3948',
  verified: '5d0c2a8e-3f57-4a4e-8f7e-0d6c1b2a3949',
  rejected: '5d0c2a8e-3f57-4a4e-8f7e-0d6c1b2a394a',
  error: '5d0c2a8e-3f57-4a4e-8f7e-0d6c1b2a394b',
  left: '5d0c2a8e-3f57-4a4e-8f7e-0d6c1b2a394c',
  madrid: '7a1e0c56-2b9d-4f6e-9d3c-8e5f4a3b2c1d',
  valencia: 'c0a8012e-5d4b-4c3a-8b2f-1e0d9c8b7a65',
  flat: '3f2b1a09-8c7d-4e6f-a5b4-c3d2e1f00918',
};

const PAYSLIP_MONTHS = ['January', 'February'];

const people = {
  lead: { email: 'marta.ruiz@mail.example', name: 'Marta Ruiz' },
  guest: { email: 'jonas.weber@mail.example', name: 'Jonas Weber' },
};

/** People whose verifications end automatically, each with a different outcome. */
const unattended = {
  verified: { email: 'vera.lind+kyc-verified+eid-verified@mail.example', name: 'Vera Lind' },
  rejected: { email: 'rosa.blanco+kyc-rejected+eid-failed@mail.example', name: 'Rosa Blanco' },
  error: { email: 'elio.conti+kyc-error+eid-cancelled@mail.example', name: 'Elio Conti' },
  left: { email: 'lars.holm+kyc-left@mail.example', name: 'Lars Holm' },
};

/**
 * Provisions an empty sandbox: a landlord with an API key, workspaces and properties, tenants with documents, and an
 * application with a pending payment. Keeps the credentials in `demo.env` of the data folder. Later starts only
 * refresh the address in it.
 * @param url the service's own address
 */
export async function provideDemo(
  runtime: Pick<Runtime, 'db' | 'queue' | 'providers' | 'now' | 'log'>,
  dataDir: string,
  url: string,
): Promise<DemoCredentials | undefined> {
  const { db } = runtime;
  const keep = (credentials: DemoCredentials) =>
    writeDemoCredentials(dataDir, { ...credentials, BASE_URL: `${url}/api/v1` });
  const kept = await readDemoCredentials(dataDir);
  const key = kept && (await findApiKeyByClientId(db, kept.CLIENT_ID));
  if (key && isInForce(key, runtime.now())) return keep(kept);
  if (await hasLandlords(db)) return undefined;
  // The secret is known only here, so the file is written within the transaction: both exist or neither.
  const documents = [...payslips(people.lead.name), ...payslips(unattended.verified.name)];
  return storingDocuments(runtime, documents, async (trx, stored) => {
    const credentials = (await seed(trx, runtime, stored)) ?? (await readDemoCredentials(dataDir));
    return credentials && keep(credentials);
  });
}

function payslips(name: string): DownloadedDocument[] {
  const figure = (cents: number) => (cents / 100).toLocaleString('en', { minimumFractionDigits: 2 });
  const { gross, deductions, net } = demoPay(name);
  return PAYSLIP_MONTHS.map((month) => {
    const pay = [`Gross pay ${figure(gross)}`, `Deductions ${figure(deductions)}`, `Net pay ${figure(net)}`];
    const lines = [`Payslip ${month} (sample)`, name, ...pay];
    return { name: `payslip-${month.toLowerCase()}.pdf`, content: Readable.from([sampleDocument(lines)]) };
  });
}

/** The fixed id decides a race between starting processes: one inserts, the losers read its credentials. */
async function seed(
  trx: Transaction,
  { queue, now }: Pick<Runtime, 'queue' | 'now'>,
  documents: StoredDocument[],
): Promise<DemoCredentials | undefined> {
  const moment = now();
  const landlord = { id: 'demo-lettings', name: 'Demo Lettings', created_at: moment.toISOString() };
  if (!(await insertLandlordOnce(trx, landlord))) return undefined;
  const { apiKey, clientSecret } = await createApiKey(trx, landlord.id, 'Demo integration', moment);
  const tenantId = await seedTenants(trx, moment);
  const applicationId = await seedApplication(trx, apiKey.id, moment);
  const others = await seedUnattended(trx, apiKey.id, moment);
  // Different documents for each person: identical documents of two unrelated people would be a forensic finding.
  for (const [place, id] of [tenantId, others.VERIFIED_TENANT_ID].entries()) {
    const own = documents.slice(place * PAYSLIP_MONTHS.length, (place + 1) * PAYSLIP_MONTHS.length);
    await addDocuments(trx, queue, { tenant_id: id, api_key_id: apiKey.id }, own, 'operator', moment);
  }
  return {
    BASE_URL: '',
    CLIENT_ID: apiKey.client_id,
    CLIENT_SECRET: clientSecret,
    APPLICATION_ID: applicationId,
    TENANT_ID: tenantId,
    ...others,
    ...(await seedProperties(trx, landlord.id, moment)),
  };
}

async function seedTenants(trx: Transaction, now: Date): Promise<string> {
  const { tenant } = await addTenant(trx, people.lead, now, ids.lead);
  await addTenant(trx, people.guest, now);
  await setProfile(trx, tenant.id, 'COMPLETED', now);
  return tenant.id;
}

async function seedUnattended(trx: Transaction, apiKeyId: string, now: Date) {
  const members = Object.values(unattended).map((person, index) => ({ ...person, isLead: index === 0 }));
  await insertApplication(trx, newApplication(apiKeyId, 'Every outcome without a click', members, now));
  const account = async (who: keyof typeof unattended) =>
    (await addTenant(trx, unattended[who], now, ids[who])).tenant.id;
  return {
    VERIFIED_TENANT_ID: await account('verified'),
    REJECTED_TENANT_ID: await account('rejected'),
    ERROR_TENANT_ID: await account('error'),
    LEFT_TENANT_ID: await account('left'),
  };
}

/** An application whose invited participant has a protected payment pending. */
async function seedApplication(trx: Transaction, apiKeyId: string, now: Date): Promise<string> {
  const members: NewParticipant[] = [
    { ...people.lead, isLead: true, consentStatus: 'accepted' },
    { ...people.guest, isLead: false },
  ];
  const application = newApplication(apiKeyId, 'Flat on Calle de Alcalá 42', members, now, ids.application);
  await insertApplication(trx, application);
  await recordPayment(
    trx,
    { applicationId: application.id, email: people.guest.email, amount: 1450.5, isProtected: true },
    now,
  );
  return application.id;
}

async function seedProperties(trx: Transaction, landlordId: string, now: Date) {
  const madrid = await addWorkspace(trx, landlordId, 'Madrid centre', now, ids.madrid);
  await addWorkspace(trx, landlordId, 'Valencia coast', now, ids.valencia);
  const flat = await addProperty(trx, madrid, {
    property_id: ids.flat,
    property_reference: 'MAD-ALC-42-3B',
    rent_amount: 1450.5,
    street: 'Calle de Alcalá',
    street_number: 42,
    entrance_stairwell: 'A',
    floor: 3,
    letter: 'B',
    postal_code: '28014',
    municipality: 'Madrid',
    province: 'Madrid',
    bedrooms: 2,
    bathrooms: 1,
  });
  return { WORKSPACE_ID: madrid.workspace_id, PROPERTY_ID: flat.property_id };
}
