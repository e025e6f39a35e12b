/** A statement whose cost grows with a table. */
export interface Fault {
  /** The source of the statement. */
  by: string;
  text: string;
  why: string;
  plan: string;
}

/** Observes every statement at the driver, whatever its source. */
export interface Watch {
  /** Attributes all statements to this source until the work is done. */
  during<Result>(by: string, work: () => Promise<Result>): Promise<Result>;
  /** The number of statements per source. */
  sentBy(by: string): number;
  /** The faults in the plans of all statements so far, or of one source's statements: explaining all takes seconds. */
  faults(by?: string): Promise<Fault[]>;
  end(): void;
}

/** Duties of the service may fall into one try, but not into each of these. */
const TRIES = 3;

/** @returns how many statements the cheapest of some tries of the work sends; the first that sends no more than `enough` is the last */
export async function fewestSent(
  watch: Watch,
  by: string,
  enough: number,
  work: () => Promise<unknown>,
): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && fewest > enough; tries++) {
    const before = watch.sentBy(by);
    await watch.during(by, work);
    fewest = Math.min(fewest, watch.sentBy(by) - before);
  }
  return fewest;
}

/** The source of statements before the first request. */
export const START = 'the start';

/** The current source. Nothing else may run meanwhile. */
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
 * Tables that stay small however much is stored; of the queue's, those with one row per kind of job, and the one for dependent jobs, which
 * we do not use.
 */
const SMALL = [
  /^(encryption_keys|owed_wipes|knex_migrations|knex_migrations_lock|migration_compatibility|background_migrations)$/,
  /^(version|queue|schedule|subscription|bam|warning|queue_stats\w*|job_dependency)$/,
  // Operators, and the seal and the last verification of the audit log.
  /^(console_(accounts|links|sessions)|account_(passkeys|forms|notices))$/,
  /^audit_(seals|verifications)$/,
  // Webhooks that were paused or resumed within the last minutes.
  /^webhook_sweeps$/,
  // Documents in transit, and removals that the document store refused.
  /^document_moves$/,
  // One key seals reports; rotation adds one.
  /^signing_keys$/,
  // An operator makes a few a year.
  /^audit_archives$/,
  /^(sqlite|pg)_/,
];

export function growsFor(table: string): boolean {
  return !SMALL.some((name) => name.test(table));
}
