import { Conflict, NotFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/connect.ts';
import type { WorkspaceRow } from './workspaces.ts';
export interface PropertyRow {
  id: number;
  property_id: string;
  workspace_internal_id: number;
  property_reference: string | null;
  rent_amount: number | null;
  street: string | null;
  street_number: number | null;
  entrance_stairwell: string | null;
  floor: number | null;
  letter: string | null;
  postal_code: string | null;
  municipality: string | null;
  province: string | null;
  bedrooms: number | null;
  bathrooms: number | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    properties: PropertyRow;
  }
}

/**
 * A new property, or the landlord's property of that id with the given fields changed and moved to the workspace. What
 * the fields leave out stays as it is.
 * @throws Conflict when the id is taken by another landlord
 */
export async function addProperty(
  trx: Transaction,
  workspace: WorkspaceRow,
  fields: Partial<Omit<PropertyRow, 'id' | 'workspace_internal_id'>>,
): Promise<PropertyRow> {
  const { property_id = newId(), ...rest } = fields;
  const columns = { ...rest, workspace_internal_id: workspace.id };
  const [property] = await trx('properties')
    .insert({ property_id, ...columns })
    .onConflict('property_id')
    .merge(columns)
    .whereIn(
      'properties.workspace_internal_id',
      trx('workspaces').where({ landlord_id: workspace.landlord_id }).select('id'),
    )
    .returning('*');
  if (!property) throw new Conflict(`The property ${property_id} belongs to another landlord.`);
  return property;
}

/**
 * Forgets a property that no application is about.
 * @returns whether it was there, and was forgotten
 */
export async function deleteProperty(trx: Transaction, id: number): Promise<boolean> {
  const linked = trx('applications').where({ property_internal_id: id }).select('id');
  return (await trx('properties').where({ id }).whereNotExists(linked).delete()) === 1;
}

/** A property of a landlord's workspace, both addressed by public identifiers alone. @throws NotFound */
export async function findProperty(
  db: Database,
  landlordId: string,
  workspaceId: string,
  propertyId: string,
): Promise<PropertyRow> {
  const property = await db('properties')
    .join('workspaces', 'workspaces.id', 'properties.workspace_internal_id')
    .where('workspaces.landlord_id', landlordId)
    .where('workspaces.workspace_id', workspaceId)
    .where('properties.property_id', propertyId)
    .first('properties.*');
  if (!property) throw new NotFound('Property');
  return property;
}
