import { Conflict, NotFound } from '../../core/errors.ts';
import { canonicalId, newId } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { keyRead, type ReadForCaller } from '../connection/queries/key-reads.ts';
import { among } from '../connection/queries/many-values.ts';
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

/** An existing property moves to the given workspace and keeps omitted values. @throws Conflict when another landlord has the id */
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

/** Deletes a property that no application refers to. @returns whether it was deleted */
export async function deleteProperty(trx: Transaction, id: number): Promise<boolean> {
  const linked = trx('applications').where({ property_internal_id: id }).select('id');
  return (await trx('properties').where({ id }).whereNotExists(linked).delete()) === 1;
}

/** What integrators see of a property. */
export type PropertyFields = Omit<PropertyRow, 'id' | 'workspace_internal_id'>;

const FIELDS: Record<keyof PropertyFields, true> = {
  ...{ property_id: true, property_reference: true, rent_amount: true, street: true, street_number: true },
  ...{ entrance_stairwell: true, floor: true, letter: true, postal_code: true, municipality: true, province: true },
  ...{ bedrooms: true, bathrooms: true },
};

/** Earlier versions imported two forms of one identifier as two properties. */
const propertyInWorkspace = keyRead<PropertyFields>(
  ({ object }) => `select ${object(FIELDS)} from properties where property_id in (?, ?) and workspace_internal_id = (
      select workspaces.id from workspaces where workspaces.workspace_id = ? and workspaces.landlord_id = api_keys.landlord_id
    ) order by property_id desc limit 1`,
);

/** A property in a workspace of a key's landlord, both by public identifier. @throws NotFound */
export async function findProperty(
  read: ReadForCaller,
  workspaceId: string,
  propertyId: string,
): Promise<PropertyFields> {
  const [form = propertyId, other = form] = storedForms(propertyId);
  const property = await read(propertyInWorkspace, form, other, workspaceId);
  if (!property) throw new NotFound('Property');
  return property;
}

/** UUIDs are stored in lower case, except for properties that earlier versions imported in capitals. */
function storedForms(propertyId: string): string[] {
  const capitals = propertyId.toUpperCase();
  const isUuid = canonicalId(capitals) !== capitals;
  return isUuid ? [canonicalId(propertyId), capitals] : [propertyId];
}

export type ListedProperty = PropertyRow & Pick<WorkspaceRow, 'workspace_id' | 'workspace_name' | 'landlord_id'>;

export function findListedProperty(db: Database, propertyId: string): Promise<ListedProperty | undefined> {
  return db('properties')
    .join('workspaces', 'workspaces.id', 'properties.workspace_internal_id')
    .whereIn('properties.property_id', storedForms(propertyId))
    .first('properties.*', 'workspace_id', 'workspace_name', 'landlord_id');
}

export type NamedProperty = Pick<PropertyRow, 'id' | 'property_id' | 'property_reference'>;

/**
 * The properties of a landlord that people name by identifier or reference. @returns what a name means: at most one with this identifier, or
 * else all with this reference
 */
export async function findNamedProperties(
  db: Database,
  landlordId: string,
  names: readonly string[],
): Promise<(name: string) => readonly NamedProperty[]> {
  const own = () =>
    db('properties')
      .join('workspaces', 'workspaces.id', 'properties.workspace_internal_id')
      .where({ landlord_id: landlordId })
      .select('properties.id', 'property_id', 'property_reference');
  // Two statements: no index serves both conditions.
  const byId: NamedProperty[] = await own().where(among(db, 'property_id', names.flatMap(storedForms)));
  const byReference: NamedProperty[] = await own().where(among(db, 'property_reference', names));
  return (name) => {
    const forms = storedForms(name);
    const identified = byId.filter(({ property_id }) => forms.includes(property_id));
    return identified.length > 0
      ? identified
      : byReference.filter(({ property_reference }) => property_reference === name);
  };
}

export interface PropertyFilter {
  landlordId: string;
  workspaceId?: string | undefined;
  /** Internal id of the property after which the list continues. */
  after?: number | undefined;
}

const LISTED = [
  'property_id',
  'property_reference',
  'street',
  'municipality',
  'workspace_id',
  'workspace_name',
] as const;

/** Newest first. */
export function listProperties(
  db: Database,
  { landlordId, workspaceId, after }: PropertyFilter,
  limit: number,
): Promise<Pick<ListedProperty, (typeof LISTED)[number]>[]> {
  const found = db('properties')
    .join('workspaces', 'workspaces.id', 'properties.workspace_internal_id')
    .where({ landlord_id: landlordId })
    .orderBy('properties.id', 'desc')
    .limit(limit);
  if (workspaceId !== undefined) found.where({ workspace_id: workspaceId.toLowerCase() });
  if (after !== undefined) found.where('properties.id', '<', after);
  return found.select(...LISTED);
}
