import { setTimeout as wait } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { Log } from '../../core/log.ts';
import type { JobName } from './queue.ts';

const CHANNEL = 'tenant_screening_jobs';
/** Two thirds of the 15 ms that a job may take to start in another process. Without a pause, wake-ups would cost more than the work. */
const PAUSE_MS = 10;

/** Between processes: the sender of jobs wakes the processes that can run them. */
export interface WakeUps {
  /** Sends a wake-up now, or together with others that arrive meanwhile. */
  send(name: JobName): void;
  /** @param wake is called with a name, or without one when wake-ups may have been lost */
  hear(wake: (name?: string) => void): Promise<void>;
  stop(): Promise<void>;
}

/** Sent after the commit, because Postgres serialises the commits of transactions that notify. A lost wake-up delays a job until the next poll. */
export function createWakeUps(boss: PgBoss, log: Log): WakeUps {
  const asked = new Set<JobName>();
  let isSending = false;
  let isStopped = false;
  let listening: { close(): Promise<void> } | undefined;

  const sendAll = async (): Promise<void> => {
    while (asked.size > 0) {
      const names = [...asked];
      asked.clear();
      await boss.getDb().executeSql('select pg_notify($1, name) from unnest($2::text[]) as name', [CHANNEL, names]);
      await wait(PAUSE_MS);
    }
  };
  return {
    send(name) {
      asked.add(name);
      // While this process stops, the polls of the others find the jobs.
      if (isSending || isStopped) return;
      isSending = true;
      sendAll()
        .catch((error) => log.warn({ err: error }, 'other processes not woken'))
        .finally(() => {
          isSending = false;
        });
    },
    async hear(wake) {
      try {
        listening ??= await boss.getDb().listen?.(CHANNEL, wake, () => wake());
      } catch (error) {
        log.warn({ err: error }, 'wake-ups of other processes cannot be heard; jobs are polled for');
      }
    },
    async stop() {
      isStopped = true;
      await listening?.close();
    },
  };
}
