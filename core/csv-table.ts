import { type Block, type CsvRecord, csvRecords } from './csv.ts';

/** What is wrong with the header of a table, each fault with the column, or columns, that it is about. */
export interface HeaderFault {
  line: number;
  column?: string;
  fault: 'csv' | 'empty' | 'unknown-column' | 'repeated-column' | 'missing-column' | 'missing-columns';
}

/** The header is missing or invalid. The message is for operators. */
export class UnusableHeader extends Error {
  readonly faults: readonly HeaderFault[];

  constructor(message: string, faults: readonly HeaderFault[]) {
    super(message);
    this.faults = faults;
  }
}

interface Columns {
  known: readonly string[];
  /** Groups of columns: the header names at least one of each. */
  needed: readonly (readonly string[])[];
}

/** The columns that a header names, and its faults. */
export function readHeader(record: CsvRecord, { known, needed }: Columns): { names: string[]; faults: HeaderFault[] } {
  const { line } = record;
  if ('fault' in record) return { names: [], faults: [{ line, fault: 'csv' }] };
  const names = record.cells.map((name) => name.toLowerCase());
  const faults = names.flatMap((column, index): HeaderFault[] => {
    if (!known.includes(column)) return [{ line, column, fault: 'unknown-column' }];
    return names.indexOf(column) < index ? [{ line, column, fault: 'repeated-column' }] : [];
  });
  for (const group of needed.filter((columns) => !columns.some((column) => names.includes(column))))
    faults.push({ line, column: group.join(', '), fault: group.length > 1 ? 'missing-columns' : 'missing-column' });
  return { names, faults };
}

/** Whether a record is a line without content. */
export function isBlank(record: CsvRecord): boolean {
  return 'cells' in record && record.cells.every((cell) => cell === '');
}

/** The records of a table in memory. */
export async function recordsOf(text: string): Promise<CsvRecord[]> {
  return (await Array.fromAsync(csvRecords(blockOf(text)))).flat();
}

/** A table in memory, as the readers of files take it. */
export async function* blockOf(text: string): AsyncGenerator<Block> {
  yield { bytes: Buffer.from(text.replace(/^\ufeff/, '')), line: 1 };
}
