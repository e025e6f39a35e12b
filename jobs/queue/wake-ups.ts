import { setTimeout as wait } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { Log } from '../../core/log.ts';
import type { JobName } from './queue.ts';

const CHANNEL = 'tenant_screening_jobs';
/** Two thirds of what a start in another process may take (15 ms): at a higher rate, a wake-up for each would cost more than the work. */
const PAUSE_MS = 10;

/** Between processes: who sent jobs tells those who can run them. */
export interface WakeUps {
  /** At once, or with others that are asked for meanwhile. */
  send(name: JobName): void;
  /** @param wake is called with a name, or without one when wake-ups may have been lost */
  hear(wake: (name?: string) => void): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Sent after the commit instead of within the transaction: Postgres lets no two transactions commit at once that notify. A wake-up that
 * is lost with its process costs what is left until the next poll.
 */
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
      // Who sends last, while its process ends, leaves it to the polls of the others.
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
