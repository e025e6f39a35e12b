import type { Command } from 'commander';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { listSetAside, releaseSetAside, type SetAsideRow } from '../../../db/work/set-aside.ts';
import { auditOperator } from '../cli/operator.ts';
import { list } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';

const MAX_LISTED = 1_000;

export function addWorkCommands(work: Command): void {
  work
    .command('set-aside')
    .description('list work that was set aside, because its lease expired five times: it kills its worker')
    .addHelpText('after', example('work set-aside'))
    .action(listAll);
  work
    .command('release')
    .description('hand work over again that was set aside')
    .argument('[id]', 'its id; without it, all')
    .addHelpText('after', example('work release', 'work release 3f0e6f5a-5ec1-4c8a-9d0e-8f2b1c7a9e54'))
    .action(release);
}

const COLUMNS = ['id', 'kind', 'set_aside_at'] as const;
const NONE = 'No work has been set aside.';

const rowOf = ({ id, kind, set_aside_at }: SetAsideRow) => ({ id, kind, set_aside_at });

const listAll = withRuntime(async ({ db }) => {
  return list((await listSetAside(db, MAX_LISTED)).map(rowOf), { columns: [...COLUMNS], empty: NONE });
});

const release = withRuntime(async ({ db, now }, id?: string) => {
  const rows = (await listSetAside(db, MAX_LISTED)).filter((row) => id === undefined || row.id === id);
  for (const row of rows)
    await inTransaction(db, async (trx) => {
      if (await releaseSetAside(trx, row.id, now())) await auditOperator(trx, 'work.release', row.id, now());
    });
  return list(rows.map(rowOf), { columns: [...COLUMNS], empty: NONE, note: 'It is handed over within seconds.' });
});
