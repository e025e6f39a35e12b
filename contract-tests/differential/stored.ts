import type { Database } from '../../db/connection/database.ts';
import { queuedIds } from '../../harness/database/queue.ts';

/** Referenced tables first. */
const TABLES = [
  ...['landlords', 'api_keys', 'workspaces', 'properties', 'tenants', 'applications', 'participants', 'invites'],
  ...['webhooks', 'kyc_verifications', 'eid_flows', 'forensic_runs', 'documents', 'events', 'audit_entries'],
];

/** Random or derived columns. The rows of the audit log are compared in order. */
const RANDOM = [
  ...['token_hash', 'sealed_token', 'sealed_secret', 'sealed_memory', 'sealed_check'],
  ...['correlation_id', 'hash', 'sequence'],
];

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

type Row = Record<string, unknown>;

/**
 * Formats every row as a line, with each identifier replaced by the index of its row in its table. The same requests at the same times
 * produce the same lines.
 */
export async function storedIn(db: Database): Promise<string[]> {
  const names = new Map<string, string>();
  const named = (text: string) => text.replace(UUID, (id) => names.get(id) ?? id);
  const lines: string[] = [];
  for (const table of TABLES) {
    const rows: Row[] = await db(table).orderBy(table === 'audit_entries' ? 'sequence' : 'id');
    const told = rows.map(({ id, ...row }) => ({ id: String(id), line: named(JSON.stringify(without(row))) }));
    if (table !== 'audit_entries') told.sort((one, other) => (one.line < other.line ? -1 : 1));
    for (const [place, { id, line }] of told.entries()) {
      if (!names.has(id)) names.set(id, `${table} ${place}`);
      lines.push(`${table} ${place} ${line}`);
    }
  }
  // A create operation sends its jobs before the database reports whether the row exists: ids without rows, which no worker can claim.
  const ids = (await queuedIds(db, 'send-invite')).filter((id) => names.has(id));
  return [...lines, ...ids.map((id) => `job send-invite ${named(id)}`).sort()];
}

/** The same lines with unchanged identifiers. */
export async function rowsIn(db: Database): Promise<string> {
  return JSON.stringify(await Promise.all(TABLES.map((table) => db(table))));
}

function without(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => !RANDOM.includes(column))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
