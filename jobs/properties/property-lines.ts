import { type Block, type CsvRecord, csvRecords } from '../../core/csv.ts';
import { type HeaderFault, isBlank, readHeader, UnusableHeader } from '../../core/csv-table.ts';
import type { FieldError } from '../../core/errors.ts';
import { didYouMean } from '../../core/rules/near-miss.ts';
import { readBySchema } from '../../core/schema.ts';
import { oneLine } from '../../core/text.ts';
import type { ImportLine } from '../../db/properties/staged-properties.ts';
import { type LineProperty, objectSchema, propertySchema, workspaceSchema } from './property-schema.ts';

const fields = { ...workspaceSchema(), ...propertySchema() };
const lineSchema = objectSchema([], fields);
const numbers = new Set(Object.keys(fields).filter((name) => ['number', 'integer'].includes(fields[name]?.['type'])));

/** The fields of a line, which are the columns of a CSV file. */
export const lineFields: readonly string[] = Object.keys(fields);

/** The CSV cell that empties a field. */
const EMPTYING = 'null';
const MAX_REASON_LENGTH = 500;
/** Spreadsheets in most of Europe write a comma before the cents. */
const NUMBER = /^-?\d+(?:\.\d+|,\d{1,2})?$/;

/** The columns that identify workspaces and properties; one of each pair is required. */
export const neededFields = [
  ['workspace_id', 'workspace_name'],
  ['property_id', 'property_reference'],
] as const;

export async function* jsonLines(blocks: AsyncIterable<Block>): AsyncGenerator<ImportLine[]> {
  for await (const { bytes, line: first } of blocks) {
    const lines = bytes.toString().split('\n');
    yield lines.flatMap((text, index) => (text.trim() === '' ? [] : [jsonLine(first + index, text)]));
  }
}

function jsonLine(line: number, text: string): ImportLine {
  try {
    return importLine(line, JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return { line, fault: 'is not JSON' };
    throw error;
  }
}

/** @throws UnusableHeader */
export async function* csvLines(blocks: AsyncIterable<Block>): AsyncGenerator<ImportLine[]> {
  let names: string[] | undefined;
  for await (const records of csvRecords(blocks)) {
    const lines: ImportLine[] = [];
    for (const record of records) {
      if (isBlank(record)) continue;
      if (names) lines.push('fault' in record ? { ...record, code: 'csv' } : csvLine(record.line, names, record.cells));
      else names = headerOf(record);
    }
    yield lines;
  }
  if (!names) throw new UnusableHeader('the file is empty: it lacks even a header', [{ line: 1, fault: 'empty' }]);
}

function headerOf(record: CsvRecord): string[] {
  const { names, faults } = readHeader(record, { known: lineFields, needed: neededFields });
  if (faults.length === 0) return names;
  const columns = (fault: HeaderFault['fault']) =>
    faults.flatMap((one) => (one.fault === fault ? [one.column ?? ''] : []));
  const [unknown, repeated, [missing]] = [
    columns('unknown-column'),
    columns('repeated-column'),
    columns('missing-columns'),
  ];
  if ('fault' in record) throw new UnusableHeader(`the header: ${record.fault}`, faults);
  if (unknown.length > 0) {
    const meant = unknown.map((name) => didYouMean(name, lineFields)).join('');
    throw new UnusableHeader(
      `the header names ${quoted(unknown)}; the fields are ${lineFields.join(', ')}.${meant}`,
      faults,
    );
  }
  if (repeated.length > 0) throw new UnusableHeader(`the header repeats ${quoted(repeated)}`, faults);
  throw new UnusableHeader(`the header needs ${missing?.replace(', ', ' or ')}`, faults);
}

function quoted(names: string[]): string {
  return names.map((name) => `"${oneLine(name)}"`).join(', ');
}

function csvLine(line: number, names: string[], cells: string[]): ImportLine {
  if (cells.length !== names.length)
    return { line, code: 'cells', fault: `has ${cells.length} cells, where the header has ${names.length}` };
  const given = names.flatMap((name, index) => {
    const cell = cells[index] ?? '';
    return cell === '' ? [] : [[name, cellValue(name, cell)]];
  });
  return importLine(line, Object.fromEntries(given));
}

/** Leaves other text to the schema check, which reports it. */
function cellValue(name: string, cell: string): string | number | null {
  if (cell === EMPTYING) return null;
  return numbers.has(name) && NUMBER.test(cell) ? Number(cell.replace(',', '.')) : cell;
}

function importLine(line: number, value: unknown): ImportLine {
  const read = readBySchema<LineProperty>(lineSchema, value, { unknownField: 'columnOfFile' });
  if ('faults' in read) return { line, code: 'value', field: read.faults[0]?.field, fault: reasonOf(read.faults) };
  const { workspace_id, workspace_name, ...property } = read.value;
  if (workspace_id === undefined && workspace_name === undefined)
    return { line, code: 'no-workspace', fault: 'needs a workspace_id or a workspace_name' };
  if (property.property_id === undefined && !property.property_reference)
    return {
      line,
      code: 'no-property',
      fault: 'needs a property_id or a property_reference to be found again by',
    };
  return { line, workspace_id, workspace_name, property };
}

/** Unknown field names are untrusted: they may be long or contain characters that no database stores. */
function reasonOf(faults: FieldError[]): string {
  const reasons = faults.map(({ field, message }) => (field ? `${field}: ${message}` : message));
  return oneLine(reasons.join('; ').slice(0, MAX_REASON_LENGTH).toWellFormed());
}
