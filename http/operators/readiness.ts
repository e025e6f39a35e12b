import { isSchemaKnown } from '../../db/connection/known-schema.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { measured } from './measured.ts';
import type { WorkerLoops } from './worker-loops.ts';

/** The time in which the database has to answer. */
const ANSWER_MS = 1_000;

export const parts = ['database', 'schema', 'workers', 'stopping'] as const;

/** By part: why the process should get no requests, or null. */
export type Readiness = Record<(typeof parts)[number], string | null>;

export interface Watched {
  db: Runtime['db'];
  /** Undefined in a process without workers. */
  loops: WorkerLoops | undefined;
  stopping: AbortSignal | undefined;
}

/** @returns looks at each part; answers within about a second, whatever the database does */
export function readinessOf({ db, loops, stopping }: Watched): () => Promise<Readiness> {
  const lookAtSchema = measured(() => isSchemaKnown(db), { freshMs: 0, waitMs: ANSWER_MS });
  return async () => {
    const isKnown = await lookAtSchema();
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
