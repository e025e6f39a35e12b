import { type Command, Option } from 'commander';
import type { Database } from '../../../db/connection/connect.ts';
import type { WorkTable } from '../../../db/work/work.ts';
import { list } from './output.ts';
import { example, withRuntime } from './run-command.ts';
import { DEFAULT_LIMIT, LONGEST_LIST, parseLimit } from './values.ts';

/** Work on one tenant: the tables share their columns. */
export interface Activity {
  noun: string;
  /** What its id is called. */
  id: string;
  plural: string;
  table: WorkTable;
  statuses: string[];
}

export function addActivityList(command: Command, activity: Activity): void {
  const { noun, plural, statuses } = activity;
  command
    .command('list')
    .description(`list ${plural}, the newest first`)
    .addOption(new Option('--status <status>', 'those in one state').choices(statuses))
    .option('--limit <n>', `how many at most, up to ${LONGEST_LIST}`, parseLimit, DEFAULT_LIMIT)
    .addHelpText('after', example(`${noun} list --status ${statuses.at(-1)}`))
    .action(
      withRuntime(async ({ db }, { status, limit }: { status?: string; limit: number }) => {
        const rows = await find(db, activity, status === undefined ? statuses : [status], limit + 1);
        const note = rows.length > limit ? `These are the newest ${limit}; --limit shows more.` : undefined;
        return list(rows.slice(0, limit), {
          columns: ['tenant_id', 'email', 'status', 'failure', 'created_at', 'finished_at'],
          cut: ['email', 'failure'],
          note,
          empty: `There are no such ${plural}.`,
        });
      }),
    );
}

function find(db: Database, { id, table }: Activity, statuses: readonly string[], limit: number) {
  return db(table)
    .join('tenants', 'tenants.id', `${table}.tenant_id`)
    .whereIn(`${table}.status`, statuses)
    .orderBy(['created_at', 'id'].map((column) => ({ column: `${table}.${column}`, order: 'desc' })))
    .limit(limit)
    .select({
      [id]: `${table}.id`,
      tenant_id: 'tenant_id',
      email: 'email',
      status: `${table}.status`,
      failures: 'failures',
      failure: 'failure',
      created_at: `${table}.created_at`,
      finished_at: 'finished_at',
    });
}
