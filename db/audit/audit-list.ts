import type { Database } from '../connection/connect.ts';
import type { AuditEntryRow } from './audit.ts';

/** What is asked of the audit log; what is left out does not matter. */
export interface AuditQuery {
  resource?: string;
  actor?: string;
  /** An action, or the kind of resource before its dot. */
  action?: string;
  since?: Date;
}

/** The newest first. */
export function listAuditEntries(
  db: Database,
  { resource, actor, action, since }: AuditQuery,
  limit: number,
): Promise<AuditEntryRow[]> {
  const entries = db('audit_entries').orderBy('sequence', 'desc').limit(limit);
  if (resource !== undefined) entries.where({ resource_id: resource });
  if (actor !== undefined) entries.where({ actor });
  if (action !== undefined) entries.where((one) => one.where({ action }).orWhere('action', 'like', `${action}.%`));
  if (since !== undefined) entries.where('at', '>=', since.toISOString());
  return entries;
}

/** When the newest entry was written. */
export async function latestEntryAt(db: Database): Promise<string | undefined> {
  return (await db('audit_entries').orderBy('sequence', 'desc').first('at'))?.at;
}
