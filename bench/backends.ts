import { readFile } from 'node:fs/promises';
import pg from 'pg';

/** The clock of Linux's /proc. */
const TICKS_A_SECOND = 100;

/**
 * CPU used by the Postgres backends of one database, in microseconds; undefined where the system does not expose it. Those that ended
 * since count, too: the time of the server's ended children is in that of the server.
 */
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
    const all = await Promise.all(rows.map(({ pid }) => fieldsOf(pid)));
    const [first, ...others] = all.filter((fields) => fields !== undefined);
    const server = first && (await fieldsOf(Number(first[PARENT])));
    if (!first || !server) return undefined;
    return [first, ...others].reduce((sum, fields) => sum + microsIn(fields, OWN), microsIn(server, OF_ENDED_CHILDREN));
  }

  end(): Promise<void> {
    return this.client.end();
  }
}

/** Where in Linux's /proc/PID/stat, behind the name in brackets, the parent is, and times in the program and in the system. */
const PARENT = 1;
const OWN = [11, 12];
const OF_ENDED_CHILDREN = [13, 14];

async function fieldsOf(pid: number): Promise<string[] | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function microsIn(fields: readonly string[], places: readonly number[]): number {
  const ticks = places.reduce((sum, place) => sum + Number(fields[place]), 0);
  return (ticks / TICKS_A_SECOND) * 1e6;
}
