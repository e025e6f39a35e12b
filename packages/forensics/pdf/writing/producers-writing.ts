import type { ObjectHabits } from './object-habits.ts';
import type { TextHabits } from './texts.ts';

/** How programs write files: the table that `writer-fingerprint` compares with. */
export interface WayOfWriting {
  name: string;
  /** Its name in Producer; absent if that is unknown, or if it keeps what others wrote. */
  producer?: RegExp;
  /** In hex: the beginning of the comment on the second line, which marks the file as binary (ISO 32000-1, 7.5.2). */
  comment: string;
  /** How most of its dictionaries begin, in the notation of `styleOf` (7.2.2). */
  style?: string;
  /** The form of its cross-reference, if all its versions use the same (7.5.4, 7.5.8). */
  xref?: 'table' | 'stream';
  /** Case of the hexadecimal digits of its identifier (14.4). */
  id?: 'upper' | 'lower';
  /** Writes both halves of the identifier alike when it creates a file. */
  equalHalves?: true;
  /** In hex: the first bytes of compressed page content, which state the compression level (RFC 1950). */
  compressed?: string;
  /** How it writes objects. */
  objects?: ObjectHabits;
  /** How it writes the texts of pages; programs that save files again keep those of others. */
  texts?: TextHabits;
  /** Saves files that others made, so this way of writing only shows that a file was saved again. */
  savesAgain?: true;
  /**
   * Keeps compressed streams unchanged when it saves a file again: all of them, or those whose dictionary names Filter before Length. When it
   * compresses a stream itself, it writes Length first.
   */
  keepsStreams?: 'all' | 'Filter before Length';
  /** `made`: files made with it here; `found`: public files that name it; `source`: its source code; `quoted`: files quoted in public. */
  from: 'made' | 'found' | 'source' | 'quoted';
}

const OTHERS = 'e2e3cfd3';
/** Spaces at the beginning of a text object, after the font, and before and after the operator that shows a text. */
const spaced = (begin: string, font: string, before: string, after?: string): TextHabits => [
  ['spaces at the beginning of a text object', begin],
  ['spaces after the font', font],
  ['spaces before the showing operator', before],
  ...(after === undefined ? [] : [['spaces after the showing operator', after] as const]),
];
const objects = (
  lengths: NonNullable<ObjectHabits['lengths of streams']>,
  strings: NonNullable<ObjectHabits['strings']>,
  more: ObjectHabits = {},
): ObjectHabits => ({ 'first key of pages': 'Type', 'lengths of streams': lengths, strings, ...more });
const OWN = 'in objects of their own';
const DIRECT = 'in the stream';
const BREAK = 'a line break';
const LINES = 'obj\\n<<\\n/Type␣/X';

/**
 * Versions: Chromium 153, LibreOffice 4.4 to 7.4, PDFKit 0.20, jsPDF 4, ReportLab 5, fpdf2 2.8, WeasyPrint 70, Qt 5.15, cairo 1.10 to 1.16, Word
 * 2010 to 365, Apache FOP 2.8, pdfTeX 1.40, Quartz of macOS 10.10, Ghostscript 10, pdf-lib 2.11, qpdf 12, MuPDF 1.28, Adobe PDF
 * Library 15 and 19, Print To PDF of Windows 10; PDFBox (COSWriter) and PDFium (CPDF_Creator).
 */
const WAYS_OF_WRITING: readonly WayOfWriting[] = [
  {
    name: 'Chromium',
    producer: /^Skia\/PDF/,
    comment: 'd3ebe9e1',
    style: 'obj\\n<</Type␣/X',
    xref: 'table',
    compressed: '789c',
    objects: objects(DIRECT, 'literal', { 'order of objects': 'otherwise' }),
    from: 'made',
  },
  {
    name: 'LibreOffice',
    producer: /^(?:LibreOffice|OpenOffice(?:\.org)?|StarOffice) \d/,
    comment: 'c3a4c3bcc3b6c39f',
    style: 'obj\\n<</Type/X',
    id: 'upper',
    equalHalves: true,
    compressed: '789c',
    texts: [...spaced(BREAK, 'none', 'none'), ['hexadecimal or literal strings', 'hexadecimal']],
    objects: objects(OWN, 'hexadecimal'),
    from: 'found',
  },
  {
    name: 'PDFKit',
    producer: /^PDFKit$/,
    comment: 'ffffffff',
    style: LINES,
    xref: 'table',
    id: 'lower',
    equalHalves: true,
    compressed: '789c',
    objects: objects(DIRECT, 'literal', { 'order of objects': 'otherwise' }),
    from: 'made',
  },
  {
    name: 'jsPDF',
    producer: /^jsPDF \d/,
    comment: 'badface0',
    style: LINES,
    xref: 'table',
    id: 'upper',
    equalHalves: true,
    objects: objects(DIRECT, 'literal'),
    from: 'made',
  },
  {
    name: 'ReportLab',
    producer: /^ReportLab PDF Library/,
    comment: '938c8b9e',
    style: LINES,
    xref: 'table',
    id: 'lower',
    equalHalves: true,
    texts: spaced('one', 'one', 'one', 'one'),
    objects: { 'lengths of streams': DIRECT, strings: 'literal', 'order of objects': 'by number' },
    from: 'made',
  },
  { name: 'wkhtmltopdf', producer: /^Qt [56]\./, comment: 'c3a2c3a3', compressed: '789c', from: 'made' },
  {
    name: 'cairo',
    producer: /^cairo 1\.\d/,
    comment: 'b5edaefb',
    style: 'obj\\n<<␣/Type␣/X',
    compressed: '789c',
    objects: objects(OWN, 'literal'),
    from: 'found',
  },
  {
    name: 'Word',
    producer: /^Microsoft® Word (?:20\d\d|\p{L}{2,8} Microsoft 365)/u,
    comment: 'b5b5b5b5',
    style: 'obj\\r\\n<</Type/X',
    id: 'upper',
    equalHalves: true,
    texts: spaced('CR and LF', 'CR and LF', 'one', 'CR and LF'),
    objects: objects(DIRECT, 'literal', { 'order of objects': 'by number', predictor: 'none' }),
    from: 'found',
  },
  { name: 'Apache FOP', producer: /^Apache FOP Version/, comment: 'aaabacad', equalHalves: true, from: 'made' },
  { name: 'fpdf2', comment: 'e9ebf1bf', style: LINES, from: 'made' },
  {
    name: 'WeasyPrint',
    producer: /^WeasyPrint \d/,
    comment: 'f09f96a4',
    style: 'obj\\n<</Type␣/X',
    objects: objects(DIRECT, 'literal', { predictor: 'none' }),
    from: 'made',
  },
  {
    name: 'pdfTeX',
    producer: /^pdfTeX-1\./,
    comment: 'd0d4c5d8',
    style: LINES,
    id: 'upper',
    texts: spaced(BREAK, 'one', 'none'),
    objects: objects(DIRECT, 'literal', { predictor: 'none' }),
    from: 'found',
  },
  { name: 'macOS', producer: /Quartz PDFContext/, comment: 'c4e5f2e5eba7f3a0', savesAgain: true, from: 'found' },
  { name: 'Ghostscript', producer: /^GPL Ghostscript \d/, comment: 'c7ec8fa2', savesAgain: true, from: 'made' },
  { name: 'pdf-lib', comment: '81818181', style: LINES, savesAgain: true, keepsStreams: 'all', from: 'made' },
  {
    name: 'qpdf',
    comment: 'bff7a2fe',
    style: 'obj\\n<<␣/Type␣/X',
    savesAgain: true,
    keepsStreams: 'Filter before Length',
    from: 'made',
  },
  { name: 'MuPDF', comment: 'c2b5c2b6', style: 'obj\\n<</Type/X', savesAgain: true, from: 'made' },
  { name: 'PDFBox', comment: 'f6e4fcdf', savesAgain: true, from: 'source' },
  { name: 'PDFium', comment: 'a1b3c5d7', savesAgain: true, from: 'source' },
  { name: 'PDFsharp', comment: 'd3f4cce1', savesAgain: true, from: 'quoted' },
  { name: 'Acrobat', comment: OTHERS, style: 'obj\\r<</Type/X', savesAgain: true, from: 'found' },
  { name: 'Acrobat, iText or another library', comment: OTHERS, savesAgain: true, from: 'found' },
];

/** The program that writes files this way, by its comment and, among several, by its style. @param comment in hex */
export function writerOf(comment: string, style: string | undefined): WayOfWriting | undefined {
  const ways = WAYS_OF_WRITING.filter((way) => comment.startsWith(way.comment));
  return ways.find((way) => way.style === undefined || way.style === style) ?? ways.at(-1);
}

/** How the program that a file names as its producer writes. */
export function claimedWriter(producer: string): WayOfWriting | undefined {
  return WAYS_OF_WRITING.find((way) => way.producer?.test(producer));
}
