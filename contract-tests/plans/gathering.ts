import type { Database } from '../../db/connection/database.ts';
import { dialectOf, insertBulk } from '../../harness/database/bulk-rows.ts';

export const YEAR_DAYS = 365;
const YEAR_MINUTES = YEAR_DAYS * 24 * 60;

/** Row counts of referenced tables. */
const APPLICATIONS = 8_000;
export const amounts = { applications: APPLICATIONS, participants: 3 * APPLICATIONS, tenants: 2 * APPLICATIONS };

/** SQL expressions that generate row values. `i` is the row number. */
export class Gathering {
  readonly db: Database;
  readonly id: (kind: Parameters<ReturnType<typeof dialectOf>['id']>[0], number?: string) => string;
  readonly minutesAgo: (minutes: string) => string;
  /** A future time, in random order. */
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

  /** Times within the year, newest first. */
  over(amount: number, number = 'i'): string {
    return this.minutesAgo(`(${number}) * ${YEAR_MINUTES / amount}`);
  }

  /** The columns of finished work. */
  done(amount: number, status: string): Record<string, string> {
    return { status: `'${status}'`, failures: '0', created_at: this.over(amount), finished_at: this.over(amount) };
  }
}

/** One in this many rows has the first value, all others the second. */
export function every(nth: number, is: string, otherwise: string): string {
  return `case when i % ${nth} = 0 then ${is} else ${otherwise} end`;
}
