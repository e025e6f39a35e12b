import { type HeaderFault, isBlank, readHeader, recordsOf } from '../../core/csv-table.ts';
import { comparableEmail, emailSetKey } from '../../core/rules/participants.ts';
import { isStorableText } from '../../core/text.ts';

export const MAX_PEOPLE = 5;
export const MAX_LINES = 500;
export const MAX_TITLE_LENGTH = 255;
export const MAX_ADDRESS_LENGTH = 254;
const ADDRESS = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/;

export const guarantorColumns = ['guarantor_1', 'guarantor_2', 'guarantor_3', 'guarantor_4'] as const;
const personColumns = ['lead', 'email_2', 'email_3', 'email_4', 'email_5', ...guarantorColumns] as const;
/** The columns of the table, of which a header may leave out all but the first two. */
export const columns = ['title', ...personColumns, 'property'] as const;
type Column = (typeof columns)[number];
const isGuarantorIn = (column: Column) => guarantorColumns.some((one) => one === column);
const required = [['title'], ['lead']];

/** A person as a form or a table asks for them. */
export interface ListedPerson {
  email: string;
  isGuarantor: boolean;
}

/** An application as a line of the table asks for it; the lead first. */
export interface ListedApplication {
  line: number;
  title: string;
  people: readonly ListedPerson[];
  /** The reference or identifier of a property; empty for none. */
  property: string;
}

/** What is wrong with a cell, or a line. */
export interface TableFault {
  line: number;
  column?: string;
  fault:
    | HeaderFault['fault']
    | ('too-many' | 'cells' | 'title' | 'lead' | 'email' | 'repeated-email' | 'repeated-line' | 'too-many-people')
    | ('not-your-property' | 'ambiguous-property');
  /** The line with the same people. */
  other?: number;
}

type NamedInLine = Pick<ListedApplication, 'line' | 'property'>;

interface ReadTable {
  applications: readonly ListedApplication[];
  /** The properties that the lines name, including lines with other faults. */
  properties: readonly NamedInLine[];
  faults: readonly TableFault[];
}

const NOTHING = { applications: [], properties: [] };

export function isTitle(text: string): boolean {
  return text !== '' && Array.from(text).length <= MAX_TITLE_LENGTH && isStorableText(text);
}

export function isAddress(text: string): boolean {
  return ADDRESS.test(text) && text.length <= MAX_ADDRESS_LENGTH && isStorableText(text);
}

/** Reads applications from CSV: a header, and a line for each application. Separators are commas, semicolons or tabs. */
export async function readApplications(text: string): Promise<ReadTable> {
  const faults: TableFault[] = [];
  const applications: ListedApplication[] = [];
  const properties: NamedInLine[] = [];
  const lineOfPeople = new Map<string, number>();
  let header: readonly string[] | undefined;
  let lines = 0;
  for (const record of await recordsOf(text)) {
    const { line } = record;
    if (isBlank(record)) continue;
    if (header === undefined) {
      const { names, faults: wrong } = readHeader(record, { known: columns, needed: required });
      if (wrong.length > 0) return { ...NOTHING, faults: wrong };
      header = names;
      continue;
    }
    if ('fault' in record) {
      faults.push({ line, fault: 'csv' });
      continue;
    }
    lines += 1;
    if (lines > MAX_LINES) return { ...NOTHING, faults: [{ line, fault: 'too-many' }] };
    const { wrong, ...application } = readLine(header, record.cells, line);
    if (application.property !== '') properties.push({ line, property: application.property });
    const group = emailSetKey(application.people.map(({ email }) => email));
    const other = lineOfPeople.get(group);
    if (wrong.length > 0) faults.push(...wrong);
    else if (other !== undefined) faults.push({ line, column: 'lead', fault: 'repeated-line', other });
    else {
      lineOfPeople.set(group, line);
      applications.push(application);
    }
  }
  if (lines === 0 && faults.length === 0) faults.push({ line: 1, fault: 'empty' });
  return { applications, properties, faults };
}

function readLine(
  header: readonly string[],
  cells: readonly string[],
  line: number,
): ListedApplication & { wrong: TableFault[] } {
  const wrong: TableFault[] = [];
  const cell = (column: Column) => cells[header.indexOf(column)] ?? '';
  const title = cell('title');
  if (!isTitle(title)) wrong.push({ line, column: 'title', fault: 'title' });
  const people: ListedPerson[] = [];
  const seen = new Set<string>();
  for (const column of personColumns) {
    const email = cell(column);
    if (email === '' && column !== 'lead') continue;
    if (email === '') wrong.push({ line, column, fault: 'lead' });
    else if (!isAddress(email)) wrong.push({ line, column, fault: 'email' });
    else if (seen.has(comparableEmail(email))) wrong.push({ line, column, fault: 'repeated-email' });
    seen.add(comparableEmail(email));
    people.push({ email, isGuarantor: isGuarantorIn(column) });
  }
  if (people.length > MAX_PEOPLE) wrong.push({ line, fault: 'too-many-people' });
  if (cells.slice(header.length).some((extra) => extra !== '')) wrong.push({ line, fault: 'cells' });
  return { line, title, people, property: cell('property'), wrong };
}
