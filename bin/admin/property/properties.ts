import type { Command } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { countApplicationsAbout, findApplicationAbout } from '../../../db/applications/linked-property.ts';
import type { Database } from '../../../db/connection/database.ts';
import {
  deleteProperty,
  findListedProperty,
  type ListedProperty,
  listProperties,
} from '../../../db/properties/properties.ts';
import { type ConfirmOptions, confirmed, confirmOption } from '../cli/confirm.ts';
import { OperatorError } from '../cli/faults.ts';
import { expectFound, namedLandlord } from '../cli/named.ts';
import { audited } from '../cli/operator.ts';
import { filled, list, record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { limitOption } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';
import { addImportCommand } from './import.ts';

export function addPropertyCommands(property: Command): void {
  addImportCommand(property);
  property
    .command('list')
    .description('list properties with the identifiers that the API requires, newest first')
    .requiredOption('--landlord <id>', 'the landlord')
    .option('--workspace <id>', 'those of one workspace')
    .addOption(limitOption())
    .option('--after <property>', 'those that follow this one in the list')
    .addHelpText('after', example('property list --landlord <landlord id> --limit 1000 --after <property id>'))
    .action(listAll);
  property
    .command('show')
    .description('show everything known about a property')
    .argument('<property>', 'the id of the property', canonicalId)
    .addHelpText('after', example('property show <property id>'))
    .action(show);
  property
    .command('delete')
    .description('delete a property that no application refers to')
    .argument('<property>', 'the id of the property', canonicalId)
    .addOption(confirmOption())
    .addHelpText('after', example('property delete <property id>', 'property delete <property id> --yes'))
    .action(deleteOne);
}

interface ListOptions {
  landlord: string;
  workspace?: string;
  limit: number;
  after?: string;
}

const listAll = withReads(async ({ reads: db }, { landlord, workspace, limit, after }: ListOptions) => {
  const { id } = await namedLandlord(db, landlord);
  const filter = {
    landlordId: id,
    workspaceId: workspace,
    after: after === undefined ? undefined : (await namedProperty(db, after)).id,
  };
  const rows = await listProperties(db, filter, limit + 1);
  const shown = rows.slice(0, limit);
  return list(shown, {
    columns: ['property_id', 'property_reference', 'workspace_id', 'workspace_name'],
    cut: ['property_reference', 'workspace_name'],
    drop: ['workspace_id', 'workspace_name'],
    note: rows.length > limit ? `There are more; see them with --after ${shown.at(-1)?.property_id}` : undefined,
    empty: `There are no such properties. Import some:\n  ${commandLine(`property import --landlord ${landlord} <file>`)}`,
  });
});

const show = withRuntime(async ({ db }, propertyId: string) => {
  const { id, workspace_internal_id: _internal, ...fields } = await namedProperty(db, propertyId);
  const all = { ...fields, applications: await countApplicationsAbout(db, id) };
  return { json: all, text: record(`The property ${propertyId}:`, filled(all)).text };
});

const deleteOne = withRuntime(async ({ db, now }, propertyId: string, options: ConfirmOptions) => {
  const { id, property_id, property_reference, workspace_id } = await namedProperty(db, propertyId);
  await confirmed(options, `The property ${property_id} is deleted permanently.`);
  const isDeleted = await audited(db, ['property.delete', property_id, now()], (trx) => deleteProperty(trx, id));
  if (!isDeleted) {
    const about = await findApplicationAbout(db, id);
    if (!about) throw new OperatorError('the property was deleted in the meantime');
    throw new OperatorError(
      `the application ${about} is about the property; first ${commandLine(`application link-property ${about} --none`)}`,
    );
  }
  return record('The property was deleted.', { property_id, property_reference, workspace_id });
});

/** @throws OperatorError when there is no such property */
async function namedProperty(db: Database, id: string): Promise<ListedProperty> {
  return expectFound(await findListedProperty(db, id), 'property', id, 'property list --landlord <landlord id>');
}
