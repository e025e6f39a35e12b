import { readSync, writeSync } from 'node:fs';
import { frameBytes } from './frames.ts';

/** Input and output of a sandboxed program, by file descriptor: the lockdown removes the streams of `process`. */

const INPUT = 0;
const OUTPUT = 1;
const PIECE = 1024 * 1024;
const LINE_END = 0x0a;

interface WorkerRequest {
  header: unknown;
  bytes: Uint8Array;
}

/** Blocks until the input ends; undefined when the host is gone. */
export function readRequest(): WorkerRequest | undefined {
  const all = readAll();
  const headerEnd = all.indexOf(LINE_END);
  if (headerEnd < 0) return undefined;
  const header: unknown = JSON.parse(all.toString('utf8', 0, headerEnd));
  // Libraries expect a buffer that contains nothing else.
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

/** Blocks until the frame is written. Throws when the host is gone. */
export function writeFrame(header: object, body?: Uint8Array): void {
  for (let rest = frameBytes(header, body); rest.length > 0; ) rest = rest.subarray(writeSync(OUTPUT, rest));
}
