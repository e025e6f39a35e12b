import { Unreadable } from '../model.ts';
import { structureOf } from '../pdf/structure.ts';
import { inflateAtMost, isZlib } from './inflate.ts';
import { checkPixels, Refused, refuseBomb } from './refused.ts';

const MIB = 1024 * 1024;
const MAX_STREAM_BYTES = 48 * MIB;
const MAX_FILE_BYTES = 256 * MIB;
/** Readers decode pictures up to this size completely with the page, so their streams are measured too. */
const SMALL_PICTURE_PIXELS = 1_000_000;
const NESTED_LAYERS = 4;
const STREAMS = 50_000;
const PAGES = 500;
const BRANCHES = 5_000;
const LIST_CHARACTERS = 16_384;
const DEPTH = 200;
const DICTIONARY_BYTES = 4096;
const RARE_FILTER = /\/(?:LZW|RL\b|RunLength|A85|ASCII85|AHx|ASCIIHex)/;

interface Seen {
  inflatedBytes: number;
  pages: number;
  /** Nodes of trees, page trees included. */
  branches: number;
  hasRareFilter: boolean;
}

/**
 * Detects what would exhaust a PDF reader's memory or time, without parsing the file as a PDF: inflates anything that may be a stream,
 * reachable or not, within bounds. Encrypted data stays opaque; only the limits on the process help there.
 * @throws Refused
 */
export function prescanPdf(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const seen: Seen = { inflatedBytes: 0, pages: 0, branches: 0, hasRareFilter: false };
  let from = 0;
  let streams = 0;
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at + 6)) {
    const isEnd = file.toString('latin1', Math.max(0, at - 3), at) === 'end';
    if (!isEnd) {
      if (++streams > STREAMS) throw new Refused('The file has more parts than a document needs.');
      checkStructure(file.toString('latin1', from, at), seen);
      checkStream(file, at, seen);
    }
    from = at + 6;
  }
  checkStructure(file.toString('latin1', from), seen);
  if (seen.hasRareFilter) decodeRareFilters(bytes);
}

/** For text outside streams, or in an object stream. */
function checkStructure(text: string, seen: Seen): void {
  for (const _ of text.matchAll(/\/Type\s{0,4}\/Page(?![A-Za-z])/g)) seen.pages++;
  for (const { index } of text.matchAll(/\/Kids/g)) {
    if (++seen.branches > BRANCHES) throw new Refused('The file has more parts than a document needs.');
    seen.pages = Math.max(seen.pages, countNear(text, index));
  }
  if (seen.pages > PAGES) throw new Refused(`The file has more than ${PAGES} pages; so many are not examined.`);
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '[' || (character === '<' && text[at + 1] === '<')) depth++;
    else if (depth > 0 && (character === ']' || (character === '>' && text[at + 1] === '>'))) depth--;
    if (depth > DEPTH) throw new Refused('The parts of the file are nested more deeply than any program writes them.');
  }
}

/** The page count that a page tree node declares, found near its /Kids. */
function countNear(text: string, kids: number): number {
  const before = text.slice(Math.max(0, kids - 200), kids);
  const list = text.slice(kids, kids + LIST_CHARACTERS);
  const end = list.indexOf(']');
  // More than 2,000 children in one list.
  if (end < 0 && list.length === LIST_CHARACTERS) return Number.POSITIVE_INFINITY;
  const after = list.slice(end + 1, end + 200);
  const own = before.slice(before.lastIndexOf('endobj') + 1);
  const found = /\/Count\s{0,4}(\d{1,9})/.exec(own) ?? /^[^>]{0,150}\/Count\s{0,4}(\d{1,9})/.exec(after);
  return Number(found?.[1] ?? 0);
}

function checkStream(file: Buffer, keyword: number, seen: Seen): void {
  const before = file.toString('latin1', Math.max(0, keyword - DICTIONARY_BYTES), keyword);
  const dictionary = before.slice(before.lastIndexOf('obj') + 1);
  seen.hasRareFilter ||= RARE_FILTER.test(dictionary);
  const number = (key: string) => Number(new RegExp(`/${key}\\s{0,4}(\\d{1,9})`).exec(dictionary)?.[1] ?? 0);
  if (/\/Subtype\s{0,4}\/Image\b/.test(dictionary)) {
    checkPixels(number('Width'), number('Height'));
    if (number('Width') * number('Height') > SMALL_PICTURE_PIXELS) return;
  }
  // Up to the end of the file: deflate data marks its own end, and "endstream" may occur inside it.
  const data = file.subarray(dataStart(file, keyword));
  const content = inflateNested(data, seen, NESTED_LAYERS);
  if (/\/ObjStm\b/.test(dictionary) && content) checkStructure(Buffer.from(content).toString('latin1'), seen);
}

function dataStart(file: Buffer, keyword: number): number {
  let at = keyword + 6;
  while (file[at] === 0x20) at++;
  if (file[at] === 0x0d) at++;
  return file[at] === 0x0a ? at + 1 : at;
}

function inflateNested(data: Uint8Array, seen: Seen, layers: number): Uint8Array | undefined {
  if (!isZlib(data)) return undefined;
  if (layers === 0) refuseBomb();
  const content = inflateAtMost(data, Math.min(MAX_STREAM_BYTES, MAX_FILE_BYTES - seen.inflatedBytes)) ?? refuseBomb();
  seen.inflatedBytes += content.length;
  inflateNested(content, seen, layers - 1);
  return content;
}

/** Rare filters are decoded by our own parser, which is bounded. */
function decodeRareFilters(bytes: Uint8Array): void {
  try {
    const { objects, decoded } = structureOf(bytes);
    for (const object of objects) if (object.data) decoded(object);
  } catch (error) {
    // Other obstacles, such as a password or a fault of our reader, are reported by whichever rule meets them.
    if (error instanceof Unreadable && error.message.includes('unpacks')) refuseBomb();
  }
}
