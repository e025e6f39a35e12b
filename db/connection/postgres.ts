import knex from 'knex';
import { sharedTurns, type TurnLimits } from '../../core/fair-turns.ts';
import { loopTurns } from '../../core/loop-turns.ts';
import type { DatabaseLimits } from '../../core/settings/database-settings.ts';
import { type Connections, hold, type Statement, type Value } from './connections.ts';
import { fairPool } from './fair-pool.ts';
import { batchedReads, READS_PER_CONNECTION } from './postgres/batched-reads.ts';
import { PipelinedClient } from './postgres/client.ts';
import { expectFitRoute } from './postgres/route.ts';

/**
 * @param isPooled the address is that of a pooler in transaction mode: its sessions are not ours, and their limits are configured elsewhere
 */
export function postgresConnections(url: string, limits: DatabaseLimits, isPooled = false): Connections {
  const { poolSize, connectMs, queryMs } = limits;
  const continuing = loopTurns(CONTINUING);
  const connections = new knex.KnexPool({
    create: async () => {
      const client = new PipelinedClient(url, limits, !isPooled, continuing.ask);
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
  const pool = fairPool(connections, connectionsAt(limits), { beginTurn: continuing.take });
  const [read, inReadTurn] = [batchedReads(pool, connectionsForReads(limits)), sharedTurns(readsAt(limits))];
  const inTransactionTurn = sharedTurns(transactionsAt(limits));
  return {
    pool,
    patienceMs: queryMs / 2,
    // In the turn of the read, so that few wait: the answers of the party's transactions wait behind them.
    read: <Row>(statement: Statement, values: readonly Value[]) =>
      inReadTurn(async () => {
        const rows = await read<Row>(statement, values);
        await continuing.take();
        return rows;
      }),
    hold: (work) => hold(pool, work),
    inTransactionTurn,
    transact: (work) => inTransactionTurn(() => hold(pool, work)),
    expectFitRoute: (expected) => hold(pool, (client) => expectFitRoute(client, (work) => hold(pool, work), expected)),
    close: async () => {
      await pool.destroy();
    },
  };
}

/**
 * How many callers of all parties, and of one, take a connection or continue with an answer before the event loop goes round: many answers
 * may arrive at once, and what a page does with one can take a millisecond.
 */
const CONTINUING = { atOnce: 64, ofOneParty: 1, ofOnePerson: 1 };
/** How many turns of a party may wait: a burst of creations, not a flood. */
const MAX_WAITING = 1_000;
/**
 * Turns and batches together never need more connections than there are: the pool serves first come, first served, so a party
 * that waited there would wait behind the work of others. Only the service's own duties, few and bounded, take a connection without a turn.
 */
const connectionsForReads = ({ poolSize }: DatabaseLimits): number => Math.max(1, Math.floor(poolSize / 3));

/**
 * A party has at most a quarter of the connections for its transactions: what it does with the answers of each delays the event loop for
 * others.
 */
function transactionsAt(limits: DatabaseLimits): TurnLimits {
  const { poolSize, turnMs } = limits;
  // And one for other statements.
  const atOnce = Math.max(1, poolSize - connectionsForReads(limits) - 1);
  const ofOneParty = Math.max(1, Math.min(Math.floor(poolSize / 4), atOnce - 1));
  return { atOnce, ofOneParty, waits: { at: 'transactions', maxWaiting: MAX_WAITING, waitMs: turnMs } };
}

function connectionsAt(limits: DatabaseLimits): TurnLimits {
  const { atOnce, ofOneParty } = transactionsAt(limits);
  const waits = { at: 'connections', maxWaiting: MAX_WAITING, waitMs: limits.turnMs } as const;
  return { atOnce: atOnce + 1, ofOneParty: ofOneParty + 1, ofOnePerson: ofOneParty + 1, waits };
}

/** The part of the time of a read that hangs after which the reads behind it are refused: they would hang in its place. */
const BEHIND_A_READ = 0.75;

/**
 * The answers of a connection are handed out together, so a read waits for all that share its connection. A party has fewer under way than
 * there are connections: however slow they are, one connection is left to others. With fewer than six, all reads share the only one.
 */
function readsAt(limits: DatabaseLimits): TurnLimits {
  const connections = connectionsForReads(limits);
  const [atOnce, ofOneParty] = [connections * READS_PER_CONNECTION, Math.max(1, connections - 1)];
  const waitMs = Math.min(limits.turnMs, limits.queryMs * BEHIND_A_READ);
  return { atOnce, ofOneParty, waits: { at: 'reads', maxWaiting: MAX_WAITING, waitMs } };
}
