import pg from 'pg';

/** Whether the server updates statistics automatically. */
export async function keepAutovacuum(databaseUrl: string, setting: 'on' | 'off'): Promise<void> {
  await execute(databaseUrl, [`alter system set autovacuum = ${setting}`, 'select pg_reload_conf()']);
}

/** Updates the statistics of the tables. */
export function makeStatistics(databaseUrl: string): Promise<void> {
  return execute(databaseUrl, ['analyze']);
}

async function execute(connectionString: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
