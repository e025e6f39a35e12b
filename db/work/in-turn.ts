import { idsOf } from '../../core/ids.ts';
import { UNKNOWN_KEY } from '../../core/party.ts';
import { isoAfter } from '../../core/time.ts';
import { type Database, dialectOf, type Transaction } from '../connection/database.ts';
import { isIndexedByKey } from '../connection/done-in-background.ts';
import { inTransaction } from '../connection/transactions.ts';
import { isUnfinished } from './beside-id.ts';
import {
  type ClaimedWork,
  claimWork,
  type HandedOver,
  type Lease,
  QUEUED,
  type WorkRow,
  type WorkTable,
} from './work.ts';

/** Another process may claim the same rows first. */
const TRIES = 3;
/** How many keys with unfinished work one statement visits, and how many statements one search takes at most. */
const MAX_KEYS_AT_ONCE = 64;
const MAX_STATEMENTS = 16;
/** For how long the queue has a row. Then it has lost it, or is so long that checking again is worthwhile. */
export const QUEUE_LEASE_MS = 30_000;

interface Turn {
  /** The API key whose turn was last. */
  after: string;
  /** API keys that may claim nothing more. */
  busy?: readonly string[];
  /** How many rows. */
  limit: number;
}

/** An API key and the ids of its free rows, oldest first. */
interface KeyWithWork {
  key: string;
  ids: string[];
}

/** Which rows are free: those due by then and, for workers, those that are leased to the queue. */
interface Free {
  dueBefore: string;
  isQueuedFree?: boolean;
}

/**
 * Leases the oldest free row of each API key, from the key behind `after` on: a key with a long backlog gets no more turns than a key with
 * one row. The cost depends on the number of keys with unfinished work and on the rows claimed, not on the backlog.
 */
export async function claimInTurn(
  db: Database,
  table: WorkTable,
  turn: Turn,
  lease: Lease,
): Promise<{ claimed: ClaimedWork[]; lastKey: string }> {
  const free = { dueBefore: lease.dueBefore, isQueuedFree: true };
  for (let tries = TRIES; tries > 0; tries--) {
    const { keys, lastKey } = await inTransaction(db, (trx) => keysWithWork(trx, table, turn, free));
    const ids = inRounds(keys);
    const claimed = ids.length > 0 ? await claimWork(db, table, ids, lease) : [];
    if (claimed.length > 0 || ids.length === 0) return { claimed, lastKey };
  }
  return { claimed: [], lastKey: turn.after };
}

/**
 * Leases rows that are due, or whose lease has expired, to the queue: the same number of each API key, its longest-waiting rows first.
 * @returns the rows as they were before, and the API key whose turn was last
 */
export async function leaseToQueue(
  trx: Transaction,
  table: WorkTable,
  { now, until, limit, after = '' }: { now: Date; until: string; limit: number; after?: string },
): Promise<{ rows: HandedOver[]; lastKey: string }> {
  const moment = now.toISOString();
  const { ids, lastKey } = await dueInTurn(trx, table, { after, limit }, moment);
  if (ids.length === 0) return { rows: [], lastKey };
  const found = trx<WorkRow>(table).whereIn('id', ids).where(isUnfinished);
  // A row that is locked is being claimed or ended.
  if (dialectOf(trx) === 'postgres') found.forNoKeyUpdate().skipLocked();
  const rows = (
    await found.select<(HandedOver & Pick<WorkRow, 'due_at'>)[]>('id', 'leased_by', 'expiries', 'due_at', 'api_key_id')
  ).filter(({ due_at }) => (due_at ?? '') <= moment);
  await trx<WorkRow>(table).whereIn('id', idsOf(rows)).update({ due_at: until, leased_by: QUEUED });
  return { rows, lastKey };
}

async function dueInTurn(
  trx: Transaction,
  table: WorkTable,
  turn: Turn,
  moment: string,
): Promise<{ ids: string[]; lastKey: string }> {
  await trustIndexes(trx);
  // Without the index, each step from key to key would read the whole table.
  if (!(await isIndexedByKey(trx, table))) {
    const oldest = trx<WorkRow>(table).where('due_at', '<=', moment).orderBy('due_at').limit(turn.limit);
    return { ids: await oldest.pluck('id'), lastKey: '' };
  }
  const { keys, lastKey } = await keysWithWork(trx, table, turn, { dueBefore: moment });
  const each = Math.ceil(turn.limit / keys.length);
  const names = keys.map(({ key }) => key);
  const withRows = each > 1 && keys.length > 0 ? await rowsOf(trx, table, names, each, { dueBefore: moment }) : keys;
  return { ids: inRounds(withRows).slice(0, turn.limit), lastKey };
}

/** The first row of each key, then the second ones. */
function inRounds(keys: readonly KeyWithWork[]): string[] {
  const longest = Math.max(0, ...keys.map(({ ids }) => ids.length));
  return Array.from({ length: longest }, (_, round) => keys.flatMap(({ ids }) => ids[round] ?? [])).flat();
}

/** With statistics from before a backlog, sorting all of it would look cheaper than walking the indexes of all partitions. */
async function trustIndexes(trx: Transaction): Promise<void> {
  if (dialectOf(trx) === 'postgres') await trx.raw('set local enable_sort = off');
}

/** Goes round the keys with unfinished work. @returns those with a free row, each with its oldest one */
async function keysWithWork(
  trx: Transaction,
  table: WorkTable,
  { after, busy = [], limit }: Turn,
  free: Free,
): Promise<{ keys: KeyWithWork[]; lastKey: string }> {
  await trustIndexes(trx);
  const atOnce = Math.min(limit + busy.length, MAX_KEYS_AT_ONCE);
  const [found, visited]: [KeyWithWork[], Set<string>] = [[], new Set()];
  let [from, isRound] = [after, after === ''];
  for (let statements = 0; statements < MAX_STATEMENTS && found.length < limit; statements++) {
    const keys = await nextKeys(trx, table, from, atOnce);
    const unseen = keys.filter((key) => !visited.has(key));
    const asked = unseen.filter((key) => !busy.includes(key));
    found.push(...(await rowsOf(trx, table, asked, 1, free)));
    for (const key of unseen) visited.add(key);
    const isEnd = keys.length < atOnce;
    if (unseen.length < keys.length || (isEnd && isRound)) break;
    [from, isRound] = isEnd ? ['', true] : [keys.at(-1) ?? '', isRound];
  }
  const keys = found.slice(0, limit);
  return { keys, lastKey: (found.length < limit ? from : keys.at(-1)?.key) ?? '' };
}

/** As in the index. */
const KEY = `coalesce(api_key_id, '${UNKNOWN_KEY}')`;
const IN_INDEX = "due_at > ''";

/** Walks from key to key in the index, instead of reading all rows of each. */
async function nextKeys(trx: Transaction, table: WorkTable, after: string, limit: number): Promise<string[]> {
  const next = `select ${KEY} from ${table} where ${IN_INDEX} and ${KEY} >`;
  const walk = `select (${next} ? order by ${KEY} limit 1), 1
    union all
    select (${next} keys.api_key_id order by ${KEY} limit 1), place + 1 from keys where api_key_id is not null and place < ?`;
  const rows = await trx
    .withRecursive('keys', ['api_key_id', 'place'], trx.raw(walk, [after, limit]))
    .from('keys')
    .whereNotNull('api_key_id')
    .select<{ api_key_id: string; place: number }[]>('api_key_id', 'place');
  return rows.sort((one, other) => one.place - other.place).map(({ api_key_id }) => api_key_id);
}

/** The oldest free rows of each key. @returns the keys that have any */
async function rowsOf(
  trx: Transaction,
  table: WorkTable,
  keys: readonly string[],
  limit: number,
  { dueBefore, isQueuedFree = false }: Free,
): Promise<KeyWithWork[]> {
  if (keys.length === 0) return [];
  const isPostgres = dialectOf(trx) === 'postgres';
  const until = isQueuedFree ? isoAfter(new Date(dueBefore), QUEUE_LEASE_MS) : dueBefore;
  // With an equation instead of a range, Postgres may prefer the index of all due rows, and read the backlogs of all other keys.
  const isOfKey = isPostgres
    ? `(${KEY}, due_at) >= (keys.value, '') and (${KEY}, due_at) <= (keys.value, ?)`
    : `${KEY} = keys.value and due_at <= ?`;
  // SQLite would sort the whole backlog by the key, although it is the same in all rows.
  const order = isPostgres ? `${KEY}, due_at` : 'due_at';
  const list = isPostgres ? 'json_array_elements_text(?::json) as keys(value)' : 'json_each(?) as keys';
  const sql = `select value as key,
      (select string_agg(id, ',') from (
        select id from ${table} where ${IN_INDEX} and ${isOfKey} and (due_at <= ? or leased_by = ?)
        order by ${order} limit ?) as free) as ids
    from ${list}`;
  const rows = await trx
    .from(trx.raw(`(${sql}) as work`, [until, dueBefore, isQueuedFree ? QUEUED : '', limit, JSON.stringify(keys)]))
    .whereNotNull('ids')
    .select<{ key: string; ids: string }[]>('key', 'ids');
  return rows.map(({ key, ids }) => ({ key, ids: ids.split(',') }));
}
