import { styleText } from 'node:util';
import stringWidth from 'string-width';
import type { Output } from './run-command.ts';
import { terminalWidth } from './terminal.ts';

/** The value of a cell. */
type Value = string | number | boolean | null | undefined;
export type Row = Record<string, Value>;

interface Layout<Fields, Shown> {
  /** The columns of the table, in order. JSON has every field. */
  columns: (keyof Shown & string)[];
  /** May be truncated on a narrow terminal, the least important first. Never identifiers: operators copy them. */
  cut?: (keyof Shown & string)[];
  /** Omitted on a terminal too narrow for the shortened table, the least important first. `--wide` shows them. */
  drop?: (keyof Shown & string)[];
  /** The text for an empty list. */
  empty: string;
  /** How many rows are shown. The query reads one row more, so that the note can mention further rows. */
  limit?: number;
  /** Makes a row of the table from the row in JSON. */
  forPeople?: (row: Fields) => Shown;
  /** Lines below the table. */
  note?: string | undefined;
}

const GAP = '  ';
const MIN_CUT_LENGTH = 14;

/** Formats rows as a table that fits the terminal, or as one block a row when not even the most important columns do. */
export function list<Fields extends Row, Shown extends Row = Fields>(
  found: readonly Fields[],
  { columns, cut = [], drop = [], empty, limit = found.length, note, forPeople }: Layout<Fields, Shown>,
): Output {
  const json = found.slice(0, limit);
  if (json.length === 0) return { json, text: empty };
  const rows: Row[] = forPeople ? json.map(forPeople) : json;
  const tables = [0, ...drop.keys().map((index) => index + 1)].map((count) => {
    const kept = columns.filter((column) => !drop.slice(0, count).includes(column));
    return { count, text: fittingTable(rows, kept, cut) };
  });
  const fitting = tables.find((table) => table.text !== undefined);
  const text = fitting?.text ?? rows.map((row) => block(columns.map((key) => [key, row[key]]))).join('\n\n');
  const dropped = drop.slice(0, fitting?.count ?? 0).map(title);
  const more = found.length > limit ? `These are the newest ${limit}; --limit shows more.` : '';
  const left = dropped.length > 0 ? `Left out: ${dropped.join(', ')}. --wide shows all.` : '';
  const notes = [note, more, left].filter(Boolean).join('\n');
  return { json, text: notes ? `${text}\n\n${styleText('dim', notes)}` : text };
}

/** Formats one object: a sentence, which may contain stored text, its fields, and what to do next. */
export function record(sentence: string, fields: Row, next?: string): Output {
  const parts = [plain(sentence), block(Object.entries(fields)), ...(next ? [next] : [])];
  return { json: fields, text: parts.join('\n\n') };
}

/** Drops null fields, for objects with many optional fields. */
export function filled(fields: Row): Row {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function block(fields: [string, Value][]): string {
  const longest = Math.max(...fields.map(([name]) => title(name).length));
  return fields.map(([name, value]) => `${bold(title(name).padEnd(longest))}${GAP}${show(value)}`).join('\n');
}

/** Undefined when it does not fit the terminal. */
function fittingTable(rows: readonly Row[], columns: readonly string[], cut: readonly string[]): string | undefined {
  const cells = [columns.map(title), ...rows.map((row) => columns.map((column) => show(row[column])))];
  const natural = columns.map((_, index) => Math.max(...cells.map((line) => stringWidth(line[index] ?? ''))));
  const toCut = cut.map((column) => columns.indexOf(column)).filter((index) => index >= 0);
  const widths = fitWidths(natural, toCut, terminalWidth());
  return widths && table(cells, widths);
}

function table(cells: string[][], widths: number[]): string {
  const line = (row: string[]) =>
    row
      .map((cell, index) => fill(cell, widths[index] ?? 0))
      .join(GAP)
      .trimEnd();
  const [head = [], ...body] = cells;
  return [bold(line(head)), ...body.map(line)].join('\n');
}

/** The width of each column, with `toCut` narrowed in turn; undefined when even that does not fit. */
function fitWidths(natural: number[], toCut: number[], available: number): number[] | undefined {
  const widths = [...natural];
  let excess = widths.reduce((sum, next) => sum + GAP.length + next, -GAP.length) - available;
  for (const index of toCut) {
    const columnWidth = widths[index] ?? 0;
    const less = Math.max(0, Math.min(excess, columnWidth - MIN_CUT_LENGTH));
    widths[index] = columnWidth - less;
    excess -= less;
  }
  return excess > 0 ? undefined : widths;
}

function title(name: string): string {
  return name.replaceAll('_', ' ');
}

function bold(text: string): string {
  return styleText('bold', text);
}

const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/;

/** A time for a narrow column: without the year in the current year, without the time of day otherwise. */
export function shortMoment(moment: string | null, now: Date): string | null {
  const isThisYear = moment?.slice(0, 4) === now.toISOString().slice(0, 4);
  return (isThisYear ? moment?.slice(5, 16).replace('T', ' ').concat('Z') : moment?.slice(0, 10)) ?? null;
}

/** Removes control and format characters from stored text, which could change what a terminal displays. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').replace(/\p{Cf}+/gu, '');
}

function show(value: Value): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return plain(String(value).replace(MOMENT, '$1 $2Z'));
}

/** Pads or truncates to an exact width. */
function fill(text: string, wanted: number): string {
  if (stringWidth(text) <= wanted) return text + ' '.repeat(wanted - stringWidth(text));
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > wanted - 1) break;
    kept += segment;
  }
  return fill(`${kept}…`, wanted);
}
