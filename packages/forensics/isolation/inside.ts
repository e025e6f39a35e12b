import { readSync, writeSync } from 'node:fs';
import { frameBytes } from './frames.ts';

/** What a program behind the walls hears and says. It knows its two ends of pipes by their numbers alone. */

const INPUT = 0;
const OUTPUT = 1;
const PIECE = 1024 * 1024;
const LINE_END = 0x0a;

export interface Request {
  header: unknown;
  bytes: Uint8Array;
}

/** Waits for all of it; undefined when whoever would ask is gone. */
export function hear(): Request | undefined {
  const all = readAll();
  const headerEnd = all.indexOf(LINE_END);
  if (headerEnd < 0) return undefined;
  const header: unknown = JSON.parse(all.toString('utf8', 0, headerEnd));
  // A copy whose buffer holds nothing else, as libraries expect of bytes that are theirs.
  return { header, bytes: new Uint8Array(all.subarray(headerEnd + 1)) };
}

function readAll(): Buffer {
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE);
    const length = readSync(INPUT, piece);
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(length < PIECE ? Buffer.from(piece.subarray(0, length)) : piece);
  }
}

/** Waits until it is taken. Throws when nobody listens any more. */
export function say(header: object, body?: Uint8Array): void {
  for (let rest = frameBytes(header, body); rest.length > 0; ) rest = rest.subarray(writeSync(OUTPUT, rest));
}
