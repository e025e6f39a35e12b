import { Conflict } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { countGroups } from '../connection/queries/counts.ts';
import { keyRead, type ReadForCaller } from '../connection/queries/key-reads.ts';
import { newestFirst } from '../connection/queries/newest-first.ts';

export interface WorkspaceRow {
  id: number;
  workspace_id: string;
  landlord_id: string;
  workspace_name: string;
  created_at: string;
}

/** The first by name. */
export function findWorkspaces(db: Database, landlordId: string, limit: number): Promise<WorkspaceRow[]> {
  return workspacesOf(db, landlordId).limit(limit);
}

type WorkspaceName = Pick<WorkspaceRow, 'workspace_id' | 'workspace_name'>;

const workspaceNames = keyRead<WorkspaceName[]>(({ object, list }) => {
  const workspace = object({ workspace_id: true, workspace_name: true });
  return `select ${list(workspace, 'workspace_name, workspace_id')} from workspaces where workspaces.landlord_id = api_keys.landlord_id`;
});

/** All of the landlord of the caller's key. */
export async function findWorkspaceNames(read: ReadForCaller): Promise<WorkspaceName[]> {
  return (await read(workspaceNames)) ?? [];
}

function workspacesOf(db: Database, landlordId: string) {
  return db('workspaces').where({ landlord_id: landlordId }).orderBy('workspace_name').orderBy('workspace_id');
}

/** Creates or renames; UUIDs are lower case. @throws Conflict when another landlord has the UUID */
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

/** The landlord's workspaces with a name; names are not unique. */
export function findWorkspacesByName(db: Database, landlordId: string, name: string): Promise<WorkspaceRow[]> {
  return db('workspaces').where({ landlord_id: landlordId, workspace_name: name });
}

export type ListedWorkspace = WorkspaceRow & { landlord_name: string };

/** Newest first. */
export function listWorkspaces(
  db: Database,
  { landlordId }: { landlordId?: string | undefined },
  limit: number,
): Promise<ListedWorkspace[]> {
  const chosen = workspacesWithLandlords(db).limit(limit);
  return landlordId === undefined ? chosen : chosen.where({ landlord_id: landlordId });
}

export function findListedWorkspace(db: Database, workspaceId: string): Promise<ListedWorkspace | undefined> {
  return workspacesWithLandlords(db).where({ workspace_id: workspaceId.toLowerCase() }).first();
}

function workspacesWithLandlords(db: Database) {
  return db('workspaces')
    .join('landlords', 'landlords.id', 'workspaces.landlord_id')
    .orderBy(newestFirst('workspaces'))
    .select(
      'workspaces.id',
      'workspace_id',
      'workspace_name',
      'landlord_id',
      'landlords.name as landlord_name',
      'workspaces.created_at',
    );
}

/**
 * @returns false when the workspace already had this name
 */
export async function renameWorkspace(trx: Transaction, workspaceId: string, name: string): Promise<boolean> {
  const changed = await trx('workspaces')
    .where({ workspace_id: workspaceId })
    .whereNot({ workspace_name: name })
    .update({ workspace_name: name });
  return changed === 1;
}

export function countProperties(db: Database, ids: readonly number[]): Promise<(id: number) => number> {
  return countGroups(db('properties').whereIn('workspace_internal_id', ids), 'workspace_internal_id');
}
