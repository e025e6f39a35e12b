import { Conflict } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/connect.ts';

export interface WorkspaceRow {
  id: number;
  workspace_id: string;
  landlord_id: string;
  workspace_name: string;
  created_at: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    workspaces: WorkspaceRow;
  }
}

export function findWorkspaces(db: Database, landlordId: string): Promise<WorkspaceRow[]> {
  return db('workspaces').where({ landlord_id: landlordId }).orderBy('workspace_name').orderBy('workspace_id');
}

/**
 * A new workspace, or the landlord's workspace of that UUID with its name changed. UUIDs are kept in lower case.
 * @throws Conflict when the UUID is taken by another landlord
 */
export async function addWorkspace(
  trx: Transaction,
  landlordId: string,
  name: string,
  now: Date,
  workspaceId: string = newId(),
): Promise<WorkspaceRow> {
  const workspace_id = workspaceId.toLowerCase();
  const [workspace] = await trx('workspaces')
    .insert({ workspace_id, landlord_id: landlordId, workspace_name: name, created_at: now.toISOString() })
    .onConflict('workspace_id')
    .merge({ workspace_name: name })
    .where('workspaces.landlord_id', landlordId)
    .returning('*');
  if (!workspace) throw new Conflict(`The workspace ${workspace_id} belongs to another landlord.`);
  return workspace;
}

/** The landlord's workspaces of a name; names need not differ. */
export function findWorkspacesByName(db: Database, landlordId: string, name: string): Promise<WorkspaceRow[]> {
  return db('workspaces').where({ landlord_id: landlordId, workspace_name: name });
}
