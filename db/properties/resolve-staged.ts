import type { Transaction } from '../connection/database.ts';
import { type LineFault, VALUE_COLUMNS } from './staged-properties.ts';

/**
 * The identifiers that a file may give: any, also of what it adds, or only those of what the landlord has. Only then do another landlord's and
 * an absent thing answer alike.
 */
export type GivenIds = 'any' | 'known';

/** Resolves each staged line to a workspace, a property, and an outcome or fault. The landlord must be locked. */
export async function resolveStaged(trx: Transaction, landlordId: string, ids: GivenIds): Promise<void> {
  for (const statement of [...workspaces(ids), ...properties(ids), ...outcomes])
    await trx.raw(statement, { landlordId });
}

const strangeWorkspaces: Record<GivenIds, string> = {
  any: `update staged_lines set fault = 'The workspace belongs to another landlord.', code = 'unknown-workspace'
    where fault is null and exists (
      select 1 from workspaces w where w.workspace_id = staged_lines.workspace_id and w.landlord_id <> :landlordId)`,
  known: `update staged_lines set fault = 'There is no such workspace.', code = 'unknown-workspace'
    where fault is null and workspace_id is not null and not exists (
      select 1 from workspaces w where w.workspace_id = staged_lines.workspace_id and w.landlord_id = :landlordId)`,
};

const strangeProperties: Record<GivenIds, string> = {
  any: `update staged_lines set fault = 'The property belongs to another landlord.', code = 'unknown-property'
    where fault is null and exists (
      select 1 from properties p join workspaces w on w.id = p.workspace_internal_id
      where p.property_id = staged_lines.property_id and w.landlord_id <> :landlordId)`,
  known: `update staged_lines set fault = 'There is no such property.', code = 'unknown-property'
    where fault is null and property_id is not null and not exists (
      select 1 from properties p join workspaces w on w.id = p.workspace_internal_id
      where p.property_id = staged_lines.property_id and w.landlord_id = :landlordId)`,
};

const workspaces = (ids: GivenIds) => [
  `insert into staged_workspaces (workspace_id, workspace_name, known_id)
    select workspace_id, workspace_name, id from workspaces where landlord_id = :landlordId`,
  strangeWorkspaces[ids],
  // The first name in the file wins; lines that contradict it are rejected.
  `update staged_lines set fault = 'workspace_name: is another than that of', code = 'other-name',
      fault_line = first.line from (
      select named.workspace_id, named.line, l.workspace_name from staged_lines l join (
        select workspace_id, min(line) as line from staged_lines
        where fault is null and workspace_id is not null and workspace_name is not null group by workspace_id
      ) named on named.line = l.line
    ) first where staged_lines.fault is null and staged_lines.workspace_id = first.workspace_id
      and staged_lines.workspace_name <> first.workspace_name`,
  `insert into staged_workspaces (workspace_id, workspace_name)
    select workspace_id, min(workspace_name) from staged_lines
    where fault is null and workspace_id is not null and workspace_name is not null group by workspace_id
    on conflict (workspace_id) do update set workspace_name = excluded.workspace_name`,
  `update staged_lines set fault = 'workspace_name: is required, because no workspace has this workspace_id',
      code = 'unnamed-workspace'
    where fault is null and workspace_id is not null
      and workspace_id not in (select workspace_id from staged_workspaces)`,
  // Workspaces given by name only.
  `update staged_lines set fault = 'workspace_id: is required, because ' || twins.matches || ' match',
      code = 'several-workspaces' from (
      select workspace_name, count(*) as matches from staged_workspaces group by workspace_name having count(*) > 1
    ) twins where fault is null and workspace_id is null and staged_lines.workspace_name = twins.workspace_name`,
  `insert into staged_workspaces (workspace_id, workspace_name)
    select min(new_workspace_id), workspace_name from staged_lines where fault is null and workspace_id is null
      and workspace_name not in (select workspace_name from staged_workspaces) group by workspace_name`,
  `update staged_lines set workspace_id = w.workspace_id from staged_workspaces w
    where fault is null and staged_lines.workspace_id is null and w.workspace_name = staged_lines.workspace_name`,
  'analyze staged_lines',
  'analyze staged_workspaces',
];

const isGiven = (index: number) => `(staged_lines.given & ${1 << index}) <> 0`;

/** Marks each line after the first of a group with equal columns. */
const repeats = (columns: string, condition: string, [code, fault]: readonly [code: LineFault, fault: string]) => {
  const same = columns
    .split(', ')
    .map((column) => `staged_lines.${column} = first.${column}`)
    .join(' and ');
  return `update staged_lines set fault = '${fault}', code = '${code}', fault_line = first.line from (
      select ${columns}, min(line) as line from staged_lines where fault is null and new_property_id is not null
      group by ${columns} having count(*) > 1 and ${condition}
    ) first where staged_lines.fault is null and staged_lines.new_property_id is not null
      and ${same} and staged_lines.line > first.line`;
};

/** Lines with a property_id may share a reference. */
const repeatedReferences = repeats(
  'workspace_id, property_reference',
  "property_reference <> '' and count(property_id) < count(*)",
  ['repeated-reference', 'property_reference: repeats'],
);

const properties = (ids: GivenIds) => [
  // Earlier versions imported UUIDs in capitals.
  `update staged_lines set property_id = upper(property_id) where fault is null
    and property_id like '________-____-____-____-____________'
    and exists (select 1 from properties p where p.property_id = upper(staged_lines.property_id))`,
  strangeProperties[ids],
  repeats('property_id', 'property_id is not null', ['repeated-property', 'property_id: repeats']),
  repeatedReferences,
  `update staged_lines set known_id = p.id from properties p where fault is null
    and staged_lines.property_id = p.property_id`,
  // A correlated subquery, so that no planner scans all properties of a workspace.
  `update staged_lines set (known_id, matches) = (
      select min(p.id), count(*) from properties p where p.property_reference = staged_lines.property_reference
        and p.workspace_internal_id =
          (select w.known_id from staged_workspaces w where w.workspace_id = staged_lines.workspace_id)
    ) where fault is null and new_property_id is not null and property_id is null`,
  `update staged_lines set fault = 'property_id: is required, because ' || matches || ' match', code = 'several-properties'
    where matches > 1`,
  'analyze staged_lines',
  repeats('known_id', 'known_id is not null', ['same-property', 'means the same property as']),
  // A property that moves to another workspace keeps its reference, even if the file omits it.
  `update staged_lines set property_reference = p.property_reference from properties p where fault is null
    and staged_lines.known_id = p.id and not (${isGiven(VALUE_COLUMNS.indexOf('property_reference'))})`,
  repeatedReferences,
];

const isChanged = VALUE_COLUMNS.map(
  (column, index) => `${isGiven(index)} and staged_lines.${column} is distinct from p.${column}`,
);

const outcomes = [
  `update staged_lines set outcome = 'added' where fault is null and new_property_id is not null and known_id is null`,
  `update staged_lines set outcome = case when w.known_id is distinct from p.workspace_internal_id
      or ${isChanged.join(' or ')} then 'changed' else 'unchanged' end
    from properties p, staged_workspaces w
    where fault is null and staged_lines.known_id = p.id and w.workspace_id = staged_lines.workspace_id`,
  // A name that appears only in faulty lines changes nothing.
  `update staged_workspaces set outcome = case when known_id is null then 'added' when exists (
      select 1 from workspaces w join staged_lines l on l.workspace_id = w.workspace_id and l.fault is null
      where w.id = staged_workspaces.known_id and l.workspace_name = staged_workspaces.workspace_name
        and l.workspace_name <> w.workspace_name
    ) then 'changed' else 'unchanged' end
    where workspace_id in (select workspace_id from staged_lines where fault is null)`,
];
