import type { Database } from '../../db/connection/connect.ts';
import { dialect } from './databases.ts';

export interface WaitingJob {
  id: string;
  correlationId: string;
  startAfter: string;
  bulk: boolean;
}

type SqliteRow = { name: string; data: string; run_at: string; one_of_many: 0 | 1 };
type PostgresRow = {
  name: string;
  state: string;
  data: { id: string; correlationId: string };
  start_after: Date;
  priority: number;
};

/** The jobs of deliveries that nobody has taken, as the queue keeps them. */
export async function waitingJobs(db: Database): Promise<WaitingJob[]> {
  if (dialect === 'sqlite') {
    const rows = await db<SqliteRow>('jobs').where({ name: 'deliver-webhook' });
    return rows.map(({ data, run_at: startAfter, one_of_many }) => ({
      ...JSON.parse(data),
      startAfter,
      bulk: one_of_many === 1,
    }));
  }
  const rows = await db<PostgresRow>('pgboss.job').where({ name: 'deliver-webhook', state: 'created' });
  return rows.map(({ data, start_after, priority }) => ({
    ...data,
    startAfter: start_after.toISOString(),
    bulk: priority < 0,
  }));
}
