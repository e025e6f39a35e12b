/** The values of a PDF (ISO 32000-1, 7.3) as written, neither resolved nor decoded. */

interface Name {
  type: 'name';
  name: string;
}

interface Reference {
  type: 'reference';
  number: number;
  generation: number;
}

export interface Text {
  type: 'text';
  bytes: Uint8Array;
  /** Written as a hexadecimal string. */
  hex: boolean;
  /** Offsets of its opening bracket and after its closing one. */
  start: number;
  end: number;
}

export interface Dictionary {
  type: 'dictionary';
  /** In the order of the file. */
  entries: Map<string, Value>;
}

export type Value = null | boolean | number | Name | Reference | Text | Dictionary | Value[];

/** An indirect object; several may have the same number. Offsets are bytes from the beginning of the file. */
export interface PdfObject {
  number: number;
  generation: number;
  /** The offset of its number; for an object in an object stream, the offset of that stream. */
  offset: number;
  /** The offset after its `endobj`; for an object in an object stream, the end of that stream. */
  end: number;
  value: Value;
  /** Offsets of the beginning and the end of a stream's encoded data. */
  data?: { start: number; end: number };
  /** The object stream that contains it. */
  container?: PdfObject;
}

export const emptyDictionary: Dictionary = { type: 'dictionary', entries: new Map() };

const isTyped = (value: Value | undefined): value is Name | Reference | Text | Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function dictionaryOf(value: Value | undefined): Dictionary | undefined {
  return isTyped(value) && value.type === 'dictionary' ? value : undefined;
}

export function referenceOf(value: Value | undefined): Reference | undefined {
  return isTyped(value) && value.type === 'reference' ? value : undefined;
}

export function nameOf(value: Value | undefined): string | undefined {
  return isTyped(value) && value.type === 'name' ? value.name : undefined;
}

export function textOf(value: Value | undefined): Text | undefined {
  return isTyped(value) && value.type === 'text' ? value : undefined;
}

export function numberOf(value: Value | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export function listOf(value: Value | undefined): Value[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** An entry as written, unresolved. */
export function entry(value: Value | undefined, key: string): Value | undefined {
  return dictionaryOf(value)?.entries.get(key);
}

/** The characters of PDFDocEncoding from 0x18 and from 0x80, where it differs from Latin-1 (ISO 32000-1, annex D.2). */
const LOW = '˘ˇˆ˙˝˛˚˜';
const HIGH = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\u{FFFD}€';

/** The characters of a text string (ISO 32000-1, 7.9.2.2): UTF-16 or UTF-8 with a byte order mark, else PDFDocEncoding. */
export function charactersOf({ bytes }: Text, longest = 2000): string {
  const cut = bytes.subarray(0, longest * 2);
  if (cut[0] === 0xfe && cut[1] === 0xff) return decode('utf-16be', cut.subarray(2), longest);
  if (cut[0] === 0xff && cut[1] === 0xfe) return decode('utf-16le', cut.subarray(2), longest);
  if (cut[0] === 0xef && cut[1] === 0xbb && cut[2] === 0xbf) return decode('utf-8', cut.subarray(3), longest);
  let characters = '';
  for (const byte of cut.subarray(0, longest)) characters += documentCharacter(byte);
  return characters;
}

function documentCharacter(byte: number): string {
  if (byte >= 0x18 && byte < 0x20) return LOW.charAt(byte - 0x18);
  if (byte >= 0x80 && byte <= 0xa0) return HIGH.charAt(byte - 0x80);
  return String.fromCharCode(byte);
}

function decode(encoding: string, bytes: Uint8Array, longest: number): string {
  return new TextDecoder(encoding).decode(bytes).slice(0, longest);
}
