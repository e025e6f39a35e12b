import type { Command } from 'commander';
import { Conflict } from '../../core/errors.ts';
import type { Transaction } from '../../db/connect.ts';
import {
  addProperty,
  addWorkspace,
  findPropertiesByReference,
  findWorkspacesByName,
  lockLandlord,
} from '../../db/provisioning.ts';
import type { PropertyRow, WorkspaceRow } from '../../db/rows.ts';
import { OperatorError } from './faults.ts';
import { readGivenFile } from './given-file.ts';
import { getLandlord } from './landlords.ts';
import { list } from './output.ts';
import type { FileProperty, FileWorkspace } from './property-file.ts';
import { example, typed, withRuntime } from './run-command.ts';

const FILE_HELP = `
The file holds one JSON object:
  {"workspaces": [
    {"workspace_id": "<UUID>", "workspace_name": "Madrid centre", "properties": [
      {"property_id": "<id>", "property_reference": "MAD-ALC-42-3B",
       "rent_amount": 1450.5, "street": "Calle de Alcalá", "street_number": 42,
       "entrance_stairwell": "A", "floor": 3, "letter": "B",
       "postal_code": "28014", "municipality": "Madrid", "province": "Madrid",
       "bedrooms": 2, "bathrooms": 1}]}]}

What is there already is changed, so a file can be imported again. A workspace
without workspace_id is recognised by its name, a property without property_id
by its property_reference in the workspace. What a property leaves out stays as
it is; null empties a field. All of the file is imported, or nothing.`;

export function addPropertyCommands(property: Command): void {
  property
    .command('import')
    .description('add or change workspaces and properties from a file')
    .argument('<file.json>', 'the file')
    .requiredOption('--landlord <id>', 'the landlord they belong to')
    .addHelpText('after', `${FILE_HELP}\n${example('property import --landlord <landlord id> ./properties.json')}`)
    .action(importFile);
  property
    .command('list')
    .description('list the properties of a landlord, with the identifiers that the API asks for')
    .requiredOption('--landlord <id>', 'the landlord')
    .addHelpText('after', example('property list --landlord <landlord id>'))
    .action(listProperties);
}

const importFile = withRuntime(async ({ db, now }, file: string, options: { landlord: string }) => {
  const landlord = await getLandlord(db, options.landlord);
  const { parsePropertyFile } = await import('./property-file.ts');
  const given = parsePropertyFile(file, await readGivenFile(file));
  const workspaces = await db.transaction(async (trx) => {
    // Two imports at once would both find that something is not there yet.
    await lockLandlord(trx, landlord.id);
    const done: ReturnType<typeof view>[] = [];
    for (const [index, workspace] of given.entries())
      done.push(await importWorkspace(trx, landlord.id, workspace, `workspaces.${index}`, now()));
    return done;
  });
  const rows = workspaces.map(({ properties, ...workspace }) => ({ ...workspace, properties: properties.length }));
  const { text } = list(rows, {
    columns: ['workspace_id', 'workspace_name', 'properties'],
    cut: ['workspace_name'],
    empty: 'The file holds no workspaces; nothing was changed.',
  });
  const more = `See them all:\n  ${typed(`property list --landlord ${landlord.id}`)}`;
  return {
    json: { landlord_id: landlord.id, workspaces },
    text: rows.length > 0 ? `The file was imported.\n\n${text}\n\n${more}` : text,
  };
});

async function importWorkspace(
  trx: Transaction,
  landlordId: string,
  { workspace_id, workspace_name, properties = [] }: FileWorkspace,
  place: string,
  now: Date,
) {
  const id = workspace_id ?? (await knownWorkspace(trx, landlordId, workspace_name, place))?.workspace_id;
  const workspace = await addWorkspace(trx, landlordId, workspace_name, now, id).catch(at(place));
  const imported: PropertyRow[] = [];
  for (const [index, property] of properties.entries())
    imported.push(await importProperty(trx, workspace, property, `${place}.properties.${index}`));
  return view(workspace, imported);
}

async function importProperty(trx: Transaction, workspace: WorkspaceRow, fields: FileProperty, place: string) {
  const { property_id, property_reference } = fields;
  const known =
    property_id === undefined && property_reference
      ? only(await findPropertiesByReference(trx, workspace, property_reference), `${place}.property_id`)
      : undefined;
  const id = property_id ?? known?.property_id;
  return addProperty(trx, workspace, id === undefined ? fields : { ...fields, property_id: id }).catch(at(place));
}

async function knownWorkspace(trx: Transaction, landlordId: string, name: string, place: string) {
  return only(await findWorkspacesByName(trx, landlordId, name), `${place}.workspace_id`);
}

/** @throws OperatorError when several match, so that one would be changed by chance */
function only<Row>([first, ...others]: Row[], field: string): Row | undefined {
  if (others.length > 0)
    throw new OperatorError(`${field}: is required, because ${others.length + 1} match; nothing was changed`);
  return first;
}

/** Says where in the file a conflict arose. */
function at(place: string) {
  return (error: unknown): never => {
    throw error instanceof Conflict ? new OperatorError(`${place}: ${error.message} Nothing was changed.`) : error;
  };
}

function view({ workspace_id, workspace_name }: WorkspaceRow, properties: PropertyRow[]) {
  return {
    workspace_id,
    workspace_name,
    properties: properties.map(({ property_id, property_reference }) => ({ property_id, property_reference })),
  };
}

const listProperties = withRuntime(async ({ db }, options: { landlord: string }) => {
  const landlord = await getLandlord(db, options.landlord);
  const rows = await db('properties')
    .join('workspaces', 'workspaces.id', 'properties.workspace_internal_id')
    .where({ landlord_id: landlord.id })
    .orderBy('workspace_name')
    .orderBy('properties.id')
    .select('property_id', 'property_reference', 'street', 'municipality', 'workspace_id', 'workspace_name');
  return list(rows, {
    columns: ['property_id', 'property_reference', 'workspace_id', 'workspace_name'],
    cut: ['property_reference', 'workspace_name'],
    empty: `The landlord has no properties. Import some:\n  ${typed(`property import --landlord ${landlord.id} <file.json>`)}`,
  });
});
