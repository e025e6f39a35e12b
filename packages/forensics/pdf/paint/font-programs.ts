import { Unreadable } from '../../model.ts';
import { charactersOf, dictionaryOf, nameOf, type PdfObject, textOf } from '../objects.ts';
import { type Structure, structureOf } from '../structure.ts';

const MAX_FONTS = 300;
const MAX_NAME_LENGTH = 100;
/** The dictionary of a Type 1 font, which is not encrypted, comes first. */
const TYPE1_HEADER_BYTES = 8_000;
/** OpenType, `name` table: the typographic family, else the family (ISO 14496-22, 5.2.4). */
const FAMILY_IDS = [16, 1];
/** CFF, top dictionary: FamilyName, and the number of standard strings before the font's own (Adobe Technical Note 5176). */
const CFF_FAMILY = 3;
const CFF_STANDARD_STRINGS = 391;

/** The families that descriptors and embedded font programs name, by the font's full name; a name alone says little of a family. */
export function programFamilies(bytes: Uint8Array): (font: string) => string {
  let families: Map<string, string> | undefined;
  return (font) => {
    families ??= familiesIn(bytes);
    return families.get(font) ?? '';
  };
}

function familiesIn(bytes: Uint8Array): Map<string, string> {
  try {
    const structure = structureOf(bytes);
    const descriptors = structure.objects.filter(isDescriptor).slice(0, MAX_FONTS);
    return new Map(descriptors.map((object) => [nameIn(object), familyOf(structure, object)]));
  } catch (error) {
    if (error instanceof Unreadable) return new Map();
    throw error;
  }
}

function isDescriptor({ value }: PdfObject): boolean {
  return nameOf(dictionaryOf(value)?.entries.get('Type')) === 'FontDescriptor';
}

function nameIn({ value }: PdfObject): string {
  return nameOf(dictionaryOf(value)?.entries.get('FontName')) ?? '';
}

function familyOf(structure: Structure, { value }: PdfObject): string {
  const { current } = structure;
  const stated = textOf(current.get(value, 'FontFamily'));
  if (stated !== undefined) return charactersOf(stated, MAX_NAME_LENGTH);
  for (const [key, read] of PROGRAMS) {
    const stream = current.referred(dictionaryOf(value)?.entries.get(key));
    const program = stream && structure.decoded(stream);
    if (program === undefined) continue;
    const buffer = Buffer.from(program.buffer, program.byteOffset, program.byteLength);
    try {
      return read(buffer).slice(0, MAX_NAME_LENGTH);
    } catch (error) {
      // A font program that ends too early names no family.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return '';
}

type Read = (program: Buffer) => string;

const PROGRAMS: readonly (readonly [key: string, read: Read])[] = [
  ['FontFile', ofType1],
  ['FontFile2', ofOpenType],
  ['FontFile3', (program) => (program.toString('latin1', 0, 4) === 'OTTO' ? ofOpenType(program) : ofCff(program))],
];

function ofType1(program: Buffer): string {
  const header = program.toString('latin1', 0, TYPE1_HEADER_BYTES);
  return /\/FamilyName\s{0,9}\(([^)]{1,100})\)/.exec(header)?.[1] ?? '';
}

function ofOpenType(program: Buffer): string {
  const tables = Math.min(program.readUInt16BE(4), 100);
  for (let index = 0; index < tables; index++) {
    const at = 12 + 16 * index;
    const tag = program.toString('latin1', at, at + 4);
    const offset = program.readUInt32BE(at + 8);
    const table = program.subarray(offset, offset + program.readUInt32BE(at + 12));
    if (tag === 'name') return inNameTable(table);
    if (tag === 'CFF ') return ofCff(table);
  }
  return '';
}

function inNameTable(table: Buffer): string {
  const storage = table.readUInt16BE(4);
  const names = new Map<number, string>();
  for (let index = 0; index < Math.min(table.readUInt16BE(2), 200); index++) {
    const at = 6 + 12 * index;
    const [platform, id, length, offset] = [0, 6, 8, 10].map((field) => table.readUInt16BE(at + field));
    if (id === undefined || !FAMILY_IDS.includes(id) || names.has(id)) continue;
    const text = table.subarray(storage + (offset ?? 0), storage + (offset ?? 0) + (length ?? 0));
    names.set(id, platform === 1 ? text.toString('latin1') : new TextDecoder('utf-16be').decode(text));
  }
  return FAMILY_IDS.map((id) => names.get(id)).find((name) => name !== undefined) ?? '';
}

function ofCff(program: Buffer): string {
  const names = indexAt(program, program.readUInt8(2));
  const tops = indexAt(program, names.end);
  const strings = indexAt(program, tops.end);
  const [top] = tops.items;
  const identifier = top && operandOf(top, CFF_FAMILY);
  return identifier === undefined ? '' : (strings.items[identifier - CFF_STANDARD_STRINGS]?.toString('latin1') ?? '');
}

/** An INDEX of CFF (5). */
function indexAt(program: Buffer, at: number): { items: Buffer[]; end: number } {
  const count = program.readUInt16BE(at);
  if (count === 0) return { items: [], end: at + 2 };
  const size = program.readUInt8(at + 2);
  const data = at + 2 + (count + 1) * size;
  const offsets = Array.from({ length: count + 1 }, (_, index) => program.readUIntBE(at + 3 + index * size, size));
  const items = offsets
    .slice(0, -1)
    .map((offset, index) => program.subarray(data + offset, data + (offsets[index + 1] ?? 0)));
  return { items, end: data + (offsets.at(-1) ?? 1) };
}

/** The last operand before an operator of a DICT of CFF (4). */
function operandOf(dictionary: Buffer, operator: number): number | undefined {
  let last: number | undefined;
  for (let at = 0; at < dictionary.length; ) {
    const byte = dictionary.readUInt8(at);
    if (byte <= 21) {
      if (byte === operator) return last;
      at += byte === 12 ? 2 : 1;
      continue;
    }
    const [value, length] = numberAt(dictionary, at, byte);
    last = value;
    at += length;
  }
  return undefined;
}

function numberAt(dictionary: Buffer, at: number, byte: number): [value: number, length: number] {
  if (byte === 28) return [dictionary.readInt16BE(at + 1), 3];
  if (byte === 29) return [dictionary.readInt32BE(at + 1), 5];
  if (byte === 30) {
    let length = 1;
    while ((dictionary.readUInt8(at + length) & 0x0f) !== 0x0f) length++;
    return [Number.NaN, length + 1];
  }
  if (byte <= 246) return [byte - 139, 1];
  const next = dictionary.readUInt8(at + 1);
  return byte <= 250 ? [(byte - 247) * 256 + next + 108, 2] : [-(byte - 251) * 256 - next - 108, 2];
}
