import knex from 'knex';
import type { Config } from '../../core/settings/config.ts';
import type { Database } from '../../db/connection/database.ts';

const INT8 = 20;

/** Knex with its defaults. Durability settings are left out, because they change no answer. */
export function plainDatabase(settings: Config['database']): Database {
  if (settings.dialect === 'postgres')
    return knex({
      client: 'pg',
      connection: settings.url,
      pool: {
        afterCreate(client: { setTypeParser(type: number, parse: (text: string) => number): void }, done: () => void) {
          client.setTypeParser(INT8, Number);
          done();
        },
      },
    });
  return knex({ client: 'better-sqlite3', connection: { filename: settings.file }, useNullAsDefault: true });
}
