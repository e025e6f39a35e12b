import type { Command } from 'commander';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { findSetAside, listSetAside, pagesOfSetAside, releaseSetAside } from '../../../db/work/set-aside.ts';
import { expectFound } from '../cli/named.ts';
import { auditOperator } from '../cli/operator.ts';
import { list } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { limitOption } from '../cli/values.ts';

export function addWorkCommands(work: Command): void {
  work
    .command('set-aside')
    .description('list work that was set aside, because its lease expired five times: it kills its worker')
    .addOption(limitOption())
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
const LAYOUT = { columns: [...COLUMNS], empty: 'No work has been set aside.' };

const listAll = withRuntime(async ({ db }, { limit }: { limit: number }) =>
  list(
    (await listSetAside(db, limit + 1)).map((row) => ({ ...row })),
    { ...LAYOUT, limit },
  ),
);

const release = withRuntime(async ({ db, now }, id?: string) => {
  const rows =
    id === undefined
      ? (await Array.fromAsync(pagesOfSetAside(db))).flat()
      : [expectFound(await findSetAside(db, id), 'work that was set aside', id, 'work set-aside')];
  for (const row of rows)
    await inTransaction(db, async (trx) => {
      if (await releaseSetAside(trx, row.id, now())) await auditOperator(trx, 'work.release', row.id, now());
    });
  return list(
    rows.map((row) => ({ ...row })),
    { ...LAYOUT, note: 'It is handed over within seconds.' },
  );
});
