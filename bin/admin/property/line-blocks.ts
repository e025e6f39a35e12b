import { isUtf8 } from 'node:buffer';
import { type Block, countLines } from '../../../core/csv.ts';
import { OperatorError } from '../cli/faults.ts';

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
/** A file without line breaks would not fit into memory. */
const MAX_LINE_LENGTH = 1024 * 1024;

/** Splits a stream into blocks of complete lines. @throws OperatorError when it is not UTF-8 */
export async function* lineBlocks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    rest = bytes.subarray(end);
    if (rest.length > MAX_LINE_LENGTH) throw new OperatorError(`line ${line + countLines(bytes)} is longer than 1 MiB`);
    if (end === 0) continue;
    yield block(bytes.subarray(0, end), line);
    line += countLines(bytes);
  }
  if (rest.length > 0) yield block(rest, line);
}

function block(bytes: Buffer, line: number): Block {
  if (!isUtf8(bytes)) throw new OperatorError(`line ${line + badLine(bytes)} is not in UTF-8; save the file as UTF-8`);
  const isMarked = line === 1 && bytes.indexOf(BYTE_ORDER_MARK) === 0;
  return { bytes: isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes, line };
}

/** How many lines precede the first invalid one. */
function badLine(bytes: Buffer): number {
  let from = 0;
  for (let line = 0; ; line++) {
    const end = bytes.indexOf(LINE_FEED, from);
    if (end === -1 || !isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
}
