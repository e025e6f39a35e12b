import { readFile } from 'node:fs/promises';
import pg from 'pg';

/** The clock of Linux's /proc. */
const TICKS_A_SECOND = 100;

/** CPU used by the Postgres backends of one database, in microseconds; undefined where the system does not expose it. */
export class Backends {
  private readonly client: pg.Client;

  private constructor(client: pg.Client) {
    this.client = client;
  }

  static async of(databaseUrl: string): Promise<Backends> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    return new Backends(client);
  }

  async cpuMicros(): Promise<number | undefined> {
    const { rows } = await this.client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    const all = await Promise.all(rows.map(({ pid }) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)));
    const known = all.filter((stat) => stat !== undefined);
    if (known.length === 0) return undefined;
    return known.map(microsOf).reduce((sum, micros) => sum + micros, 0);
  }

  end(): Promise<void> {
    return this.client.end();
  }
}

/** After the name in brackets come the state and then, as the 12th and 13th, what it used for itself and in the system. */
function microsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND) * 1e6;
}
