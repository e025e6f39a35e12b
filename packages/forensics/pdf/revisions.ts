/** A saved state of the file. Offsets are bytes from the beginning of the file. */
export interface Revision {
  /** Where the bytes that this revision added begin: the end of the previous one. */
  start: number;
  /** After its end-of-file marker and the line break behind it: `bytes.subarray(0, end)` is the file as it was saved. */
  end: number;
  /** The offset of its cross-reference section; absent if no offset in the file leads to one and readers have to rebuild it. */
  xref?: number;
}

interface Candidate {
  end: number;
  xref: number;
}

const REVISIONS = 5000;
const CANDIDATES = 20_000;
/** How far written offsets may be off after a mail gateway or an editor changed line breaks. */
const SLACK = 32;
const known = new WeakMap<Uint8Array, Revision[]>();

/**
 * The saved states of a file, oldest first; at least one unless the file is empty. A marker counts only if the offset before it leads
 * to a cross-reference section, so a PDF attached to a PDF is no revision. The first section of a linearised file does not count
 * either (ISO 32000-1, Annex F). Bytes after the last marker count if they contain objects. Never throws.
 */
export function revisionsOf(bytes: Uint8Array): Revision[] {
  const before = known.get(bytes);
  if (before !== undefined) return before;
  const revisions = find(bytes);
  known.set(bytes, revisions);
  return revisions;
}

function find(bytes: Uint8Array): Revision[] {
  if (bytes.length === 0) return [];
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const revisions: Revision[] = [];
  let start = 0;
  for (const { end, xref } of saved(text)) {
    revisions.push({ start, end, xref });
    start = end;
  }
  const rest = text.indexOf(' obj', start);
  if (start === 0 || (rest > 0 && text.indexOf('endobj', rest) > 0)) revisions.push({ start, end: bytes.length });
  return revisions.slice(-REVISIONS);
}

/** One for each cross-reference section; if several markers name the same section, the last. */
function saved(text: Buffer): Candidate[] {
  const header = Math.max(0, text.subarray(0, 1024 + 5).indexOf('%PDF-'));
  const linearised = linearisedEnd(text, header);
  const bySection = new Map<number, Candidate>();
  let at = text.indexOf('startxref');
  for (let count = 0; at >= 0 && count < CANDIDATES; count++) {
    const candidate = candidateAt(text, at, header);
    const isFirstPart = count === 0 && candidate !== undefined && candidate.end < linearised;
    if (candidate !== undefined && !isFirstPart) {
      bySection.delete(candidate.xref);
      bySection.set(candidate.xref, candidate);
    }
    at = text.indexOf('startxref', at + 9);
  }
  return [...bySection.values()];
}

function candidateAt(text: Buffer, at: number, header: number): Candidate | undefined {
  const written = /^startxref[\s\0]{1,8}(\d{1,12})[\s\0]{1,8}%%EOF(?:\r\n|\r|\n)?/.exec(
    text.toString('latin1', at, Math.min(text.length, at + 64)),
  );
  if (written === null) return undefined;
  const target = Number(written[1]);
  const end = at + written[0].length;
  for (const base of header > 0 ? [header, 0] : [0]) {
    const xref = sectionAt(text, target + base);
    if (xref !== undefined && xref < at) return { end, xref };
  }
  return undefined;
}

/** The start of a cross-reference section: a stream or a table within a few bytes of an offset. */
export function sectionAt(text: Buffer, offset: number): number | undefined {
  if (offset <= 0 || offset >= text.length) return undefined;
  const stream = streamAt(text, offset);
  if (stream !== undefined) return stream;
  const from = Math.max(0, offset - SLACK);
  const near = text.toString('latin1', from, Math.min(text.length, offset + SLACK + 4));
  const table = /(?<![a-z])xref(?=[\s\0])/.exec(near);
  return table === null ? undefined : from + table.index;
}

/** The cross-reference stream that begins nearest to an offset, within a few bytes of it. */
function streamAt(text: Buffer, offset: number): number | undefined {
  const from = Math.max(0, offset - SLACK);
  const near = text.toString('latin1', from, Math.min(text.length, offset + SLACK + 24));
  const starts = [...near.matchAll(/(?<!\d)\d{1,10}\s{1,8}\d{1,10}\s{1,8}obj/g)]
    .map(({ index }) => from + index)
    .filter((start) => start <= offset + SLACK && isStream(text, start));
  return starts.sort((one, other) => Math.abs(one - offset) - Math.abs(other - offset))[0];
}

function isStream(text: Buffer, start: number): boolean {
  const beginning = text.toString('latin1', start, Math.min(text.length, start + 4096));
  const type = beginning.indexOf('/XRef');
  return type > 0 && !beginning.slice(0, type).includes('endobj');
}

/** The length of the file when it was linearised, 0 if it was not. Later revisions do not change the value. */
function linearisedEnd(text: Buffer, header: number): number {
  const beginning = text.toString('latin1', header, Math.min(text.length, header + 1024));
  const dictionary = beginning.indexOf('/Linearized');
  if (dictionary < 0) return 0;
  const length = /\/L\s{0,8}(\d{1,12})/.exec(beginning.slice(Math.max(0, dictionary - 200)));
  return length === null ? 0 : Math.min(text.length, Number(length[1]) + header);
}
