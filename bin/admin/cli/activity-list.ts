import { type Command, Option } from 'commander';
import { listWork, type TenantWorkTable } from '../../../db/work/work-lists.ts';
import { auditRead } from './operator.ts';
import { list } from './output.ts';
import { example, withRuntime } from './run-command.ts';
import { limitOption } from './values.ts';

/** A kind of background work on tenants. Their tables share the listed columns. */
export interface Activity {
  noun: string;
  /** The name of the id in outputs, such as `kyc_id`. */
  id: string;
  plural: string;
  table: TenantWorkTable;
  statuses: string[];
  /** A list shows how they ended, and why. */
  audited: Parameters<typeof auditRead>[1];
}

export function addActivityList(command: Command, activity: Activity): void {
  const { noun, plural, statuses } = activity;
  command
    .command('list')
    .description(`list ${plural}, the newest first`)
    .addOption(new Option('--status <status>', 'those in one state').choices(statuses))
    .addOption(limitOption())
    .addHelpText('after', example(`${noun} list --status ${statuses.at(-1)}`))
    .action(
      withRuntime(async ({ db, now }, { status, limit }: { status?: string; limit: number }) => {
        await auditRead(db, activity.audited, 'list', now());
        const found = await listWork(db, activity.table, status === undefined ? statuses : [status], limit + 1);
        const rows = found.map(({ id, ...row }) => ({ [activity.id]: id, ...row }));
        return list(rows, {
          columns: ['tenant_id', 'email', 'status', 'failure', 'created_at', 'finished_at'],
          cut: ['email', 'failure'],
          limit,
          empty: `There are no such ${plural}.`,
        });
      }),
    );
}
