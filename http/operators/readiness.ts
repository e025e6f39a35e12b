import { isSchemaKnown } from '../../db/connection/known-schema.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { measured } from './measured.ts';
import type { WorkerLoops } from './worker-loops.ts';

/** How long the database may take to answer. */
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

/** @returns a function that checks each part; answers within about a second, regardless of the database */
export function readinessOf({ db, loops, stopping }: Watched): () => Promise<Readiness> {
  const checkSchema = measured(() => isSchemaKnown(db), { freshMs: 0, waitMs: ANSWER_MS });
  return async () => {
    const isKnown = await checkSchema();
    const late = loops?.late() ?? [];
    return {
      database: isKnown === undefined ? `no answer within ${ANSWER_MS} ms` : null,
      schema: isKnown === false ? 'not the schema of this version' : null,
      workers: late.length > 0 ? `no work is brought to ${late.join(', ')}` : null,
      stopping: stopping?.aborted ? 'asked to stop' : null,
    };
  };
}

export function isReady(readiness: Readiness): boolean {
  return parts.every((part) => readiness[part] === null);
}
