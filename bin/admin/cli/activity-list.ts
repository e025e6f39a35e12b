import { type Command, Option } from 'commander';
import { listWork, type TenantWorkTable } from '../../../db/work/work-lists.ts';
import { auditRead } from './operator.ts';
import { list } from './output.ts';
import { example } from './run-command.ts';
import { limitOption } from './values.ts';
import { withReads } from './with-reads.ts';

/** A kind of background work on tenants. Their tables share the listed columns. */
export interface Activity {
  noun: string;
  /** The name of the id in outputs, such as `kyc_id`. */
  id: string;
  plural: string;
  table: TenantWorkTable;
  statuses: string[];
  /** Whether lists show the outcome and its reason. */
  audited: Parameters<typeof auditRead>[1];
}

export function addActivityList(command: Command, activity: Activity): void {
  const { noun, plural, statuses } = activity;
  command
    .command('list')
    .description(`list ${plural}, newest first`)
    .addOption(new Option('--status <status>', 'those in one state').choices(statuses))
    .addOption(limitOption())
    .addHelpText('after', example(`${noun} list --status ${statuses.at(-1)}`))
    .action(
      withReads(async ({ db, reads, now }, { status, limit }: { status?: string; limit: number }) => {
        await auditRead(db, activity.audited, 'list', now());
        const found = await listWork(reads, activity.table, status === undefined ? statuses : [status], limit + 1);
        const rows = found.map(({ id, ...row }) => ({ [activity.id]: id, ...row }));
        return list(rows, {
          columns: ['tenant_id', 'email', 'status', 'failure', 'created_at', 'finished_at'],
          cut: ['email', 'failure'],
          drop: ['finished_at', 'created_at', 'failure'],
          limit,
          empty: `There are no such ${plural}.`,
        });
      }),
    );
}
