import {
  beginText,
  endText,
  type PDFDocument,
  PDFHexString,
  setFontAndSize,
  setTextMatrix,
  showText,
} from '@cantoo/pdf-lib';
import { figure, type Locale } from '../data/locale.ts';
import type { Target } from '../drawing.ts';
import { latin } from '../pdf/bytes.ts';
import { codesOf } from '../pdf/codes.ts';
import { locate } from '../pdf/locate.ts';
import { NotPossible, retype } from '../pdf/retype.ts';
import { qpdf } from '../producers/qpdf.ts';
import type { Change } from '../truth.ts';
import { opened } from './edits.ts';
import type { Victims } from './several.ts';

type Sheets = Omit<Victims, 'values'>;
type Placed = Change & { place: NonNullable<Change['place']> };

/**
 * A higher salary in the file's own fonts, with gross and net pay raised by the same amount, in place of the former content: every sum is
 * correct. Half of the editors change the strings in place, the others remove the values and write them again.
 * @throws NotPossible when the page does not have these three figures
 */
export async function consistentRewrite(
  { bytes, drawing, random }: Sheets,
  locale: Locale,
): Promise<{ bytes: Uint8Array; changes: Change[] }> {
  const chosen = (['amount', 'gross', 'net'] as const).map((name) =>
    drawing.targets.find((target) => target.name === name),
  );
  const more = 100 * random.integer(200, 900);
  const isSetAgain = random.chance(0.5);
  const document = await opened(bytes);
  const changes: Placed[] = [];
  for (const target of chosen) {
    if (target === undefined) throw new NotPossible('No payslip with these figures.');
    const text = figure(centsOf(target.text) + more, locale);
    const place = await locate(bytes, target.page, target.text);
    if (!place || text.length !== target.text.length) throw new NotPossible('The figure does not fit.');
    const change = { target: target.name, page: target.page, before: target.text, after: text, bound: false, place };
    if (isSetAgain) setAgain(document, drawing, target, change);
    else rewritten(document, change, text);
    changes.push(change);
  }
  const saved = await document.save({ useObjectStreams: false });
  return { bytes: await qpdf(saved, [`--object-streams=${random.pick(['preserve', 'generate'])}`]), changes };
}

function rewritten(document: PDFDocument, { page, before }: Change, text: string): string {
  const { ref, after, font } = retype(document, page, before, text);
  document.context.assign(ref, document.context.flateStream(latin(after)));
  return font;
}

/** As page-editing libraries do: the text is removed from its place and written at the end in the same font and position. */
function setAgain(document: PDFDocument, drawing: Sheets['drawing'], target: Target, change: Placed): void {
  const mark = drawing.sheets[target.page - 1]?.marks[target.mark];
  // Text after it would move.
  if (mark?.kind !== 'text' || mark.text !== target.text) throw new NotPossible('No text of its own.');
  const font = rewritten(document, change, '');
  const page = document.getPage(change.page - 1);
  const { x, y, height } = change.place;
  page.pushOperators(
    beginText(),
    setFontAndSize(font, mark.size),
    setTextMatrix(1, 0, 0, 1, x, page.getHeight() - y - height * 0.78),
    showText(inOwnFont(document, change.page, font, change.after)),
    endText(),
  );
}

/** Encodes a text in a font of the page. @throws NotPossible when the font lacks a letter */
export function inOwnFont(document: PDFDocument, page: number, font: string, text: string): PDFHexString {
  const codes = [...text].map((letter) => codesOf(document, page, font).codeOf(letter));
  if (codes.includes(undefined)) throw new NotPossible('The font lacks a letter.');
  return PDFHexString.of(Buffer.from(codes.join(''), 'latin1').toString('hex').toUpperCase());
}

function centsOf(text: string): number {
  return Number(text.replace(/\D/g, ''));
}
