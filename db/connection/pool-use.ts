import { openConnections } from './connections.ts';
import type { Database } from './database.ts';

/** The connections of this process. */
export interface PoolUse {
  used: number;
  free: number;
  /** Tasks that wait for a connection. */
  waiting: number;
}

export function poolUse(db: Database): PoolUse {
  const pool = openConnections.get(db)?.pool;
  if (!pool) return { used: 0, free: 0, waiting: 0 };
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() };
}
