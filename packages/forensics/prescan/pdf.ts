import { Unreadable } from '../model.ts';
import { structureOf } from '../pdf/structure.ts';
import { checkPixels, Refused, refuseBomb } from './refused.ts';
import { looksPacked, unpacked } from './unpacked.ts';

const MIB = 1024 * 1024;
const LONGEST_STREAM = 48 * MIB;
const LONGEST_FILE = 256 * MIB;
/** A picture as small as this may be unpacked whole by whoever looks at a page; larger ones are not. */
const SMALL_PICTURE_PIXELS = 1_000_000;
const PACKED_IN_PACKED = 4;
const STREAMS = 50_000;
const PAGES = 500;
const BRANCHES = 5_000;
const LIST_CHARACTERS = 16_384;
const DEPTH = 200;
const DICTIONARY_BYTES = 4096;
const RARE_FILTER = /\/(?:LZW|RL\b|RunLength|A85|ASCII85|AHx|ASCIIHex)/;

interface Seen {
  unpacked: number;
  pages: number;
  /** Nodes of trees, those of pages among them. */
  branches: number;
  hasRareFilter: boolean;
}

/**
 * Looks for what makes readers of PDF run out of memory or time, without reading it as one: at every place where a stream may
 * begin, reached by a reader or not, what it unpacks to is measured. Of encrypted data nothing can be seen: there only the
 * watch over the process helps.
 * @throws Refused
 */
export function prescanPdf(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const seen: Seen = { unpacked: 0, pages: 0, branches: 0, hasRareFilter: false };
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
  if (seen.hasRareFilter) unpackRare(bytes);
}

/** Of what stands outside of streams, or in a stream of objects. */
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

/** How many pages the node of a page tree says it has, whose children stand here. */
function countNear(text: string, kids: number): number {
  const before = text.slice(Math.max(0, kids - 200), kids);
  const list = text.slice(kids, kids + LIST_CHARACTERS);
  const end = list.indexOf(']');
  // More than two thousand children in one list.
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
  // To the end of the file: what is packed knows where it ends, and a mark of an end may stand in the midst of it.
  const data = file.subarray(dataStart(file, keyword));
  const content = measured(data, seen, PACKED_IN_PACKED);
  if (/\/ObjStm\b/.test(dictionary) && content) checkStructure(Buffer.from(content).toString('latin1'), seen);
}

function dataStart(file: Buffer, keyword: number): number {
  let at = keyword + 6;
  while (file[at] === 0x20) at++;
  if (file[at] === 0x0d) at++;
  return file[at] === 0x0a ? at + 1 : at;
}

function measured(data: Uint8Array, seen: Seen, layers: number): Uint8Array | undefined {
  if (!looksPacked(data)) return undefined;
  if (layers === 0) refuseBomb();
  const content = unpacked(data, Math.min(LONGEST_STREAM, LONGEST_FILE - seen.unpacked)) ?? refuseBomb();
  seen.unpacked += content.length;
  measured(content, seen, layers - 1);
  return content;
}

/** Our own reader, which is bounded, unpacks what is packed in a rarer way. */
function unpackRare(bytes: Uint8Array): void {
  try {
    const { objects, decoded } = structureOf(bytes);
    for (const object of objects) if (object.data) decoded(object);
  } catch (error) {
    // What it cannot read for other reasons, a password for one, will be said by whoever needs it.
    if (!(error instanceof Unreadable)) throw error;
    if (error.message.includes('unpacks')) refuseBomb();
  }
}
