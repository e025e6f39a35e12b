import { readSync, writeSync } from 'node:fs';
import { frameBytes } from './frames.ts';

/** Input and output of a sandboxed program, by file descriptor: the lockdown removes the streams of `process`. */

const INPUT = 0;
const OUTPUT = 1;
const LENGTH_BYTES = 4;

interface WorkerRequest {
  header: unknown;
  bytes: Uint8Array;
}

/** Blocks until a request is complete; undefined when the host has no further one, or is gone. */
export function readRequest(): WorkerRequest | undefined {
  const first = readPiece();
  if (first === undefined) return undefined;
  const header: unknown = JSON.parse(first.toString('utf8'));
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = readPiece();
    if (piece === undefined) return undefined;
    // Libraries expect a buffer that contains nothing else.
    if (piece.length === 0) return { header, bytes: new Uint8Array(Buffer.concat(pieces)) };
    pieces.push(piece);
  }
}

/** Undefined at the end of the input. */
function readPiece(): Buffer | undefined {
  const length = readExactly(LENGTH_BYTES)?.readUInt32BE();
  return length === undefined ? undefined : readExactly(length);
}

function readExactly(length: number): Buffer | undefined {
  const all = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const read = readSync(INPUT, all, at, length - at, null);
    if (read === 0) return undefined;
    at += read;
  }
  return all;
}

/** Blocks until the frame is written. Throws when the host is gone. */
export function writeFrame(header: object, body?: Uint8Array): void {
  for (let rest = frameBytes(header, body); rest.length > 0; ) rest = rest.subarray(writeSync(OUTPUT, rest));
}
