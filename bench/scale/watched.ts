import { type WatchPostgres, watchPostgres } from '../../harness/plans/watch-postgres.ts';
import { execute } from '../databases.ts';

/** Watches the statements of this process, which explaining slows down. Afterwards the database explains nothing any more. */
export async function watched<Found>(url: string, work: (watch: WatchPostgres) => Promise<Found>): Promise<Found> {
  const watch = await watchPostgres(url);
  try {
    return await work(watch);
  } finally {
    watch.end();
    await execute(url, `alter database ${new URL(url).pathname.slice(1)} reset all`);
  }
}
