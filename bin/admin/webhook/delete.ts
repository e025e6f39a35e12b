import type { Command } from 'commander';
import { deleteWebhook } from '../../../db/webhooks/webhooks.ts';
import { type ConfirmOptions, confirmed, confirmOption } from '../cli/confirm.ts';
import { OperatorError } from '../cli/faults.ts';
import { auditOperator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { namedWebhook } from './named.ts';

export function addDeleteCommand(webhook: Command): void {
  webhook
    .command('delete')
    .description('forget a webhook with its deliveries, waiting ones too, and its secrets; to hold them, pause it')
    .argument('<webhook>', 'the id of the webhook')
    .addOption(confirmOption())
    .addHelpText('after', example('webhook delete <webhook id>', 'webhook delete <webhook id> --yes'))
    .action(deleteOne);
}

const deleteOne = withRuntime(async ({ db, now }, id: string, options: ConfirmOptions) => {
  const { url, client_id } = await namedWebhook(db, id);
  await confirmed(options, `The webhook ${id} to ${url} is deleted with all its deliveries, for good.`);
  const deliveries = await db.transaction(async (trx) => {
    const deleted = await deleteWebhook(trx, id);
    if (deleted !== undefined) await auditOperator(trx, 'webhook.delete', id, now());
    return deleted;
  });
  if (deliveries === undefined) throw new OperatorError('somebody else deleted the webhook meanwhile');
  return record('The webhook was deleted.', { webhook_id: id, url, client_id, deliveries });
});
