import { NotFound } from '../../core/errors.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { countRows } from '../connection/queries/counts.ts';
import type { ShortTransaction } from '../connection/short-transaction.ts';
import { touchApplication } from './applications.ts';

/** The internal id of the property with the given identifier, if it is of the landlord of the application in the surrounding query. */
const OWN_PROPERTY = `(select properties.id from properties
  join workspaces on workspaces.id = properties.workspace_internal_id
  join api_keys on api_keys.landlord_id = workspaces.landlord_id
  where api_keys.id = applications.api_key_id and properties.property_id = ?)`;

const ownProperty = prepared<{ id: number | null }>(
  `select ${OWN_PROPERTY} as id from applications where applications.id = ?`,
);

const linkedNew = prepared(`update applications set property_internal_id = ${OWN_PROPERTY} where applications.id = ?`);

/** Links an application that is being created, as `linkProperty` does. A no-op for one that was not inserted, or without the property. */
export async function linkNewApplication(
  trx: ShortTransaction,
  applicationId: string,
  propertyId: string,
): Promise<void> {
  await linkedNew(trx, propertyId, applicationId);
}

/**
 * Links a locked application to a property of its landlord, or to none (product document 4.2, rule 2). A property of
 * another landlord is not found.
 * @returns false when the link did not change
 * @throws NotFound
 */
export async function linkProperty(
  trx: Transaction,
  applicationId: string,
  propertyId: string | null,
  now: Date,
): Promise<boolean> {
  const internalId = propertyId === null ? null : await internalIdOf(trx, applicationId, propertyId);
  const application = await trx('applications').where({ id: applicationId }).first('property_internal_id');
  if (application?.property_internal_id === internalId) return false;
  await trx('applications').where({ id: applicationId }).update({ property_internal_id: internalId });
  await touchApplication(trx, applicationId, now);
  return true;
}

async function internalIdOf(trx: Transaction, applicationId: string, propertyId: string): Promise<number> {
  const [property] = await ownProperty(trx, propertyId, applicationId);
  if (property?.id == null) throw new NotFound('Property');
  return property.id;
}

/** The application's API key, and the monthly rent of its property, in cents; undefined without a property or a rent. @throws NotFound */
export async function findRent(
  db: Database,
  applicationId: string,
): Promise<{ apiKeyId: string; rentCents: number | undefined }> {
  const row = await db('applications')
    .leftJoin('properties', 'properties.id', 'applications.property_internal_id')
    .where('applications.id', applicationId)
    .first('applications.api_key_id', 'properties.rent_amount');
  if (!row) throw new NotFound('Application');
  const { api_key_id, rent_amount } = row;
  return { apiKeyId: api_key_id, rentCents: rent_amount === null ? undefined : Math.round(rent_amount * 100) };
}

export async function countApplicationsAbout(db: Database, propertyInternalId: number): Promise<number> {
  return countRows(db('applications').where({ property_internal_id: propertyInternalId }));
}

/** The id of an application that is linked to a property. */
export async function findApplicationAbout(db: Database, propertyInternalId: number): Promise<string | undefined> {
  return (await db('applications').where({ property_internal_id: propertyInternalId }).first('id'))?.id;
}

/** The address of an application's property, as one line; undefined without one. */
export async function findLinkedAddress(db: Database, applicationId: string): Promise<string | undefined> {
  const row = await db('applications')
    .join('properties', 'properties.id', 'applications.property_internal_id')
    .where('applications.id', applicationId)
    .first(
      ...(['property_reference', 'street', 'street_number', 'entrance_stairwell', 'floor', 'letter'] as const),
      ...(['postal_code', 'municipality'] as const),
    );
  if (!row) return undefined;
  const joined = (...parts: (string | number | null)[]) =>
    parts.filter((part) => part !== null && part !== '').join(' ');
  const address = [
    joined(row.street, row.street_number, row.entrance_stairwell, row.floor, row.letter),
    joined(row.postal_code, row.municipality),
  ].filter(Boolean);
  return address.length > 0 ? address.join(', ') : (row.property_reference ?? undefined);
}
