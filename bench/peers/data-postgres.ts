import pg from 'pg';
import {
  type ApplicationRow,
  asFound,
  type Data,
  FIND_APPLICATION,
  FIND_AT_ONCE,
  FIND_KEY,
  FIND_PARTICIPANTS,
  FIND_SAME_PEOPLE,
  type FoundAtOnce,
  isAtOnce,
  type KeyRow,
  type ParticipantRow,
} from './data.ts';
import { keyOf, type NewApplication, newApplication } from './new-application.ts';

const POOL_SIZE = 10;

/** Like the service wakes its workers: after the commit, once for all commits in between. */
const WAKE = { name: 'wake', text: 'select pg_notify($1, $2)', values: ['tenant_screening_jobs', 'send-invite'] };
const WAKE_AFTER_MS = 10;

/** The row that pg-boss stores per job. The queue's settings are read with it, as pg-boss does. */
const INSERT_JOBS = `
  insert into pgboss.job (name, data, singleton_key, start_after, created_on, keep_until, policy, retry_limit, retry_delay,
    retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, heartbeat_seconds)
  select q.name, j.data, j.key, now(), now(), now() + q.retention_seconds * interval '1s', q.policy, q.retry_limit, q.retry_delay,
    q.retry_backoff, q.retry_delay_max, q.expire_seconds, q.deletion_seconds, q.heartbeat_seconds
  from unnest($1::text[], $2::jsonb[]) as j (key, data) join pgboss.queue q on q.name = 'due.send-invite'`;

/** Named statements, which Postgres prepares once a connection, and the obvious transaction. */
export function openPostgres(connectionString: string): Data {
  const pool = new pg.Pool({ connectionString, max: POOL_SIZE });
  const wake = createWake(pool);
  return {
    findKey: async (id) => (await pool.query<KeyRow>({ name: 'find-key', text: FIND_KEY, values: [id] })).rows[0],
    findApplication: async (keyId, applicationId) => {
      if (isAtOnce) {
        const text = FIND_AT_ONCE('json_agg', 'json_build_object');
        const { rows } = await pool.query<FoundAtOnce>({ name: 'find-at-once', text, values: [applicationId, keyId] });
        return asFound(rows[0]);
      }
      const found = await pool.query<ApplicationRow>({
        name: 'find-application',
        text: FIND_APPLICATION,
        values: [applicationId, keyId],
      });
      const [application] = found.rows;
      if (!application) return undefined;
      const { rows: participants } = await pool.query<ParticipantRow>({
        name: 'find-participants',
        text: FIND_PARTICIPANTS,
        values: [applicationId],
      });
      return { application, participants };
    },
    createApplication: async (keyId, request, now) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const created = await create(client, keyId, request, now);
        await client.query('commit');
        client.release();
        if (created.isNew) wake();
        return created;
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
  };
}

function createWake(pool: pg.Pool): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    setTimeout(() => {
      isAsked = false;
      pool.query(WAKE).catch(() => {});
    }, WAKE_AFTER_MS);
  };
}

async function create(client: pg.PoolClient, ...[keyId, request, now]: Parameters<Data['createApplication']>) {
  await client.query({
    name: 'lock-key',
    text: 'select id from api_keys where id = $1 for no key update',
    values: [keyId],
  });
  const same = await client.query<{ id: string; title: string }>({
    name: 'find-same-people',
    text: FIND_SAME_PEOPLE,
    values: [keyId, keyOf(request.tenants)],
  });
  if (same.rows[0]) return { ...same.rows[0], isNew: false };
  const fresh = newApplication(keyId, request, now);
  await insertApplication(client, fresh);
  return { id: fresh.application.id, title: request.title, isNew: true };
}

async function insertApplication(client: pg.PoolClient, fresh: NewApplication): Promise<void> {
  await client.query(into('applications', [fresh.application]));
  await client.query(into('participants', fresh.participants));
  if (fresh.invites.length > 0) {
    await client.query(into('invites', fresh.invites));
    await client.query({
      name: 'insert-jobs',
      text: INSERT_JOBS,
      values: [fresh.invites.map(({ id }) => id), fresh.invites.map(({ id }) => JSON.stringify({ id }))],
    });
  }
  await client.query(into('audit_entries', [fresh.audit]));
}

type Row = Record<string, string | number>;
const texts = new Map<string, string>();

/** One statement for all rows, named by their number. */
function into(table: string, rows: readonly Row[]): { name: string; text: string; values: (string | number)[] } {
  const name = `insert-${table}-${rows.length}`;
  const text = texts.get(name) ?? insertText(table, rows);
  texts.set(name, text);
  return { name, text, values: rows.flatMap((row) => Object.values(row)) };
}

function insertText(table: string, rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  let parameter = 0;
  const values = rows.map(() => `(${columns.map(() => `$${++parameter}`).join(', ')})`);
  return `insert into ${table} (${columns.join(', ')}) values ${values.join(', ')}`;
}
