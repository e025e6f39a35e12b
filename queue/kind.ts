import type { Log } from '../core/log.ts';
import type { RetryPolicy } from '../core/rules/retry-delay.ts';
import type { Clock } from '../core/time.ts';
import type { Database } from '../db/connection/database.ts';
import type { WorkTable } from '../db/work/work.ts';
import type { Ending } from './lane-policy.ts';

/** How the rows of one kind of work are claimed, processed and retried. */
export interface Kind {
  table: WorkTable;
  /** How many rows one process claims at once. */
  concurrency: number;
  /** Without a policy, an error is no attempt: the work records its own failures, and the row is due again in a moment. */
  retry?: RetryPolicy;
  /** Whether a retry is useless. */
  isPermanent?: (error: unknown) => boolean;
  /** The error as operators see it; its message by default. */
  reason?: (error: unknown) => string;
}

export type Kinds<Name extends string> = Readonly<Record<Name, Kind>>;

export function namesOf<Name extends string>(kinds: Readonly<Record<Name, unknown>>): Name[] {
  const names: Name[] = [];
  for (const name in kinds) names.push(name);
  return names;
}

/** What happens to the rows in this process, for logs and metrics. */
export interface QueueEvents<Name extends string> {
  claimed: [name: Name, id: string];
  started: [name: Name, id: string];
  completed: [name: Name, id: string, durationMs: number, ending: Ending];
  failed: [name: Name, id: string, error: unknown];
  'lease lost': [name: Name, id: string];
  'lease expired': [name: Name, id: string];
  'set aside': [name: Name, id: string];
}

/** An `EventEmitter` of these events, and of any others. */
export interface QueueEmitter<Name extends string> {
  emit<Event extends keyof QueueEvents<Name>>(event: Event, ...details: QueueEvents<Name>[Event]): unknown;
}

/** What the queue needs of the service. */
export interface QueueContext<Name extends string> {
  db: Database;
  now: Clock;
  log: Log;
  work: QueueEmitter<Name>;
}
