/**
 * What a camera, or a later program, wrote into the TIFF structure of a picture (CIPA DC-008, Exif 2.32; TIFF 6.0). Parsed here because
 * libraries do not bound hostile values (docs/decisions/0056-own-picture-parsers.md). Values that point outside the structure are omitted.
 */
export interface Exif {
  make?: string;
  model?: string;
  software?: string;
  /** As written, like "2024:03:31 12:00:00": the time of the last change, and the time of the shot. */
  changedAt?: string;
  takenAt?: string;
  /** From 1 to 8, as in CIPA DC-008 4.6.4; 1 is upright. */
  orientation?: number;
  /** The picture's size when Exif was written. */
  width?: number;
  height?: number;
  /** Whether the camera's own, undocumented notes exist. */
  makerNote: boolean;
  /** A small JPEG copy of the picture. */
  thumbnail?: Uint8Array;
}

interface Tiff {
  bytes: Uint8Array;
  view: DataView;
  little: boolean;
}

interface Entry {
  type: number;
  count: number;
  /** The offset of the value. */
  at: number;
}

const ENTRIES = 500;
const LONGEST = 200;
const BYTES_A_VALUE = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

const TAG = {
  make: 0x010f,
  model: 0x0110,
  orientation: 0x0112,
  software: 0x0131,
  changedAt: 0x0132,
  exif: 0x8769,
  takenAt: 0x9003,
  makerNote: 0x927c,
  width: 0xa002,
  height: 0xa003,
  thumbnailAt: 0x0201,
  thumbnailBytes: 0x0202,
};

/** Undefined if it is not a TIFF structure. */
export function exifOf(bytes: Uint8Array): Exif | undefined {
  const tiff = tiffOf(bytes);
  if (tiff === undefined) return undefined;
  const main = directory(tiff, long(tiff, 4));
  const pointer = number(tiff, main.entries.get(TAG.exif));
  const exif = pointer === undefined ? undefined : directory(tiff, pointer);
  const small = main.next === 0 ? undefined : directory(tiff, main.next);
  const orientation = number(tiff, main.entries.get(TAG.orientation));
  return {
    ...given('make', text(tiff, main.entries.get(TAG.make))),
    ...given('model', text(tiff, main.entries.get(TAG.model))),
    ...given('software', text(tiff, main.entries.get(TAG.software))),
    ...given('changedAt', text(tiff, main.entries.get(TAG.changedAt))),
    ...given('takenAt', text(tiff, exif?.entries.get(TAG.takenAt))),
    ...given(
      'orientation',
      orientation !== undefined && orientation >= 1 && orientation <= 8 ? orientation : undefined,
    ),
    ...given('width', number(tiff, exif?.entries.get(TAG.width))),
    ...given('height', number(tiff, exif?.entries.get(TAG.height))),
    makerNote: exif?.entries.has(TAG.makerNote) ?? false,
    ...given('thumbnail', small && thumbnail(tiff, small.entries)),
  };
}

/** An Exif date in milliseconds, taken as UTC because the time zone is unknown. */
export function exifTime(written: string | undefined): number | undefined {
  const parts = /^(\d{4}):(\d{2}):(\d{2}) (\d{2}):(\d{2}):(\d{2})/.exec(written ?? '');
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second] = parts.map(Number);
  const isDate =
    Number(year) > 1990 && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  if (!isDate) return undefined;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
}

function tiffOf(bytes: Uint8Array): Tiff | undefined {
  if (bytes.length < 8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const order = view.getUint16(0);
  const little = order === 0x4949;
  if ((!little && order !== 0x4d4d) || view.getUint16(2, little) !== 42) return undefined;
  return { bytes, view, little };
}

function directory(tiff: Tiff, at: number): { entries: Map<number, Entry>; next: number } {
  const entries = new Map<number, Entry>();
  const count = Math.min(short(tiff, at), ENTRIES);
  for (let index = 0; index < count; index++) {
    const from = at + 2 + 12 * index;
    const [tag, type, values] = [short(tiff, from), short(tiff, from + 2), long(tiff, from + 4)];
    const size = (BYTES_A_VALUE[type] ?? 0) * values;
    const place = size > 4 ? long(tiff, from + 8) : from + 8;
    if (size > 0 && place + size <= tiff.bytes.length) entries.set(tag, { type, count: values, at: place });
  }
  return { entries, next: long(tiff, at + 2 + 12 * count) };
}

function text({ bytes }: Tiff, entry: Entry | undefined): string | undefined {
  if (entry?.type !== 2) return undefined;
  const [written = ''] = Buffer.from(bytes.buffer, bytes.byteOffset + entry.at, Math.min(entry.count, LONGEST))
    .toString('utf8')
    .split('\0');
  return written.trim() || undefined;
}

function number(tiff: Tiff, entry: Entry | undefined): number | undefined {
  if (entry?.type === 3) return short(tiff, entry.at);
  return entry?.type === 4 ? long(tiff, entry.at) : undefined;
}

function thumbnail(tiff: Tiff, entries: ReadonlyMap<number, Entry>): Uint8Array | undefined {
  const from = number(tiff, entries.get(TAG.thumbnailAt));
  const length = number(tiff, entries.get(TAG.thumbnailBytes));
  if (from === undefined || length === undefined || from + length > tiff.bytes.length) return undefined;
  const found = tiff.bytes.subarray(from, from + length);
  return found[0] === 0xff && found[1] === 0xd8 ? found : undefined;
}

function short({ view, little }: Tiff, at: number): number {
  return at + 2 > view.byteLength ? 0 : view.getUint16(at, little);
}

function long({ view, little }: Tiff, at: number): number {
  return at + 4 > view.byteLength ? 0 : view.getUint32(at, little);
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  const object: { [K in Key]?: Value } = {};
  if (value !== undefined) object[key] = value;
  return object;
}
