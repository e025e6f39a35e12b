import { canonicalId, newId } from '../../core/ids.ts';
import { type Database, dialectOf } from '../connection/database.ts';
import { rowsOfJson } from '../connection/queries/many-values.ts';
import { withOneConnection } from '../connection/transactions.ts';
import type { PropertyRow } from './properties.ts';

export type PropertyValues = Omit<PropertyRow, 'id' | 'property_id' | 'workspace_internal_id'>;

/** A line of an import file: a property, a workspace alone, or a fault. */
export interface ImportLine {
  line: number;
  workspace_id?: string | undefined;
  workspace_name?: string | undefined;
  /** `null` clears a field; an omitted field keeps its value. */
  property?: { property_id?: string } & Partial<PropertyValues>;
  /** For operators, in English. */
  fault?: string;
  /** For texts in other languages. */
  code?: LineFault | undefined;
  /** The field of a `value`. */
  field?: string | undefined;
}

/** What can be wrong with a line, alone or beside other lines and what exists. */
export type LineFault =
  | ('csv' | 'cells' | 'value' | 'no-workspace' | 'no-property')
  | ('unknown-workspace' | 'other-name' | 'unnamed-workspace' | 'several-workspaces')
  | ('unknown-property' | 'repeated-property' | 'repeated-reference' | 'several-properties' | 'same-property');

export type Outcome = 'added' | 'changed' | 'unchanged';

export interface StagedLineRow extends PropertyValues {
  line: number;
  /** Resolved from the name where the file has none. */
  workspace_id: string | null;
  workspace_name: string | null;
  property_id: string | null;
  /** Used when the line turns out to add something. Null for a line about a workspace alone. */
  new_workspace_id: string | null;
  new_property_id: string | null;
  /** Bit mask of the values that the file gives, in the order of `VALUE_COLUMNS`. */
  given: number;
  /** The existing property. */
  known_id: number | null;
  /** How many properties its reference matches. */
  matches: number | null;
  outcome: Outcome | null;
  fault: string | null;
  code: LineFault | null;
  field: string | null;
  /** The earlier line that the fault refers to. */
  fault_line: number | null;
}

export type BadLine = Pick<StagedLineRow, 'line' | 'fault' | 'code' | 'field' | 'fault_line'>;

/** A workspace of the landlord, existing or to be created. */
export interface StagedWorkspaceRow {
  workspace_id: string;
  workspace_name: string;
  known_id: number | null;
  outcome: Outcome | null;
}

const VALUES = {
  property_reference: 'text',
  rent_amount: 'double precision',
  street: 'text',
  street_number: 'integer',
  entrance_stairwell: 'text',
  floor: 'integer',
  letter: 'text',
  postal_code: 'text',
  municipality: 'text',
  province: 'text',
  bedrooms: 'integer',
  bathrooms: 'integer',
} satisfies Record<keyof PropertyValues, string>;

export const VALUE_COLUMNS = Object.keys(VALUES);
const valueNames = VALUE_COLUMNS.filter((name): name is keyof PropertyValues => name in VALUES);

/** Columns read from the file. */
const READ = {
  line: 'integer',
  workspace_id: 'text',
  workspace_name: 'text',
  new_workspace_id: 'text',
  property_id: 'text',
  new_property_id: 'text',
  given: 'integer',
  fault: 'text',
  code: 'text',
  field: 'text',
  ...VALUES,
};

const columnsOf = (types: Record<string, string>) =>
  Object.entries(types)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');

const RESOLVED = { known_id: 'integer', matches: 'integer', outcome: 'text', fault_line: 'integer' };

const CREATE = [
  `create temporary table staged_lines (${columnsOf({ ...READ, ...RESOLVED })}, primary key (line))`,
  'create temporary table staged_workspaces (workspace_id text primary key, workspace_name text, known_id integer, outcome text)',
  'create index staged_workspaces_names on staged_workspaces (workspace_name)',
];
/** Created after the inserts, which is faster. */
const INDEX = [
  'create index staged_lines_ids on staged_lines (property_id)',
  'create index staged_lines_references on staged_lines (workspace_id, property_reference)',
  'create index staged_lines_names on staged_lines (workspace_name)',
  'analyze staged_lines',
];
const DROP = ['drop table staged_lines', 'drop table staged_workspaces'];

const MAX_LINES_PER_STATEMENT = 500;

/** Provides temporary tables for staging: a file of any size takes constant memory, and no lock is held while it is read. */
export function withStaging<Result>(database: Database, work: (db: Database) => Promise<Result>): Promise<Result> {
  return withOneConnection(database, async (db) => {
    for (const statement of CREATE) await db.raw(statement);
    const result = await work(db);
    for (const statement of DROP) await db.raw(statement);
    return result;
  });
}

export async function stageLines(db: Database, lines: AsyncIterable<ImportLine[]>): Promise<void> {
  const insert = `insert into staged_lines (${Object.keys(READ).join(', ')}) ${rowsOfJson(dialectOf(db), READ)}`;
  for await (const read of lines)
    for (let from = 0; from < read.length; from += MAX_LINES_PER_STATEMENT)
      await db.raw(insert, [JSON.stringify(read.slice(from, from + MAX_LINES_PER_STATEMENT).map(stagedLine))]);
  for (const statement of INDEX) await db.raw(statement);
}

/** UUIDs are stored in lower case. */
function stagedLine({
  line,
  fault,
  code,
  field,
  workspace_id,
  workspace_name,
  property,
}: ImportLine): Partial<StagedLineRow> {
  const { property_id: given_id, ...values } = property ?? {};
  const property_id = given_id === undefined ? null : canonicalId(given_id);
  return {
    line,
    workspace_id: workspace_id === undefined ? null : canonicalId(workspace_id),
    workspace_name: workspace_name ?? null,
    new_workspace_id: workspace_id === undefined ? newId() : null,
    property_id,
    new_property_id: property ? (property_id ?? newId()) : null,
    given: VALUE_COLUMNS.reduce((bits, column, index) => bits | (column in values ? 1 << index : 0), 0),
    fault: fault ?? null,
    code: code ?? null,
    field: field ?? null,
    ...values,
  };
}

export async function* badLines(db: Database): AsyncGenerator<BadLine[]> {
  let last = 0;
  for (;;) {
    const rows = await db('staged_lines')
      .whereNotNull('fault')
      .where('line', '>', last)
      .orderBy('line')
      .limit(MAX_LINES_PER_STATEMENT)
      .select('line', 'fault', 'code', 'field', 'fault_line');
    const end = rows.at(-1);
    if (!end) return;
    yield rows;
    last = end.line;
  }
}

/** A value of a property, or its workspace, before and after. */
export interface ValueChange {
  name: keyof PropertyValues | 'workspace';
  before: string | number | null;
  after: string | number | null;
}

/** What an import does to one property. */
export interface StagedChange {
  line: number;
  outcome: 'added' | 'changed';
  propertyId: string | null;
  reference: string | null;
  workspaceName: string;
  /** The values that change; of a new property, the values that are given. */
  changes: readonly ValueChange[];
}

/** The properties that an import adds or changes, in the order of the file. */
export async function stagedChanges(db: Database, limit: number): Promise<StagedChange[]> {
  const staged = await db('staged_lines')
    .join('staged_workspaces', 'staged_workspaces.workspace_id', 'staged_lines.workspace_id')
    .whereIn('staged_lines.outcome', ['added', 'changed'])
    .orderBy('line')
    .limit(limit)
    .select('staged_lines.*', 'staged_workspaces.workspace_name as into_name');
  const known = await db('properties')
    .join('workspaces', 'workspaces.id', 'properties.workspace_internal_id')
    .whereIn(
      'properties.id',
      staged.flatMap(({ known_id }) => known_id ?? []),
    )
    .select('properties.*', 'workspace_name', 'workspace_id');
  const formerOf = new Map(known.map((row) => [row.id, row]));
  return staged.map((row) => {
    const former = formerOf.get(row.known_id ?? Number.NaN);
    const isMoved = former !== undefined && former.workspace_id !== row.workspace_id;
    const moved = isMoved ? [{ name: 'workspace' as const, before: former.workspace_name, after: row.into_name }] : [];
    const values = valueNames.flatMap((name, index): ValueChange[] => {
      const isGiven = (row.given & (1 << index)) !== 0;
      const [before, after] = [former?.[name] ?? null, row[name]];
      return isGiven && before !== after ? [{ name, before, after }] : [];
    });
    return {
      line: row.line,
      outcome: former ? 'changed' : 'added',
      propertyId: row.property_id,
      reference: row.property_reference,
      workspaceName: row.into_name,
      changes: [...moved, ...values],
    };
  });
}
