import { createApiKey } from '../../db/access/api-keys.ts';
import type { Database } from '../../db/connection/database.ts';
import { bulkId, inBulk } from '../../harness/database/bulk-rows.ts';
import { addApplications, addDocuments, addLandlords, addLinks } from './gathered-people.ts';
import { addAuditEntries, addChecks, addDeliveries, addJobs } from './gathered-work.ts';
import { Gathering } from './gathering.ts';

/** The retention period in days. A few rows of every table are older. */
export const KEPT_DAYS = 364;

/** The landlord of the key that calls. */
const LANDLORD = bulkId('landlord', 500);

/** Rows that belong to the calling key. */
export const ours = {
  workspaceId: bulkId('workspace', 499),
  propertyId: bulkId('property', 498),
  /** Applications without removed participants, each with the accounts of two participants. */
  applications: Array.from({ length: 1_000 }, (_, index) => 5 * (index + 1))
    .map((number) => ({ number, lead: 3 * number - 2, second: 3 * number - 1 }))
    .filter(({ lead, second }) => lead % 11 !== 0 && second % 11 !== 0)
    .map(({ number, lead, second }) => ({
      applicationId: bulkId('application', number),
      tenantIds: [bulkId('tenant', lead), bulkId('tenant', second)] as const,
      emails: [`person${lead}@bulk.example`, `person${second}@bulk.example`] as const,
    })),
};

/**
 * A service's data after a year: every growing table has too many rows to read them all, and one key has every fifth application.
 * Statistics are up to date.
 * @returns the credentials of that key
 */
export async function fill(db: Database): Promise<{ clientId: string; clientSecret: string }> {
  let credentials = { clientId: '', clientSecret: '' };
  await inBulk(db, async (trx) => {
    const { apiKey, clientSecret } = await createApiKey(trx, LANDLORD, 'Caller', new Date());
    credentials = { clientId: apiKey.client_id, clientSecret };
    const to = new Gathering(trx);
    await addLandlords(to);
    await addApplications(to, apiKey.id);
    await addLinks(to);
    await addDocuments(to);
    await addChecks(to);
    await addDeliveries(to);
    await addAuditEntries(to, apiKey.id);
    await addJobs(to);
  });
  await db.raw('analyze');
  return credentials;
}
