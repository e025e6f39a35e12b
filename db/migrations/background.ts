import type { Knex } from 'knex';

/**
 * Long work that follows a migration beside the running service: workers do it after the start, or `db migrate --background`.
 * No statement of this version or the one before depends on it; a later migration may, by its `after`.
 */
export type BackgroundMigration = { name: string } & (BuildIndex | BackFill);

export interface BuildIndex {
  index: {
    /** Table, columns and condition: `landlords (name) where name <> ''`. */
    on: string;
    unique?: boolean;
    name: string;
  };
}

export interface BackFill {
  /**
   * Changes some rows behind a position, in a transaction with the note of how far it came, so that it goes on there in any process.
   * @param position where the batch before ended; null at first
   * @returns where this one ended, and how many rows it changed; undefined once there are no more
   */
  batch(trx: Knex.Transaction, position: string | null): Promise<{ position: string; rows: number } | undefined>;
}

/** In order; never edited once released. */
export const backgroundMigrations: readonly BackgroundMigration[] = [];
