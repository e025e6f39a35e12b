import type { Command } from 'commander';
import { headText } from '../../../core/rules/audit-chain.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { acceptHead } from '../../../jobs/upkeep/audit-witnesses.ts';
import { chainAudit } from '../../../jobs/upkeep/chain-audit.ts';
import { type ConfirmOptions, confirmed, confirmOption } from '../cli/confirm.ts';
import { auditOperator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';

export function addKeepCommand(audit: Command): void {
  audit
    .command('keep-head')
    .description('accept the log as it is, after a restore: keep its head in place of the head kept before')
    .addOption(confirmOption())
    .addHelpText('after', '\nWhat the former head proved cannot be asked any more.')
    .addHelpText('after', example('audit keep-head'))
    .action(keepHead);
}

const keepHead = withRuntime(async (runtime, options: ConfirmOptions) => {
  const { place } = runtime.providers.auditHead;
  await confirmed(options, `The head kept in ${place} will be replaced: what it proved cannot be asked any more.`);
  const moment = runtime.now();
  await inTransaction(runtime.db, (trx) => auditOperator(trx, 'database.keep-audit-head', 'audit_entries', moment));
  await chainAudit(runtime);
  const head = await acceptHead(runtime);
  return record('The head of the audit log is kept.', { head: headText(head), place });
});
