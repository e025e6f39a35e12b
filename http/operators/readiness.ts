import type { Runtime } from '../../jobs/runtime.ts';
import { DatabaseWatch } from './database-watch.ts';
import { measured } from './measured.ts';
import type { WorkerLoops } from './worker-loops.ts';

/** How long a probe waits for the current answer of the database. */
const ANSWER_MS = 1_000;

export const parts = ['database', 'schema', 'workers', 'stopping'] as const;

/** For each part, the reason why the process should get no requests, or null. */
export type Readiness = Record<(typeof parts)[number], string | null>;

export interface Watched {
  db: Runtime['db'];
  /** Undefined in a process without workers. */
  loops: WorkerLoops | undefined;
  stopping: AbortSignal | undefined;
}

/**
 * Slow is not down: a process that answers late still serves, and all its replicas have the same database.
 * @returns a function that checks each part; answers within about a second, regardless of the database
 */
export function readinessOf({ db, loops, stopping }: Watched): () => Promise<Readiness> {
  const watch = new DatabaseWatch(db);
  const inTime = measured(() => watch.probe(), { freshMs: 0, waitMs: ANSWER_MS });
  return async () => {
    await inTime();
    const late = loops?.late() ?? [];
    return {
      database: watch.failure,
      schema: watch.isSchemaKnown ? null : 'not the schema of this version',
      workers: late.length > 0 ? `no work is brought to ${late.join(', ')}` : null,
      stopping: stopping?.aborted ? 'asked to stop' : null,
    };
  };
}

export function isReady(readiness: Readiness): boolean {
  return parts.every((part) => readiness[part] === null);
}
