import { disconnect, open } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { bulkId, orderedSpread } from '../../harness/database/bulk-rows.ts';
import type { Load } from '../api/load.ts';
import { service } from '../api/programs.ts';
import { Server } from '../api/server.ts';
import { Backends } from '../backends.ts';
import type { Place } from '../databases.ts';
import { Remote } from '../remote.ts';
import type { Endpoint } from '../webhooks/endpoint.ts';
import type { Receiver } from '../webhooks/receiver.ts';
import type { Service } from '../webhooks/service.ts';
import { WEBHOOKS } from './amounts.ts';
import { type History, historyOf } from './history.ts';

export const NODES = 2;
/** Answered 503, so that deliveries are retried. */
const FAILING: Endpoint = { hangs: 0, hangMs: 0, fails: 0.02 };
const EMITTED_FOR = 2_000;
/** Retention of the service's own accord would disturb what is measured. */
const KEEPING = { WEBHOOK_PAYLOAD_DAYS: '3650', WEBHOOK_RECORD_DAYS: '3650' };

/** What a piece of work cost, in all. */
export interface Spent {
  seconds: number;
  walBytes: number;
  /** CPU of the database; undefined where the system does not expose it. */
  databaseMicros: number | undefined;
}

/** A database with its history, two processes of the API, two workers, what causes events, and the receivers. */
export interface Stage {
  place: Place;
  history: History;
  receiver: Remote<Receiver>;
  emitter: Remote<Service>;
  apis: Server[];
  /** One for each. */
  loads: Remote<Load>[];
  /** Built, but not at work. */
  workers: Remote<Service>[];
  db: Database;
  /** Tenants of applications from the whole history. */
  tenantIds: string[];
  spent<Result>(work: () => Promise<Result>): Promise<[Result, Spent]>;
  close(): Promise<void>;
}

export async function openStage(place: Place, rows: number): Promise<Stage> {
  const ending: (() => Promise<unknown>)[] = [];
  const keep = <Kept extends { end(): Promise<unknown> }>(kept: Kept): Kept => {
    ending.push(() => kept.end());
    return kept;
  };
  const close = async () => {
    for (const end of ending.splice(0).reverse()) await end();
  };
  try {
    const receiver = keep(new Remote<Receiver>(import.meta.resolve('../webhooks/receiver.ts')));
    const urls = await receiver.ask(
      'listen',
      Array.from({ length: WEBHOOKS }, () => FAILING),
    );
    const history = await historyOf(place, rows, urls);
    const { database, config, amounts } = history;
    const env = { ...history.env, ...KEEPING };
    const process = () => keep(new Remote<Service>(import.meta.resolve('../webhooks/service.ts'), env));
    const [emitter, ...workers] = [process(), ...Array.from({ length: NODES }, process)];
    for (const one of [emitter, ...workers]) await one.ask('prepare');
    const apis: Server[] = [];
    const loads: Remote<Load>[] = [];
    for (let node = 0; node < NODES; node++) {
      apis.push(keep(await Server.start(service, database, { databaseUrl: database.url })));
      loads.push(keep(new Remote<Load>(import.meta.resolve('../api/load.ts'))));
    }
    const db = await open(config.database);
    ending.push(() => disconnect(db));
    const backends = keep(await Backends.of(database.url));
    const spread = orderedSpread(amounts.applications);
    const tenantIds = Array.from({ length: EMITTED_FOR }, (_, index) =>
      bulkId('tenant', 1 + Math.floor((index * amounts.applications) / EMITTED_FOR), spread),
    );
    const spent = <Result>(work: () => Promise<Result>) => spentOn(db, backends, work);
    return { place, history, receiver, emitter, apis, loads, workers, db, tenantIds, spent, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function spentOn<Result>(
  db: Database,
  backends: Backends,
  work: () => Promise<Result>,
): Promise<[Result, Spent]> {
  const [walBefore, cpuBefore] = [await walPosition(db), await backends.cpuMicros()];
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const [walAfter, cpuAfter] = [await walPosition(db), await backends.cpuMicros()];
  const databaseMicros = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  return [result, { seconds, walBytes: walAfter - walBefore, databaseMicros }];
}

async function walPosition(db: Database): Promise<number> {
  const { rows }: { rows: { bytes: string }[] } = await db.raw(`select pg_current_wal_lsn() - '0/0' as bytes`);
  return Number(rows[0]?.bytes);
}
