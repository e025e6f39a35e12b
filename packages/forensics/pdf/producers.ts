/** The one table of programs that write or change PDFs. */

/** What a program's name in a file implies. */
export type Trade =
  /** Changes the content of existing pages. */
  | 'editor'
  /** Draws pages freely, or edits pictures. */
  | 'graphics'
  /** Processes the file and not its content: merges, compresses, converts or signs. Some can also edit pages. */
  | 'service';

interface KnownProgram {
  name: string;
  trade: Trade;
  pattern: RegExp;
}

/**
 * Patterns for the names that programs write into Producer, Creator or XMP; the first match counts. A component that several products of a
 * maker share, such as the Corel PDF Engine of WordPerfect and CorelDRAW, names none of them.
 */
const PROGRAMS: readonly KnownProgram[] = [
  // Printers and readers come first, because the patterns of the same makers' editors match some of their names.
  { name: 'PDF-XChange', trade: 'service', pattern: /pdf-?xchange (?:standard|lite|printer|viewer|drive)/i },
  { name: 'Foxit', trade: 'service', pattern: /foxit (?:reader|pdf reader|.{0,30}printer|.{0,30}creator)/i },
  { name: 'Nitro', trade: 'service', pattern: /nitro (?:pdf )?(?:reader|creator|printer)|nitropdf creator/i },
  { name: 'Sejda SDK', trade: 'service', pattern: /sambox|pdfsam|sejda-sdk|sejda console/i },
  { name: 'PDF-XChange Editor', trade: 'editor', pattern: /pdf-?xchange (?:editor|pro|co)|pdf-?tools sdk editor/i },
  {
    name: 'Foxit Editor',
    trade: 'editor',
    pattern: /foxit (?:phantom ?pdf|phantom|pdf editor|editor|advanced pdf editor)/i,
  },
  { name: 'Nitro', trade: 'editor', pattern: /nitro (?:pdf )?(?:pro|\d)|nitro pdf/i },
  { name: 'Sejda', trade: 'editor', pattern: /\bsejda\b/i },
  { name: 'PDFescape', trade: 'editor', pattern: /pdf ?escape/i },
  { name: 'PDFelement', trade: 'editor', pattern: /pdfelement|wondershare pdf/i },
  { name: 'Master PDF Editor', trade: 'editor', pattern: /master ?pdf ?editor/i },
  { name: 'DocHub', trade: 'editor', pattern: /\bdochub\b/i },
  { name: 'pdfFiller', trade: 'editor', pattern: /\bpdf ?filler\b/i },
  { name: 'Soda PDF', trade: 'editor', pattern: /\bsoda ?pdf\b/i },
  { name: 'PDF Expert', trade: 'editor', pattern: /\bpdf expert\b/i },
  { name: 'PDFgear', trade: 'editor', pattern: /\bpdfgear\b/i },
  { name: 'UPDF', trade: 'editor', pattern: /\bupdf\b/i },
  { name: 'Infix', trade: 'editor', pattern: /\binfix(?: pro| pdf)\b|iceni technology/i },
  { name: 'Icecream PDF Editor', trade: 'editor', pattern: /icecream pdf/i },
  { name: 'Movavi PDF', trade: 'editor', pattern: /movavi pdf/i },
  { name: 'Swifdoo PDF', trade: 'editor', pattern: /swifdoo/i },
  { name: 'Flexcil', trade: 'service', pattern: /flexcil/i },
  { name: 'LibreOffice Draw', trade: 'graphics', pattern: /^draw$/i },
  { name: 'Photoshop', trade: 'graphics', pattern: /\bphotoshop\b/i },
  { name: 'Illustrator', trade: 'graphics', pattern: /\badobe illustrator\b/i },
  { name: 'Photopea', trade: 'graphics', pattern: /\bphotopea\b/i },
  { name: 'GIMP', trade: 'graphics', pattern: /\bgimp\b/i },
  { name: 'Inkscape', trade: 'graphics', pattern: /\binkscape\b/i },
  { name: 'CorelDRAW', trade: 'graphics', pattern: /\bcorel ?draw\b/i },
  { name: 'Canva', trade: 'graphics', pattern: /\bcanva\b/i },
  { name: 'Affinity', trade: 'graphics', pattern: /\baffinity (?:designer|photo|publisher)\b/i },
  { name: 'Figma', trade: 'graphics', pattern: /\bfigma\b/i },
  { name: 'Krita', trade: 'graphics', pattern: /\bkrita\b/i },
  { name: 'Paint.NET', trade: 'graphics', pattern: /\bpaint\.net\b/i },
  { name: 'Pixelmator', trade: 'graphics', pattern: /\bpixelmator\b/i },
  { name: 'Sketch', trade: 'graphics', pattern: /\bbohemian coding sketch\b/i },
  { name: 'iLovePDF', trade: 'service', pattern: /\bilovepdf\b/i },
  { name: 'Smallpdf', trade: 'service', pattern: /\bsmallpdf\b/i },
  { name: 'PDF24', trade: 'service', pattern: /\bpdf24\b/i },
  { name: 'PDF Candy', trade: 'service', pattern: /\bpdf ?candy\b/i },
  { name: 'Stirling PDF', trade: 'service', pattern: /\bstirling[- ]?pdf\b/i },
  { name: 'CloudConvert', trade: 'service', pattern: /\bcloudconvert\b/i },
  { name: 'Adobe Acrobat', trade: 'service', pattern: /\badobe acrobat\b|\bacrobat pro\b/i },
];

/** The program behind a name, if it matters to the rules. */
export function programNamed(text: string): KnownProgram | undefined {
  return PROGRAMS.find(({ pattern }) => pattern.test(text));
}
