import { type Logger, makeWorkerUtils, type RunnerOptions, run, Logger as SilentLogger } from 'graphile-worker';
import pg from 'pg';
import type { Open } from '../jobs/contender.ts';

const logger: Logger = new SilentLogger(() => () => {});
const POOL_SIZE = 10;

/** graphile-worker with its defaults: one job at a time. */
export const graphileByDefault: Open = open({});

/** The fastest option in its manual: jobs are fetched and completed in batches. */
export const graphileAtItsBest: Open = open({
  concurrency: 24,
  preset: { worker: { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
});

function open(options: RunnerOptions): Open {
  return async (connectionString) => {
    const utils = await makeWorkerUtils({ connectionString, logger });
    await utils.migrate();
    await utils.release();
    const pool = new pg.Pool({ connectionString, max: POOL_SIZE });
    return {
      send: (ids) => send(pool, ids),
      work: async (work) => {
        const taskList = { empty: async (payload: unknown) => work(idOf(payload)) };
        await run({ connectionString, logger, taskList, noHandleSignals: true, ...options });
      },
      isIdle: async () => {
        const { rows } = await pool.query('select not exists (select from graphile_worker._private_jobs) as idle');
        return rows[0]?.idle === true;
      },
    };
  };
}

function idOf(payload: unknown): string {
  const has = typeof payload === 'object' && payload !== null && 'id' in payload;
  return has ? String(payload.id) : '';
}

/** In the caller's own transaction, as in its manual. */
async function send(pool: pg.Pool, ids: string[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    if (ids.length === 1) await client.query(`select graphile_worker.add_job('empty', $1)`, [{ id: ids[0] }]);
    else await client.query(ADD_MANY, [JSON.stringify(ids.map((id) => ({ identifier: 'empty', payload: { id } })))]);
    await client.query('commit');
  } finally {
    client.release();
  }
}

const ADD_MANY = `select count(*) from graphile_worker.add_jobs(array(
  select json_populate_recordset(null::graphile_worker.job_spec, $1::json)))`;
