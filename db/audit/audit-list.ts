import type { Database } from '../connection/connect.ts';
import type { AuditEntryRow } from './audit.ts';

/** Filters of the audit log. */
export interface AuditQuery {
  resource?: string;
  actor?: string;
  /** An action, or the resource kind before its dot. */
  action?: string;
  since?: Date;
}

/** Newest first. */
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
