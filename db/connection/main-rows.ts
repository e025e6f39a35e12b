import type { Database } from './connect.ts';

/** What operators reckon with. */
const TABLES = [
  ...(['landlords', 'api_keys', 'workspaces', 'properties', 'tenants', 'applications', 'participants'] as const),
  ...(['documents', 'forensic_runs', 'webhooks', 'events', 'deliveries', 'audit_entries'] as const),
];

/** How many rows the main tables have, as far as they are there. */
export async function countMainRows(db: Database): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const table of TABLES) {
    if (!(await db.schema.hasTable(table))) continue;
    const [row] = await db(table).count({ count: '*' });
    rows[table] = Number(row?.count);
  }
  return rows;
}
