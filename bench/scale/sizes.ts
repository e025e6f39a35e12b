import type { Database } from '../../db/connection/database.ts';
import { type Result, rounded } from '../result.ts';
import type { Measured } from './costs.ts';
import type { History } from './history.ts';

interface Size {
  name: string;
  rows: number;
  table_bytes: number;
  index_bytes: number;
}

/** What an application, an event and a delivery occupy, by table. */
const OF = {
  application: [
    ...['applications', 'participants', 'tenants', 'invites', 'documents', 'audit_entries'],
    ...['kyc_verifications', 'eid_flows', 'forensic_runs'],
  ],
  event: ['events'],
  body: ['event_bodies'],
  delivery: ['deliveries', 'delivery_attempts'],
};
const SHOWN_BYTES = 50e6;

/** Partitions count as their table. */
const SIZES = `
  select coalesce(parent.relname, class.relname) as name, sum(greatest(class.reltuples, 0)) as rows,
      sum(pg_table_size(class.oid)) as table_bytes, sum(pg_indexes_size(class.oid)) as index_bytes
    from pg_class as class left join pg_inherits on inhrelid = class.oid left join pg_class as parent on parent.oid = inhparent
    where class.relkind = 'r' and class.relnamespace = 'public'::regnamespace
    group by 1 order by sum(pg_total_relation_size(class.oid)) desc`;

export async function measureSizes(db: Database, { amounts }: History, bytes: Measured['bytes']): Promise<Result> {
  const { rows: found }: { rows: Record<keyof Size, string>[] } = await db.raw(SIZES);
  const sizes = found.map(({ name, ...numbers }) => ({
    name,
    rows: Number(numbers.rows),
    table_bytes: Number(numbers.table_bytes),
    index_bytes: Number(numbers.index_bytes),
  }));
  const total = (names: readonly string[]) =>
    sizes
      .filter(({ name }) => names.includes(name))
      .reduce((sum, { table_bytes, index_bytes }) => sum + table_bytes + index_bytes, 0);
  bytes.application = total(OF.application) / amounts.applications;
  bytes.event = total(OF.event) / amounts.events;
  bytes.body = total(OF.body) / amounts.events;
  bytes.delivery = total(OF.delivery) / amounts.deliveries;
  return {
    title: `postgres: sizes with ${amounts.deliveries} deliveries of ${amounts.applications} applications`,
    rows: sizes
      .filter(({ table_bytes, index_bytes }) => table_bytes + index_bytes > SHOWN_BYTES)
      .map(({ name, rows, table_bytes, index_bytes }) => ({
        table: name,
        rows,
        table_mb: rounded(table_bytes / 1e6),
        index_mb: rounded(index_bytes / 1e6),
        bytes_a_row: Math.round((table_bytes + index_bytes) / Math.max(1, rows)),
      })),
    marks: [],
    note: `Bytes with indexes: application ${Math.round(bytes.application)}, event ${Math.round(bytes.event)} and its body ${Math.round(bytes.body)}, delivery ${Math.round(bytes.delivery)}.`,
  };
}
