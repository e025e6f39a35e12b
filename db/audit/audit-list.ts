import { type Database, dialectOf } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { inIndexOrder, walkIndex } from '../connection/queries/index-order.ts';
import type { AuditEntryRow } from './audit.ts';

export interface AuditQuery {
  resource?: string | undefined;
  actor?: string | undefined;
  /** An action, or the resource kind before its dot. */
  action?: string | undefined;
  since?: Date | undefined;
  /** The sequence behind which a page begins. */
  before?: number | undefined;
}

/** Entries whose order differs from that of their moments, because transactions overlap and clocks differ. */
const OUT_OF_ORDER = 500;

/**
 * Newest first. On Postgres it reads little more than it returns, except for a rare action of a common actor. Entries from before `since`
 * are left out afterwards: a condition would read every older entry for a page that is not full.
 */
export async function listAuditEntries(
  db: Database,
  { since, ...query }: AuditQuery,
  limit: number,
): Promise<AuditEntryRow[]> {
  if (since === undefined) return newest(db, query, limit);
  const found = await newest(db, query, limit + OUT_OF_ORDER);
  const from = since.toISOString();
  return found.filter(({ at }) => at >= from).slice(0, limit);
}

async function newest(
  db: Database,
  { resource, actor, action, before = Number.MAX_SAFE_INTEGER }: Omit<AuditQuery, 'since'>,
  limit: number,
): Promise<AuditEntryRow[]> {
  const kinds = action === undefined ? undefined : await kindsOf(db, action);
  if (dialectOf(db) === 'postgres' && resource === undefined && (actor === undefined) !== (kinds === undefined))
    return inIndexOrder(db, async (trx) => {
      const found: AuditEntryRow[] = [];
      const column = kinds ? 'action' : 'actor';
      for (const value of kinds ?? [actor ?? '']) {
        const walk = { columns: [column, 'sequence'], value, from: 0, to: before - 1 } as const;
        found.push(...(await walkIndex(trx('audit_entries').limit(limit), walk)));
      }
      return found.toSorted((a, b) => b.sequence - a.sequence).slice(0, limit);
    });
  // A resource has few entries: sorting them avoids a walk through all entries.
  const order = resource === undefined ? 'sequence' : db.raw('sequence + 0');
  const entries = db('audit_entries').where('sequence', '<', before).orderBy(order, 'desc').limit(limit);
  if (resource !== undefined) entries.where({ resource_id: resource });
  if (actor !== undefined) entries.where({ actor });
  if (kinds) entries.whereIn('action', kinds);
  return entries;
}

/** The actions of an entry or more, by a step in the index for each. */
const actions = prepared<{ action: string }>(`
  with recursive kinds (action) as (
    select min(action) from audit_entries
    union all select (select min(action) from audit_entries where action > kinds.action) from kinds where action is not null)
  select action from kinds where action is not null`);

async function kindsOf(db: Database, action: string): Promise<string[]> {
  const all = (await actions(db)).map((row) => row.action);
  return all.filter((one) => one === action || one.startsWith(`${action}.`));
}
