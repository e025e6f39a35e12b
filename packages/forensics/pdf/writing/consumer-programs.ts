import { metadataOf } from '../metadata.ts';
import type { Structure } from '../structure.ts';
import { writerIn } from './writer.ts';

/** A program with which anyone prints or writes pages. */
interface ConsumerProgram {
  name: string;
  /** Its names in Producer, Creator and XMP. */
  named?: RegExp;
  /** Its way of writing, by its name in `producers-writing.ts`: names can be removed. */
  writing?: string;
}

/**
 * Browsers, office programs, PDF printers, and programs that redraw pages of other files into new ones. Excludes libraries that only
 * programs of issuers use. Payroll programs use some of these, too: they are treated alike.
 */
const PROGRAMS: readonly ConsumerProgram[] = [
  { name: 'a browser of the Chromium family', named: /^skia\/pdf\b|\bheadlesschrome\b/i, writing: 'Chromium' },
  { name: 'Firefox', named: /^mozilla firefox\b/i },
  {
    name: 'LibreOffice',
    named: /^(?:libreoffice|openoffice(?:\.org)?|staroffice|collabora|onlyoffice)\b/i,
    writing: 'LibreOffice',
  },
  {
    name: 'Microsoft Office',
    named: /^microsoft® (?:word|excel|powerpoint|publisher|outlook)\b|^microsoft office\b/iu,
    writing: 'Word',
  },
  { name: 'Google Docs', named: /\bgoogle docs renderer\b/i },
  { name: 'WPS Office', named: /^wps (?:office|writer|spreadsheets)/i },
  { name: 'Windows', named: /^microsoft:? print to pdf/i },
  { name: 'macOS', named: /\bquartz pdfcontext\b/i, writing: 'macOS' },
  { name: 'Ghostscript', named: /^gpl ghostscript\b|\bghostscript \d/i, writing: 'Ghostscript' },
  { name: 'cairo', named: /^cairo 1\.\d/i, writing: 'cairo' },
  { name: 'PDF-XChange', named: /\bpdf-?xchange (?:standard|lite|printer|drive)\b/i },
  { name: 'Foxit or Nitro', named: /\b(?:foxit .{0,30}printer|nitro(?:pdf)? (?:pdf )?(?:creator|printer))\b/i },
  {
    name: 'a PDF printer',
    named: /\b(?:pdfcreator|cutepdf|dopdf|novapdf|bullzip|primopdf|win2pdf|pdf24 creator|clawpdf|freepdf)\b/i,
  },
  { name: 'Adobe’s printer', named: /^adobe pdf print engine|^acrobat pdfwriter/i },
];

/** The consumer program that made a file, with what shows it: what the file names, or how it is written. */
export function consumerProgramOf(structure: Structure): { name: string; shownBy: string } | undefined {
  const { producer, creator, xmp } = metadataOf(structure);
  const names = [producer, creator, xmp?.producer, xmp?.creatorTool].filter((text) => text !== undefined);
  for (const { name, named } of PROGRAMS) {
    const found = named && names.find((text) => named.test(text));
    if (found !== undefined) return { name, shownBy: found };
  }
  const seen = writerIn(structure);
  const byWriting = PROGRAMS.find(({ writing }) => writing !== undefined && writing === seen);
  return byWriting && { name: byWriting.name, shownBy: 'the way in which it is written' };
}
