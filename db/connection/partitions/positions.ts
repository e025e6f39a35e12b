import { nameBefore, type PartitionedTable, partitionedTables } from '../../../core/rules/partitions.ts';
import { makePartition } from '../../migrations/partition-tables.ts';
import type { Database, Transaction } from '../database.ts';
import { givingWay } from '../transactions.ts';
import { listPartitions, type Partition } from './partitions.ts';

/** The audit log, whose partitions are dropped by the position of their rows in the chain. On Postgres only. */
const log = partitionedTables.filter(({ unique }) => unique === 'position');

interface Placed {
  position: number | null;
}

/** The last position in partitions whose span ended; 0 without any. */
export async function lastPositionBefore(db: Database, moment: Date): Promise<number> {
  let last = 0;
  for (const one of log)
    for (const { name } of (await listPartitions(db, one)).filter(({ to }) => to && to <= moment)) {
      const found = await db<Placed>(name).whereNotNull('position').orderBy('position', 'desc').first('position');
      last = Math.max(last, found?.position ?? 0);
    }
  return last;
}

/**
 * Drops each partition whose rows all have a position up to the given one. The newest partition stays, because inserts need it. @returns
 * false when a lock was unavailable
 */
export async function dropPartitionsUpTo(db: Database, position: number): Promise<boolean> {
  for (const one of log)
    for (const partition of await listPartitions(db, one)) {
      if (!partition.to || !(await endsBy(db, partition, position))) continue;
      const done = await givingWay(db, async (trx) => {
        await dropUnderLock(trx, one, partition, position);
        return true;
      });
      if (!done) return false;
    }
  return true;
}

async function dropUnderLock(
  trx: Transaction,
  one: PartitionedTable,
  partition: Partition,
  position: number,
): Promise<void> {
  const { table } = one;
  const { name, to } = partition;
  await trx.raw(`lock table ${table} in access exclusive mode`);
  // Another process may have dropped it, or written into it, meanwhile.
  const isThere = (await listPartitions(trx, one)).some((each) => each.name === name);
  if (!isThere || !(await endsBy(trx, partition, position))) return;
  await trx.raw(`alter table ${table} detach partition ${name}`);
  await trx.raw(`drop table ${name}`);
  // The partition of everything older than all spans remains, empty.
  if (name === nameBefore(table)) await makePartition(trx, one, name, { from: undefined, to });
}

/** By one step in the index, in which rows without a position come last. */
async function endsBy(db: Database | Transaction, { name }: Partition, position: number): Promise<boolean> {
  const last = await db<Placed>(name).orderBy('position', 'desc').first('position');
  return last !== undefined && last.position !== null && last.position <= position;
}
