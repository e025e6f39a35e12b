/** A state of the file that was saved: what the file was when it ended here. Offsets are bytes from the file's beginning. */
export interface Revision {
  /** Where what this revision added begins: the end of the one before it. */
  start: number;
  /** After its end-of-file marker and the line break behind it, so that `bytes.subarray(0, end)` is the file as it was saved. */
  end: number;
  /** Of its cross-reference section; absent where the offset written in the file leads nowhere and readers repair it. */
  xref?: number;
}

interface Candidate {
  end: number;
  xref: number;
}

const REVISIONS = 5000;
const CANDIDATES = 20_000;
/** How far offsets written in a file are off, where a mail gateway or an editor changed a few line breaks. */
const SLACK = 32;
const known = new WeakMap<Uint8Array, Revision[]>();

/**
 * The states in which the file was saved, oldest first; at least one for a file of any content, empty for no bytes. A marker counts
 * only when the offset before it leads to a cross-reference section, so that a PDF attached to a PDF is no revision. The
 * first section of a linearised file is none either (ISO 32000-1, Annex F); bytes behind the last marker are one when
 * they hold objects. Never throws.
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

/** One for each cross-reference section; of several markers of one section the last. */
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

/** Where a cross-reference section begins at or very near an offset: a table, or the object of a stream. */
export function sectionAt(text: Buffer, offset: number): number | undefined {
  if (offset <= 0 || offset >= text.length) return undefined;
  if (isStream(text, offset)) return offset;
  const from = Math.max(0, offset - SLACK);
  const near = text.toString('latin1', from, Math.min(text.length, offset + SLACK + 4));
  const table = /(?<![a-z])xref(?=[\s\0])/.exec(near);
  return table === null ? undefined : from + table.index;
}

function isStream(text: Buffer, offset: number): boolean {
  const beginning = text.toString('latin1', offset, Math.min(text.length, offset + 4096));
  if (!/^\s{0,8}\d{1,10}\s{1,8}\d{1,10}\s{1,8}obj/.test(beginning)) return false;
  const type = beginning.indexOf('/XRef');
  return type > 0 && !beginning.slice(0, type).includes('endobj');
}

/** How long the file was when it was linearised; 0 when it was not. Saved again behind that, it is still as long here. */
function linearisedEnd(text: Buffer, header: number): number {
  const beginning = text.toString('latin1', header, Math.min(text.length, header + 1024));
  const dictionary = beginning.indexOf('/Linearized');
  if (dictionary < 0) return 0;
  const length = /\/L\s{0,8}(\d{1,12})/.exec(beginning.slice(Math.max(0, dictionary - 200)));
  return length === null ? 0 : Math.min(text.length, Number(length[1]) + header);
}
