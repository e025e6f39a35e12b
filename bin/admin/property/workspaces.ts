import type { Command } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import {
  addWorkspace,
  countProperties,
  findListedWorkspace,
  findWorkspacesByName,
  listWorkspaces,
  renameWorkspace,
} from '../../../db/properties/workspaces.ts';
import { expectFound, namedLandlord } from '../cli/named.ts';
import { audited, auditOperator } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { limitOption, parseText } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';

export function addWorkspaceCommands(workspace: Command): void {
  workspace
    .command('create')
    .description('create a workspace for a landlord')
    .requiredOption('--landlord <id>', 'the landlord it belongs to')
    .requiredOption('--name <name>', 'the name of the workspace', parseText)
    .addHelpText('after', example('workspace create --landlord <landlord id> --name "Madrid centre"'))
    .action(create);
  workspace
    .command('list')
    .description('list workspaces with the number of their properties, newest first')
    .option('--landlord <id>', 'those of one landlord')
    .addOption(limitOption())
    .addHelpText('after', example('workspace list', 'workspace list --landlord <landlord id>'))
    .action(listAll);
  workspace
    .command('rename')
    .description('rename a workspace; its id and properties stay')
    .argument('<workspace>', 'the id of the workspace', canonicalId)
    .requiredOption('--name <name>', 'the new name', parseText)
    .addHelpText('after', example('workspace rename <workspace id> --name "Madrid north"'))
    .action(rename);
}

const create = withRuntime(async ({ db, now }, { landlord, name }: { landlord: string; name: string }) => {
  const { id: landlordId } = await namedLandlord(db, landlord);
  const moment = now();
  const { workspace, isNameTaken } = await inTransaction(db, async (trx) => {
    const namesakes = await findWorkspacesByName(trx, landlordId, name);
    const created = await addWorkspace(trx, landlordId, name, moment);
    await auditOperator(trx, 'workspace.create', created.workspace_id, moment);
    return { workspace: created, isNameTaken: namesakes.length > 0 };
  });
  const { workspace_id, workspace_name, landlord_id, created_at } = workspace;
  const next = isNameTaken
    ? 'Another workspace of the landlord has this name: an import must tell them apart by workspace_id.'
    : undefined;
  return record('The workspace was created.', { workspace_id, workspace_name, landlord_id, created_at }, next);
});

const listAll = withReads(async ({ reads: db }, { landlord, limit }: { landlord?: string; limit: number }) => {
  const landlordId = landlord === undefined ? undefined : (await namedLandlord(db, landlord)).id;
  const found = await listWorkspaces(db, { landlordId }, limit + 1);
  const ids = found.map(({ id }) => id);
  const propertiesOf = await countProperties(db, ids);
  const rows = found.map(({ id, ...row }) => ({ ...row, properties: propertiesOf(id) }));
  return list(rows, {
    columns: ['workspace_id', 'workspace_name', 'landlord_name', 'properties'],
    cut: ['landlord_name', 'workspace_name'],
    drop: ['landlord_name'],
    limit,
    empty: `There are no such workspaces. Create one:\n  ${commandLine('workspace create --landlord <landlord id> --name "Madrid centre"')}`,
  });
});

const rename = withRuntime(async ({ db, now }, id: string, { name }: { name: string }) => {
  const found = expectFound(await findListedWorkspace(db, id), 'workspace', id, 'workspace list');
  const { workspace_id, landlord_id, created_at } = found;
  const renamed = await audited(db, ['workspace.rename', workspace_id, now()], (trx) =>
    renameWorkspace(trx, workspace_id, name),
  );
  const sentence = renamed ? 'The workspace was renamed.' : 'The workspace already had this name; nothing changed.';
  return record(sentence, { workspace_id, workspace_name: name, landlord_id, created_at });
});
