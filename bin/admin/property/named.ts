import type { Database } from '../../../db/connection/connect.ts';
import type { PropertyRow } from '../../../db/properties/properties.ts';
import type { WorkspaceRow } from '../../../db/properties/workspaces.ts';
import { OperatorError } from '../cli/faults.ts';
import { typed } from '../cli/run-command.ts';

export type NamedProperty = PropertyRow & Pick<WorkspaceRow, 'workspace_id' | 'workspace_name' | 'landlord_id'>;

/** A property by the id that people know, with its workspace. @throws OperatorError when there is none */
export async function namedProperty(db: Database, propertyId: string): Promise<NamedProperty> {
  const found = await db('properties')
    .join('workspaces', 'workspaces.id', 'properties.workspace_internal_id')
    .where('properties.property_id', propertyId)
    .first('properties.*', 'workspace_id', 'workspace_name', 'landlord_id');
  if (!found)
    throw new OperatorError(
      `no property has the id "${propertyId}"; list them with ${typed('property list --landlord <landlord id>')}`,
    );
  return found;
}
