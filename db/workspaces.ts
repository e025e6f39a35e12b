import { NotFound } from '../core/errors.ts';
import type { Database } from './connect.ts';
import type { PropertyRow, WorkspaceRow } from './rows.ts';

export function findWorkspaces(db: Database, landlordId: string): Promise<WorkspaceRow[]> {
  return db('workspaces').where({ landlord_id: landlordId }).orderBy('workspace_name').orderBy('workspace_id');
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
