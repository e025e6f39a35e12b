import { Unreadable } from '../../model.ts';

/**
 * The marker segments of a JPEG (ITU-T T.81, annex B), read without decoding the picture. Tolerates what cameras and messengers write (fill
 * bytes, rubbish between segments, a missing end), within the bounds of the constants below.
 */

export interface Segment {
  /** The second byte of the marker, as 0xe1 for APP1. */
  marker: number;
  /** The offset of the marker's first byte. */
  offset: number;
  /** The offset of the data after the length. */
  start: number;
  end: number;
  /** For a start of scan: where its coded data end. */
  dataEnd?: number;
}

export interface Component {
  id: number;
  /** Sampling factors, 1 to 4. */
  horizontal: number;
  vertical: number;
  /** The quantisation table's number. */
  table: number;
}

export interface Frame {
  /** The marker's second byte: 0xc0 baseline, 0xc1 extended, 0xc2 progressive; others are rare. */
  marker: number;
  precision: number;
  width: number;
  height: number;
  components: Component[];
}

export interface Jpeg {
  frame: Frame;
  progressive: boolean;
  segments: Segment[];
  /** By number, in row order; the last table of a number counts. */
  tables: Map<number, Uint16Array>;
  /** In coded units; 0 if there are no restarts. */
  restartInterval: number;
  comments: string[];
  /** The offset after the end marker, or the end of the file if the marker is missing. */
  end: number;
  /** Whether the end marker exists. */
  complete: boolean;
  /** Bytes after the end marker: further pictures, a film, or appended data. */
  trailingBytes: number;
  /** Whether the file declares further pictures (CIPA DC-007 multi-picture format). */
  multiPicture: boolean;
}

/** The position in the block, by rows, of each coefficient in coding order (T.81 figure A.6). */
export const ZIGZAG = zigzag();

const SEGMENTS = 2000;
const COMMENTS = 20;
const COMMENT_CHARACTERS = 500;

export const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const QUANTISATION = 0xdb;
const RESTART = 0xdd;
const COMMENT = 0xfe;

const known = new WeakMap<Uint8Array, Jpeg>();

/** Parsed once per file. @throws Unreadable if it is not a JPEG, or has no frame header with a size */
export function jpegOf(bytes: Uint8Array): Jpeg {
  const jpeg = known.get(bytes) ?? readJpeg(bytes);
  known.set(bytes, jpeg);
  return jpeg;
}

function readJpeg(bytes: Uint8Array): Jpeg {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new Unreadable('The file does not begin as a JPEG picture does.');
  const { segments, end, complete } = segmentsOf(bytes);
  const header = segments.find(({ marker }) => isFrame(marker));
  const frame = header && frameOf(bytes, header);
  if (frame === undefined) throw new Unreadable('The picture’s header is damaged.');
  const restart = segments.findLast(({ marker }) => marker === RESTART);
  return {
    frame,
    progressive: frame.marker === 0xc2,
    segments,
    tables: tablesOf(bytes, segments),
    restartInterval: restart === undefined ? 0 : word(bytes, restart.start),
    comments: segments
      .filter(({ marker }) => marker === COMMENT)
      .slice(0, COMMENTS)
      .map(({ start, end }) => latin(bytes, start, Math.min(end, start + COMMENT_CHARACTERS))),
    end,
    complete,
    trailingBytes: bytes.length - end,
    multiPicture: segments.some((segment) => applicationData(bytes, segment, 2, 'MPF\0') !== undefined),
  };
}

/** The data of an APPn segment after its name; undefined for other segments. */
export function applicationData(
  bytes: Uint8Array,
  { marker, start, end }: Segment,
  number: number,
  name: string,
): Uint8Array | undefined {
  const after = start + name.length;
  if (marker !== 0xe0 + number || after > end || latin(bytes, start, after) !== name) return undefined;
  return bytes.subarray(after, end);
}

function segmentsOf(bytes: Uint8Array): { segments: Segment[]; end: number; complete: boolean } {
  const segments: Segment[] = [];
  let at = 2;
  while (segments.length < SEGMENTS) {
    const offset = nextMarker(bytes, at);
    if (offset === undefined) break;
    const marker = bytes[offset + 1] ?? 0;
    if (marker === END_OF_IMAGE) return { segments, end: offset + 2, complete: true };
    const length = word(bytes, offset + 2);
    const start = Math.min(offset + 4, bytes.length);
    const end = Math.min(Math.max(offset + 2 + length, start), bytes.length);
    const segment: Segment = { marker, offset, start, end };
    segments.push(segment);
    at = end;
    if (marker !== START_OF_SCAN) continue;
    segment.dataEnd = nextMarker(bytes, end) ?? bytes.length;
    at = segment.dataEnd;
  }
  return { segments, end: bytes.length, complete: false };
}

/** The offset of the next marker that is not a stuffed byte, a fill byte or a restart. */
function nextMarker(bytes: Uint8Array, from: number): number | undefined {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && at + 1 < bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    const skipped = marker === 0 || marker === 0xff || marker === 1 || (marker >= 0xd0 && marker <= 0xd8);
    if (!skipped) return at;
    at = bytes.indexOf(0xff, at + 1);
  }
  return undefined;
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function frameOf(bytes: Uint8Array, { marker, start, end }: Segment): Frame | undefined {
  const [precision, count] = [bytes[start] ?? 0, bytes[start + 5] ?? 0];
  const [height, width] = [word(bytes, start + 1), word(bytes, start + 3)];
  if (start + 6 + 3 * count > end || count < 1 || count > 4 || width === 0 || height === 0) return undefined;
  const components: Component[] = [];
  for (let at = start + 6; components.length < count; at += 3) {
    const [id = 0, sampling = 0, table = 0] = bytes.subarray(at, at + 3);
    const [horizontal, vertical] = [sampling >> 4, sampling & 15];
    if (horizontal < 1 || horizontal > 4 || vertical < 1 || vertical > 4) return undefined;
    components.push({ id, horizontal, vertical, table });
  }
  return { marker, precision, width, height, components };
}

function tablesOf(bytes: Uint8Array, segments: readonly Segment[]): Map<number, Uint16Array> {
  const tables = new Map<number, Uint16Array>();
  for (const { marker, start, end } of segments) {
    for (let at = start; marker === QUANTISATION && at < end; ) {
      const head = bytes[at] ?? 0;
      const wide = head >> 4 === 0 ? 1 : 2;
      if (at + 1 + 64 * wide > end) break;
      const table = new Uint16Array(64);
      for (let index = 0; index < 64; index++) {
        const from = at + 1 + index * wide;
        table[ZIGZAG[index] ?? 0] = wide === 1 ? (bytes[from] ?? 0) : word(bytes, from);
      }
      tables.set(head & 15, table);
      at += 1 + 64 * wide;
    }
  }
  return tables;
}

function zigzag(): Uint8Array {
  const order: { at: number; diagonal: number; along: number }[] = [];
  for (let at = 0; at < 64; at++) {
    const [row, column] = [at >> 3, at & 7];
    const diagonal = row + column;
    order.push({ at, diagonal, along: diagonal % 2 === 0 ? column : row });
  }
  order.sort((one, other) => one.diagonal - other.diagonal || one.along - other.along);
  return Uint8Array.from(order, ({ at }) => at);
}

function word(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

function latin(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
