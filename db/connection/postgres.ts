import knex from 'knex';
import type { DatabaseLimits } from '../../core/settings/database-settings.ts';
import { type Connections, hold } from './connections.ts';
import { batchedReads } from './postgres/batched-reads.ts';
import { PipelinedClient } from './postgres/client.ts';
import { expectFitRoute } from './postgres/route.ts';

/**
 * @param isPooled the address is that of a pooler in transaction mode: its sessions are not ours, and their limits are configured elsewhere
 */
export function postgresConnections(url: string, limits: DatabaseLimits, isPooled = false): Connections {
  const { poolSize, connectMs, queryMs } = limits;
  const pool = new knex.KnexPool({
    create: async () => {
      const client = new PipelinedClient(url, limits, !isPooled);
      await client.connect();
      return client;
    },
    destroy: (client: PipelinedClient) => client.end(),
    validate: (client) => client.usable,
    min: 0,
    max: poolSize,
    propagateCreateError: true,
    acquireTimeoutMillis: connectMs,
    createTimeoutMillis: connectMs,
    destroyTimeoutMillis: connectMs,
  });
  return {
    pool,
    patienceMs: queryMs / 2,
    read: batchedReads(pool),
    hold: (work) => hold(pool, work),
    transact: (work) => hold(pool, work),
    expectFitRoute: (expected) => hold(pool, (client) => expectFitRoute(client, (work) => hold(pool, work), expected)),
    close: async () => {
      await pool.destroy();
    },
  };
}
