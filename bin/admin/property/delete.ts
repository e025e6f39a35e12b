import type { Command } from 'commander';
import { findApplicationAbout } from '../../../db/applications/linked-property.ts';
import { deleteProperty } from '../../../db/properties/properties.ts';
import { type ConfirmOptions, confirmed, confirmOption } from '../cli/confirm.ts';
import { OperatorError } from '../cli/faults.ts';
import { auditOperator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { namedProperty } from './named.ts';

export function addDeletePropertyCommand(property: Command): void {
  property
    .command('delete')
    .description('forget a property that no application is about')
    .argument('<property>', 'the id of the property')
    .addOption(confirmOption())
    .addHelpText('after', example('property delete <property id>', 'property delete <property id> --yes'))
    .action(deleteOne);
}

const deleteOne = withRuntime(async ({ db, now }, propertyId: string, options: ConfirmOptions) => {
  const { id, property_id, property_reference, workspace_id } = await namedProperty(db, propertyId);
  await confirmed(options, `The property ${property_id} is deleted, for good.`);
  const isDeleted = await db.transaction(async (trx) => {
    const deleted = await deleteProperty(trx, id);
    if (deleted) await auditOperator(trx, 'property.delete', property_id, now());
    return deleted;
  });
  if (!isDeleted) {
    const about = await findApplicationAbout(db, id);
    if (!about) throw new OperatorError('somebody else deleted the property meanwhile');
    throw new OperatorError(
      `the application ${about} is about the property; first ${commandLine(`application link-property ${about} --none`)}`,
    );
  }
  return record('The property was deleted.', { property_id, property_reference, workspace_id });
});
