import { type CsvRecord, csvRecords } from '../../../core/csv.ts';
import type { FieldError } from '../../../core/errors.ts';
import { didYouMean } from '../../../core/rules/near-miss.ts';
import { oneLine } from '../../../core/text.ts';
import type { ImportLine } from '../../../db/properties/staged-properties.ts';
import { readBySchema } from '../cli/contract-rules.ts';
import { OperatorError } from '../cli/faults.ts';
import { plain } from '../cli/output.ts';
import { lineBlocks } from './line-blocks.ts';
import { type LineProperty, objectSchema, propertySchema, workspaceSchema } from './schema.ts';

const fields = { ...workspaceSchema(), ...propertySchema() };
const lineSchema = objectSchema([], fields);
const numbers = new Set(Object.keys(fields).filter((name) => ['number', 'integer'].includes(fields[name]?.['type'])));

/** The CSV cell that empties a field. */
const EMPTYING = 'null';
const MAX_REASON_LENGTH = 500;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** The columns that identify workspaces and properties; one of each pair is required. */
const NEEDED = [
  ['workspace_id', 'workspace_name'],
  ['property_id', 'property_reference'],
];

export async function* jsonLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ImportLine[]> {
  for await (const { bytes, line: first } of lineBlocks(pieces)) {
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

/** @throws OperatorError when the header is missing or invalid */
export async function* csvLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ImportLine[]> {
  let names: string[] | undefined;
  for await (const records of csvRecords(lineBlocks(pieces))) {
    const lines: ImportLine[] = [];
    for (const record of records) {
      const isBlank = 'cells' in record && record.cells.every((cell) => cell === '');
      if (isBlank) continue;
      if (names) lines.push('fault' in record ? record : csvLine(record.line, names, record.cells));
      else names = headerOf(record);
    }
    yield lines;
  }
  if (!names) throw new OperatorError('the file is empty: it lacks even a header');
}

function headerOf(record: CsvRecord): string[] {
  if ('fault' in record) throw new OperatorError(`the header: ${record.fault}`);
  const { cells: names } = record;
  const unknown = names.filter((name) => !Object.hasOwn(fields, name));
  if (unknown.length > 0) {
    const [known, meant] = [Object.keys(fields), unknown.map((name) => didYouMean(name, Object.keys(fields))).join('')];
    throw new OperatorError(`the header names ${quoted(unknown)}; the fields are ${known.join(', ')}.${meant}`);
  }
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  if (repeated.length > 0) throw new OperatorError(`the header repeats ${quoted(repeated)}`);
  for (const needed of NEEDED)
    if (!needed.some((name) => names.includes(name)))
      throw new OperatorError(`the header needs ${needed.join(' or ')}`);
  return names;
}

function quoted(names: string[]): string {
  return names.map((name) => `"${oneLine(name)}"`).join(', ');
}

function csvLine(line: number, names: string[], cells: string[]): ImportLine {
  if (cells.length !== names.length)
    return { line, fault: `has ${cells.length} cells, where the header has ${names.length}` };
  const given = names.flatMap((name, index) => {
    const cell = cells[index] ?? '';
    return cell === '' ? [] : [[name, cellValue(name, cell)]];
  });
  return importLine(line, Object.fromEntries(given));
}

/** Leaves other text to the schema check, which reports it. */
function cellValue(name: string, cell: string): string | number | null {
  if (cell === EMPTYING) return null;
  return numbers.has(name) && NUMBER.test(cell) ? Number(cell) : cell;
}

function importLine(line: number, value: unknown): ImportLine {
  const read = readBySchema<LineProperty>(lineSchema, value);
  if ('faults' in read) return { line, fault: reasonOf(read.faults) };
  const { workspace_id, workspace_name, ...property } = read.value;
  if (workspace_id === undefined && workspace_name === undefined)
    return { line, fault: 'needs a workspace_id or a workspace_name' };
  if (property.property_id === undefined && !property.property_reference)
    return { line, fault: 'needs a property_id or a property_reference to be found again by' };
  return { line, workspace_id, workspace_name, property };
}

/** Unknown field names are untrusted: they may be long or contain characters that no database stores. */
function reasonOf(faults: FieldError[]): string {
  const reasons = faults.map(({ field, message }) => (field ? `${field}: ${message}` : message));
  return plain(reasons.join('; ').slice(0, MAX_REASON_LENGTH).toWellFormed());
}
