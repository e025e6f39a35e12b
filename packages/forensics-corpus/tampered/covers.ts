import type { PDFDocument, PDFFont, PDFPage } from '@cantoo/pdf-lib';
import {
  beginText,
  endText,
  PDFName,
  PDFString,
  rgb,
  StandardFonts,
  setFontAndSize,
  setTextMatrix,
  setTextRenderingMode,
  showText,
  TextRenderingMode,
} from '@cantoo/pdf-lib';
import { standardNames } from '../drawing.ts';
import { latin } from '../pdf/bytes.ts';
import { NotPossible, retype } from '../pdf/retype.ts';
import { inOwnFont } from './consistent.ts';
import { opened } from './edits.ts';
import type { Victim } from './victim.ts';

/** A white box over the value with the new one on top; the former value stays below. */
export async function overlay(victim: Victim): Promise<Uint8Array> {
  const { bytes, change, random } = victim;
  const document = await opened(bytes, random.chance(0.4));
  const { font, size, x, baseline, page, width } = lettering(victim, document);
  const { place } = change;
  const padding = random.number() * 1.5 + 0.4;
  page.drawRectangle({
    x: Math.min(place.x, x) - padding,
    y: page.getHeight() - place.y - place.height - padding,
    width: Math.max(place.width, width) + 2 * padding,
    height: place.height + 2 * padding,
    color: rgb(1, 1, 1),
  });
  page.drawText(change.after, { x, y: baseline, size, font });
  return document.save({ useObjectStreams: random.chance(0.5) });
}

/** The former value made invisible, and the new one in its place in the same font. */
export async function hiddenBelow({ bytes, change, drawing, target, random }: Victim): Promise<Uint8Array> {
  const document = await opened(bytes);
  const mark = drawing.sheets[target.page - 1]?.marks[target.mark];
  // Text after it would move, and words use subset fonts without the new letters.
  const isAlone = mark?.kind === 'text' && mark.text === change.before;
  if (!isAlone || change.target === 'name' || change.target === 'mrz') throw new NotPossible('No value of its own.');
  const { ref, after, font } = retype(document, change.page, change.before, '');
  document.context.assign(ref, document.context.flateStream(latin(after)));
  const page = document.getPage(change.page - 1);
  const { x, y, height } = change.place;
  const place = setTextMatrix(1, 0, 0, 1, x, page.getHeight() - y - height * 0.78);
  page.pushOperators(
    beginText(),
    setFontAndSize(font, mark.size),
    place,
    setTextRenderingMode(TextRenderingMode.Invisible),
    showText(inOwnFont(document, change.page, font, change.before)),
    place,
    setTextRenderingMode(TextRenderingMode.Fill),
    showText(inOwnFont(document, change.page, font, change.after)),
    endText(),
  );
  return document.save({ useObjectStreams: random.chance(0.5) });
}

/** The same as an annotation, which viewers let any reader add. */
export async function freeText(victim: Victim): Promise<Uint8Array> {
  const { bytes, change, random } = victim;
  const document = await opened(bytes, random.chance(0.6));
  const { font, size, x, baseline, page, width } = lettering(victim, document);
  const { place } = change;
  const bottom = page.getHeight() - place.y - place.height - 1;
  const [left, right] = [Math.min(place.x, x) - 1.5, Math.max(place.x + place.width, x + width) + 1.5];
  const rect = [left, bottom, right, bottom + place.height + 2];
  const { context } = document;
  const text = font.encodeText(change.after).toString();
  const content = `1 1 1 rg 0 0 ${right - left} ${place.height + 2} re f BT 0 g /F ${size} Tf ${x - left} ${baseline - bottom} Td ${text} Tj ET`;
  const appearance = context.stream(content, {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, right - left, place.height + 2],
    Resources: { Font: { F: font.ref } },
  });
  const annotation = context.obj({
    Type: 'Annot',
    Subtype: 'FreeText',
    Rect: rect,
    Contents: PDFString.of(change.after),
    DA: PDFString.of(`/F ${size} Tf 0 g`),
    C: [1, 1, 1],
    F: 4,
    AP: { N: context.register(appearance) },
  });
  page.node.addAnnot(context.register(annotation));
  if (!page.node.has(PDFName.of('Annots'))) throw new NotPossible('No comment.');
  return document.save({ useObjectStreams: random.chance(0.5) });
}

interface Lettering {
  page: PDFPage;
  font: PDFFont;
  size: number;
  x: number;
  baseline: number;
  width: number;
}

/** The least conspicuous font, size and position: the drawing's typeface, at the same end of the text. */
function lettering({ change, drawing, target }: Victim, document: PDFDocument): Lettering {
  const mark = drawing.sheets[target.page - 1]?.marks[target.mark];
  if (mark?.kind !== 'text') throw new NotPossible('No text.');
  const font = document.embedStandardFont(standardNames[mark.face] ?? StandardFonts.Helvetica);
  const page = document.getPage(change.page - 1);
  const { place } = change;
  const width = encodable(font, change.after, mark.size);
  const x = mark.align === 'right' ? place.x + place.width - width : place.x;
  return { page, font, size: mark.size, x, baseline: page.getHeight() - place.y - place.height * 0.78, width };
}

function encodable(font: PDFFont, text: string, size: number): number {
  try {
    return font.widthOfTextAtSize(text, size);
  } catch {
    throw new NotPossible('The font does not have the letters.');
  }
}
