/** The service in a separate process, which causes events as its jobs would: by `emitEvent` in a transaction. */
import { setTimeout as wait } from 'node:timers/promises';
import { build, type Parts } from '../../bin/service/build.ts';
import { startService } from '../../bin/service/service.ts';
import { startWorkers } from '../../bin/service/work.ts';
import { newId } from '../../core/ids.ts';
import { readConfig } from '../../core/settings/config.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { emitEvent } from '../../jobs/webhooks/emit-event.ts';
import { moment, offer } from '../remote.ts';
import { eventBody } from './event-body.ts';

export interface Emission {
  /** Events rotate among them. */
  tenantIds: string[];
  /** The number of the first event. */
  first: number;
  count: number;
}

/** When the transaction of an event was begun and when it was committed. */
export interface Emitted {
  event: number;
  begun: number;
  committed: number;
}

/** The concurrency of transactions, and the number of events in each. */
export interface Pace {
  atOnce: number;
  aTransaction: number;
}

export type Service = typeof functions;

let parts: Parts;

const functions = {
  /** The API and, unless RUN_WORKERS is false, the workers. */
  serve: async () => {
    parts = await startService(readConfig(process.env));
  },
  /** Neither of them yet. */
  prepare: async () => {
    parts = await build(readConfig(process.env));
  },
  /** Starts working, and says when. */
  work: async (): Promise<number> => {
    const at = moment();
    await startWorkers(parts.runtime);
    return at;
  },
  /** Events at fixed times, whether or not the previous one is done. */
  emitSteadily: async (emission: Emission, perSecond: number): Promise<Emitted[]> => {
    const startedAt = moment();
    const emitted: Promise<Emitted[]>[] = [];
    for (let index = 0; index < emission.count; index++) {
      await wait(Math.max(0, startedAt + (index * 1000) / perSecond - moment()));
      emitted.push(emit(emission, index, 1));
    }
    return (await Promise.all(emitted)).flat();
  },
  /** As fast as possible. */
  emitBurst: async (emission: Emission, { atOnce, aTransaction }: Pace): Promise<Emitted[]> => {
    const emitted: Emitted[] = [];
    let next = 0;
    const emitOn = async () => {
      for (let index = next; index < emission.count; index = next) {
        next += aTransaction;
        emitted.push(...(await emit(emission, index, Math.min(aTransaction, emission.count - index))));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, emitOn));
    return emitted;
  },
  usage: () => {
    const { user, system } = process.cpuUsage();
    return { cpuSeconds: (user + system) / 1e6, rssMib: process.memoryUsage.rss() / 2 ** 20 };
  },
};
offer(functions);

/** A number of events in one transaction. */
async function emit({ tenantIds, first }: Emission, from: number, count: number): Promise<Emitted[]> {
  const { db } = parts.runtime;
  const indices = Array.from({ length: count }, (_, index) => from + index);
  const begun = moment();
  await inTransaction(db, async (trx) => {
    for (const index of indices)
      await emitEvent(
        trx,
        parts.runtime,
        await ofTheirKey(trx, tenantIds[index % tenantIds.length] ?? ''),
        eventBody(first + index),
        new Date(),
        { cause: { id: newId(), created_at: '' } },
      );
  });
  const committed = moment();
  return indices.map((index) => ({ event: first + index, begun, committed }));
}
