import { CsvError, parse } from 'csv-parse/sync';
import { type Block, countLines } from './line-blocks.ts';

/** A record with the number of the line that it begins in, or what is wrong there. */
export type CsvRecord = { line: number; cells: string[] } | { line: number; fault: string };

/** A quote that nobody closes must not take the rest of the file with it. */
const LONGEST_RECORD = 256 * 1024;
const LINE_FEED = 0x0a;
const UNCLOSED = 'CSV_QUOTE_NOT_CLOSED';

/** The records of the blocks, the header first. After a record with a quote out of place, reading goes on in the next line. */
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

/** Adds the records of the block, and returns the rest of it, whose end is still to come. */
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
    if (code === UNCLOSED && !isLast && bytes.length <= LONGEST_RECORD) break;
    records.push({ line, fault: QUOTE_FAULTS[code] ?? `is not CSV (${code})` });
    pass(bytes.indexOf(LINE_FEED) + 1 || bytes.length);
  }
  return { bytes, line };
}

const QUOTE_FAULTS: Record<string, string> = {
  [UNCLOSED]: 'a quotation mark is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'after a quoted cell comes something else than a separator',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'after a quoted cell comes something else than a separator',
  INVALID_OPENING_QUOTE: 'a quotation mark is in a cell that is not quoted; quote the cell, and double the mark',
};

/** Adds the records before the first fault; `end` is where the last of them ends. */
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

/** Names of fields hold none of them. Blank lines may come before the header; undefined while it is still to come. */
function delimiterOf(text: Buffer): string | undefined {
  const header = /^.*\S.*$/m.exec(text.toString())?.[0];
  return header && ([';', '\t'].find((candidate) => header.includes(candidate)) ?? ',');
}
