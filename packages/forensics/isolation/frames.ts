/** The wire format of a worker: requests are pieces with their lengths, answers are frames of two lengths, a JSON header and a body of bytes. */

export interface Frame {
  header: unknown;
  body: Uint8Array;
}

/** The worker broke the protocol; nothing more is read from it. */
export class Malformed extends Error {}

const LENGTHS = 8;
const MAX_HEADER_BYTES = 2 * 1024 * 1024;
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;

/** Stands before each piece of a request to a worker. An empty piece ends the request. */
export function pieceLength(piece: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(piece.length);
  return length;
}

export function frameBytes(header: object, body: Uint8Array = new Uint8Array()): Uint8Array {
  const text = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(LENGTHS);
  lengths.writeUInt32BE(text.length, 0);
  lengths.writeUInt32BE(body.length, 4);
  return Buffer.concat([lengths, text, body]);
}

/** Takes the pieces of a stream and returns the frames that each completes. @throws Malformed */
export function createFrameReader(): (piece: Uint8Array) => Frame[] {
  let waiting: Uint8Array[] = [];
  let length = 0;
  let total = 0;
  let wanted = LENGTHS;
  return (piece) => {
    waiting.push(piece);
    length += piece.length;
    total += piece.length;
    if (total > MAX_ANSWER_BYTES) throw new Malformed('The answer is too long.');
    if (length < wanted) return [];
    // Joined only when a frame is complete, because joining at every piece would be quadratic.
    let rest = Buffer.concat(waiting);
    const frames: Frame[] = [];
    for (wanted = LENGTHS; rest.length >= wanted; wanted = LENGTHS) {
      const [header, body] = lengthsOf(rest);
      wanted += header + body;
      if (rest.length < wanted) break;
      frames.push(frameOf(rest, header, wanted));
      rest = rest.subarray(wanted);
    }
    waiting = [rest];
    length = rest.length;
    return frames;
  };
}

function lengthsOf(joined: Buffer): [header: number, body: number] {
  const [header, body] = [joined.readUInt32BE(0), joined.readUInt32BE(4)];
  if (header > MAX_HEADER_BYTES || body > MAX_BODY_BYTES) throw new Malformed('A part of the answer is too long.');
  return [header, body];
}

function frameOf(joined: Buffer, headerLength: number, end: number): Frame {
  const bodyStart = LENGTHS + headerLength;
  try {
    const header: unknown = JSON.parse(joined.toString('utf8', LENGTHS, bodyStart));
    // A copy, so that a small body does not keep the whole piece alive.
    return { header, body: new Uint8Array(joined.subarray(bodyStart, end)) };
  } catch (error) {
    throw error instanceof SyntaxError ? new Malformed('The answer is not JSON.') : error;
  }
}
