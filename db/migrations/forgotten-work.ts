import type { Knex } from 'knex';
import { idsOf } from '../../core/ids.ts';

/** As they were when work was forgotten: kinds that are added later have no such rows. */
const TABLES = [
  'invites',
  'kyc_verifications',
  'eid_flows',
  'forensic_runs',
  'deliveries',
  'bank_connections',
  'reports',
] as const;
const BATCH = 500;
/** Work with as many expired leases was set aside. */
const EXPIRIES = 5;

interface Work {
  id: string;
  due_at: string | null;
  finished_at: string | null;
  expiries: number;
}

/**
 * Lists work again that was set aside and of which no row says so: earlier versions forgot it after a month, and left it open. Operators can
 * release it for a week, then it is given up. Goes through one table after the other, in the order of the ids.
 * @param position a table and the last id of the batch before
 */
export async function listForgottenWork(
  trx: Knex.Transaction,
  position: string | null,
): Promise<{ position: string; rows: number } | undefined> {
  const [name = TABLES[0], after = ''] = position?.split(' ') ?? [];
  const names: readonly string[] = TABLES;
  const index = names.indexOf(name);
  const table = TABLES[index];
  if (table === undefined) return undefined;
  const page: Work[] = await trx(table)
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH)
    .select('id', 'due_at', 'finished_at', 'expiries');
  const rows = await list(trx, table, idsOf(page.filter(isSetAside)));
  const last = page.length === BATCH ? page.at(-1) : undefined;
  return { position: last ? `${table} ${last.id}` : `${TABLES[index + 1] ?? 'end'} `, rows };
}

function isSetAside({ due_at, finished_at, expiries }: Work): boolean {
  return due_at === null && finished_at === null && expiries >= EXPIRIES;
}

async function list(trx: Knex.Transaction, kind: (typeof TABLES)[number], ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const open = trx(kind).whereIn('id', ids).whereNull('due_at').whereNull('finished_at');
  // Deliveries to a paused webhook are held: they become due when it is resumed.
  if (kind === 'deliveries')
    open.whereNotIn('webhook_id', trx('webhooks').whereNotNull('paused_at').select('webhooks.id'));
  const found: string[] = await open.orderBy('id').forUpdate().pluck('id');
  const set_aside_at = new Date().toISOString();
  const rows = found.map((id) => ({ id, kind, set_aside_at }));
  if (rows.length > 0) await trx('set_aside_work').insert(rows).onConflict('id').ignore();
  return rows.length;
}
