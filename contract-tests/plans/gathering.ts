import type { Database } from '../../db/connection/connect.ts';
import { dialectOf, insertBulk } from '../../harness/database/bulk-rows.ts';

export const YEAR_DAYS = 365;
const YEAR_MINUTES = YEAR_DAYS * 24 * 60;

/** How many there are of what other rows refer to. */
const APPLICATIONS = 8_000;
export const amounts = { applications: APPLICATIONS, participants: 3 * APPLICATIONS, tenants: 2 * APPLICATIONS };

/** What the values of many rows are made of, in the SQL of a database. `i` is a row's number. */
export class Gathering {
  readonly db: Database;
  readonly id: (kind: Parameters<ReturnType<typeof dialectOf>['id']>[0], number?: string) => string;
  readonly minutesAgo: (minutes: string) => string;
  /** A moment to come, in no order. */
  readonly soon: string;

  constructor(db: Database) {
    const { id, minutesAgo } = dialectOf(db);
    this.db = db;
    this.id = (kind, number = 'i') => id(kind, number);
    this.minutesAgo = minutesAgo;
    this.soon = minutesAgo('-600 - i * 7919 % 10007');
  }

  add(table: string, amount: number, columns: Record<string, string>): Promise<void> {
    return insertBulk(this.db, table, amount, columns);
  }

  /** Moments over the year, the oldest last. */
  over(amount: number): string {
    return this.minutesAgo(`i * ${YEAR_MINUTES / amount}`);
  }

  /** What is given out to be done, and was done. */
  done(amount: number, status: string): Record<string, string> {
    return { status: `'${status}'`, failures: '0', created_at: this.over(amount), finished_at: this.over(amount) };
  }
}

/** Of every so many rows one is like this, the others like that. */
export function every(nth: number, is: string, otherwise: string): string {
  return `case when i % ${nth} = 0 then ${is} else ${otherwise} end`;
}
