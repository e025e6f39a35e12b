import { CsvError, parse } from 'csv-parse/sync';

/** Complete lines of a file, and the number of the first. */
export interface Block {
  bytes: Buffer;
  line: number;
}

/** A record with the number of its first line, or the fault in that line. */
export type CsvRecord = { line: number; cells: string[] } | { line: number; fault: string };

/** Limits how much of the file an unclosed quote can swallow. */
const MAX_RECORD_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;
const UNCLOSED = 'CSV_QUOTE_NOT_CLOSED';

/** Parses records, the header first. After a misplaced quote, parsing resumes in the next line. */
export async function* csvRecords(blocks: AsyncIterable<Block>): AsyncGenerator<CsvRecord[]> {
  let delimiter: string | undefined;
  let unread: Block = { bytes: Buffer.alloc(0), line: 1 };
  for await (const { bytes } of blocks) {
    unread = { bytes: Buffer.concat([unread.bytes, bytes]), line: unread.line };
    delimiter ??= delimiterOf(unread.bytes);
    const records: CsvRecord[] = [];
    unread = readRecords(unread, delimiter ?? ',', false, records);
    yield records;
  }
  const records: CsvRecord[] = [];
  readRecords(unread, delimiter ?? ',', true, records);
  yield records;
}

/** Adds the block's records. @returns the rest of the block, an incomplete record */
function readRecords(block: Block, delimiter: string, isLast: boolean, records: CsvRecord[]): Block {
  let { bytes, line } = block;
  const pass = (end: number) => {
    line += countLines(bytes.subarray(0, end));
    bytes = bytes.subarray(end);
  };
  while (bytes.length > 0) {
    const { end, code } = parseUntilFault(bytes, delimiter, line, records);
    pass(end);
    if (code === undefined) break;
    if (code === UNCLOSED && !isLast && bytes.length <= MAX_RECORD_BYTES) break;
    records.push({ line, fault: QUOTE_FAULTS[code] ?? `is not CSV (${code})` });
    pass(bytes.indexOf(LINE_FEED) + 1 || bytes.length);
  }
  return { bytes, line };
}

const QUOTE_FAULTS: Record<string, string> = {
  [UNCLOSED]: 'a quotation mark is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'a quoted cell is followed by something other than a separator',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'a quoted cell is followed by something other than a separator',
  INVALID_OPENING_QUOTE: 'a quotation mark is in a cell that is not quoted; quote the cell, and double the mark',
};

/** Adds the records before the first fault. @returns the offset at which the last of them ends */
function parseUntilFault(bytes: Buffer, delimiter: string, firstLine: number, records: CsvRecord[]) {
  let end = 0;
  let line = firstLine;
  try {
    parse(bytes, {
      delimiter,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      trim: true,
      on_record: (cells: string[], context) => {
        records.push({ line, cells });
        line += countLines(bytes.subarray(end, context.bytes));
        end = context.bytes;
        return null;
      },
    });
    return { end: bytes.length };
  } catch (error) {
    if (error instanceof CsvError) return { end, code: error.code };
    throw error;
  }
}

/** No field name contains a delimiter. Blank lines may precede the header. Undefined until it is complete. */
function delimiterOf(text: Buffer): string | undefined {
  const header = /^.*\S.*$/m.exec(text.toString())?.[0];
  return header && ([';', '\t'].find((candidate) => header.includes(candidate)) ?? ',');
}

export function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}
