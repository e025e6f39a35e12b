import type { Database, Transaction } from '../connection/database.ts';
import { type Outcome, VALUE_COLUMNS } from './staged-properties.ts';

type Counts = Record<Outcome, number>;

export interface StagedCounts {
  lines: number;
  bad: number;
  properties: Counts;
  workspaces: Counts;
}

export async function countStaged(db: Database): Promise<StagedCounts> {
  const [all] = await db('staged_lines').count({ lines: '*', bad: 'fault' });
  return {
    lines: Number(all?.lines),
    bad: Number(all?.bad),
    properties: await outcomesOf(db, 'staged_lines'),
    workspaces: await outcomesOf(db, 'staged_workspaces'),
  };
}

export function changes({ properties, workspaces }: StagedCounts): number {
  return properties.added + properties.changed + workspaces.added + workspaces.changed;
}

async function outcomesOf(db: Database, table: 'staged_lines' | 'staged_workspaces'): Promise<Counts> {
  const rows = await db(table).whereNotNull('outcome').groupBy('outcome').select('outcome').count({ count: '*' });
  const counts = { added: 0, changed: 0, unchanged: 0 };
  for (const { outcome, count } of rows) if (outcome) counts[outcome] = Number(count);
  return counts;
}

/** Bounds a statement, so that progress can be reported. */
const MAX_LINES_PER_STATEMENT = 5000;

export async function applyStaged(
  trx: Transaction,
  landlordId: string,
  now: Date,
  tick: (line: number) => void = () => {},
): Promise<void> {
  await trx.raw(INSERT_WORKSPACES, { landlordId, now: now.toISOString() });
  await trx.raw(RENAME_WORKSPACES);
  await trx.raw(KNOW_WORKSPACES);
  const end = Number((await trx('staged_lines').max({ line: 'line' }).first())?.line);
  for (let from = 0; from <= end; from += MAX_LINES_PER_STATEMENT) {
    const range = { from, below: from + MAX_LINES_PER_STATEMENT };
    await trx.raw(INSERT_PROPERTIES, range);
    await trx.raw(CHANGE_PROPERTIES, range);
    tick(Math.min(range.below, end));
  }
}

const INSERT_WORKSPACES = `
  insert into workspaces (workspace_id, landlord_id, workspace_name, created_at)
  select workspace_id, :landlordId, workspace_name, :now from staged_workspaces where outcome = 'added'
  order by workspace_name, workspace_id`;

const RENAME_WORKSPACES = `
  update workspaces set workspace_name = s.workspace_name from staged_workspaces s
  where s.outcome = 'changed' and workspaces.id = s.known_id`;

const KNOW_WORKSPACES = `
  update staged_workspaces set known_id = w.id from workspaces w
  where outcome = 'added' and w.workspace_id = staged_workspaces.workspace_id`;

const STAGED = `
  from staged_lines s join staged_workspaces w on w.workspace_id = s.workspace_id
  where s.line >= :from and s.line < :below`;

const INSERT_PROPERTIES = `
  insert into properties (property_id, workspace_internal_id, ${VALUE_COLUMNS.join(', ')})
  select s.new_property_id, w.known_id, ${VALUE_COLUMNS.map((column) => `s.${column}`).join(', ')}
  ${STAGED} and s.outcome = 'added' order by s.line`;

const values = VALUE_COLUMNS.map(
  (column, index) =>
    `${column} = case when (s.given & ${1 << index}) <> 0 then s.${column} else properties.${column} end`,
);

const CHANGE_PROPERTIES = `
  update properties set workspace_internal_id = w.known_id, ${values.join(', ')}
  ${STAGED} and s.outcome = 'changed' and properties.id = s.known_id`;
