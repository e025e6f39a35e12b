/** A statement whose cost grows with a table. */
export interface Fault {
  /** What sent it. */
  by: string;
  text: string;
  why: string;
  plan: string;
}

/** Sees every statement that reaches a database, below whatever sends it: it is the drivers that are watched. */
export interface Watch {
  /** What is sent until the work is done is sent by it. */
  during<Result>(by: string, work: () => Promise<Result>): Promise<Result>;
  /** How many statements it sent. */
  sentBy(by: string): number;
  /** What is wrong with the plans of all that was seen so far. */
  faults(): Promise<Fault[]>;
  end(): void;
}

/** Who sends before anything is asked for. */
export const START = 'the start';

/** Who sends at the moment. Nothing is to run beside it. */
export class Sender {
  current = START;
  readonly #sent = new Map<string, number>();

  async during<Result>(by: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.current;
    this.current = by;
    try {
      return await work();
    } finally {
      this.current = before;
    }
  }

  note(by: string): void {
    this.#sent.set(by, this.sentBy(by) + 1);
  }

  sentBy(by: string): number {
    return this.#sent.get(by) ?? 0;
  }
}

/**
 * Tables that stay as small as they are, however much is stored; of the queue's, those that have a row for each kind of job, and the one
 * for jobs that wait for each other, which ours do not.
 */
const SMALL = [
  /^(encryption_keys|owed_wipes|knex_migrations|knex_migrations_lock)$/,
  /^(version|queue|schedule|subscription|bam|warning|queue_stats\w*|job_dependency)$/,
  /^(sqlite|pg)_/,
];

export function growsFor(table: string): boolean {
  return !SMALL.some((name) => name.test(table));
}
