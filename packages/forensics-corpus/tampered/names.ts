import { PDFDocument, PDFHexString, PDFName, PDFOperator, type PDFOperatorNames, type PDFPage } from '@cantoo/pdf-lib';
import { type Drawing, leftOf, type TextMark } from '../drawing.ts';
import { rasterised } from '../pdf/raster.ts';
import { jpeg } from '../pictures/pixels.ts';
import type { Producer } from '../producers/producer.ts';
import type { Random } from '../random.ts';

/** A drawing with a name or an employer that is to be changed in one place. */
export interface NameVictim {
  drawing: Drawing;
  before: string;
  after: string;
  producer: Producer;
  random: Random;
}

/** Names of glyphs in the standard Latin character set (ISO 32000-1, annex D.2). */
const GLYPHS: Readonly<Record<string, string>> = {
  ' ': 'space',
  '.': 'period',
  '-': 'hyphen',
  '&': 'ampersand',
  "'": 'quotesingle',
  ß: 'germandbls',
};
const ACCENTS: Readonly<Record<string, string>> = {
  '\u0300': 'grave',
  '\u0301': 'acute',
  '\u0302': 'circumflex',
  '\u0303': 'tilde',
  '\u0308': 'dieresis',
  '\u0327': 'cedilla',
};

const CREATED = new Date(Date.UTC(2025, 2, 28));

/** The forgery that needs the name in more than one place. */
export const OTHER_PLACES = 'in other places of the page';

/** Forgeries of a name that leave the former one somewhere, each by another way to show one text and to say another. */
export const nameForgeries: Record<string, (victim: NameVictim) => Promise<Uint8Array>> = {
  'below without paint': (victim) => rewritten(victim, (_, old, now) => `3 Tr ${old} 0 Tr ${now}`),
  'in a hidden layer': (victim) =>
    rewritten(victim, ({ document, page }, old, now) => `/OC /${hiddenLayer(document, page)} BDC ${old} EMC ${now}`),
  'as replacement text': (victim) =>
    rewritten(victim, (_, __, now) => `/Span <</ActualText ${PDFHexString.fromText(victim.before)}>> BDC ${now} EMC`),
  'as letters of a font': (victim) =>
    rewritten(victim, ({ document, page, mark }) => lying(document, page, mark, victim)),
  'below a picture of the page': belowPicture,
  [OTHER_PLACES]: ({ drawing, before, after, producer, random }) =>
    producer.write(renamed(drawing, before, after), CREATED, random),
};

interface Stage {
  document: PDFDocument;
  page: PDFPage;
  mark: TextMark;
}

/** Without the mark that shows the name, and with content that a forger adds for it. */
async function rewritten(
  { drawing, before, after, producer, random }: NameVictim,
  added: (stage: Stage, old: string, now: string) => string,
): Promise<Uint8Array> {
  const mark = markOf(drawing, before);
  const sheets = drawing.sheets.map((sheet) => ({ ...sheet, marks: sheet.marks.filter((one) => one !== mark) }));
  const document = await PDFDocument.load(await producer.write({ ...drawing, sheets }, CREATED, random), {
    updateMetadata: false,
  });
  const page = document.getPage(0);
  const font = page.node.newFontDictionary('Added', helvetica(document));
  const show = (text: string) =>
    `BT ${font} ${mark.size} Tf ${leftOf(mark)} ${page.getHeight() - mark.y} Td (${latin(text)}) Tj ET`;
  const content = added({ document, page, mark }, show(mark.text), show(mark.text.replace(before, after)));
  // PDF-lib has no operator for content that is ready.
  page.pushOperators(PDFOperator.of(`q 0 g ${content} Q\n` as PDFOperatorNames));
  return document.save({ useObjectStreams: random.chance(0.5) });
}

function helvetica(document: PDFDocument) {
  return document.context.register(
    document.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica', Encoding: 'WinAnsiEncoding' }),
  );
}

function hiddenLayer(document: PDFDocument, page: PDFPage): string {
  const { context, catalog } = document;
  const layer = context.register(context.obj({ Type: 'OCG', Name: PDFHexString.fromText('Layer') }));
  catalog.set(PDFName.of('OCProperties'), context.obj({ OCGs: [layer], D: { OFF: [layer] } }));
  const resources = page.node.normalizedEntries().Resources;
  resources.set(PDFName.of('Properties'), context.obj({ Former: layer }));
  return 'Former';
}

/** A font whose characters draw the new name, and claim to be the letters of the former one. */
function lying(document: PDFDocument, page: PDFPage, mark: TextMark, { before, after }: NameVictim): string {
  const { context } = document;
  const letters = [...after];
  const glyphs = letters.map((letter) => PDFName.of(glyphOf(letter)));
  const claims = letters.map((_, at) => (at === letters.length - 1 ? before.slice(at) : (before[at] ?? '\u200b')));
  const rows = claims.map(
    (claim, at) => `<${hex(at + 1, 2)}> <${[...claim].map((one) => hex(one.charCodeAt(0), 4)).join('')}>`,
  );
  const map = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${rows.length} beginbfchar\n${rows.join('\n')}\nendbfchar endcmap`;
  const font = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type1',
      BaseFont: 'Helvetica',
      Encoding: { Type: 'Encoding', Differences: [1, ...glyphs] },
      ToUnicode: context.register(context.flateStream(map)),
    }),
  );
  const name = page.node.newFontDictionary('Lying', font);
  const codes = letters.map((_, at) => hex(at + 1, 2)).join('');
  return `BT ${name} ${mark.size} Tf ${leftOf(mark)} ${page.getHeight() - mark.y} Td <${codes}> Tj ET`;
}

function glyphOf(letter: string): string {
  const [base = letter, accent = ''] = letter.normalize('NFD');
  return GLYPHS[letter] ?? `${base}${ACCENTS[accent] ?? ''}`;
}

async function belowPicture({ drawing, before, after, producer, random }: NameVictim): Promise<Uint8Array> {
  const genuine = await PDFDocument.load(await producer.write(drawing, CREATED, random), { updateMetadata: false });
  const forged = await producer.write(renamed(drawing, before, after), CREATED, random);
  const [raster] = await rasterised(forged, 2);
  if (raster === undefined) throw new Error('No page.');
  const picture = await genuine.embedJpg(await jpeg(raster, 85));
  const page = genuine.getPage(0);
  page.drawImage(picture, { x: 0, y: 0, width: page.getWidth(), height: page.getHeight() });
  return genuine.save();
}

/** With the name changed where it stands first. */
function renamed(drawing: Drawing, before: string, after: string): Drawing {
  const mark = markOf(drawing, before);
  const sheets = drawing.sheets.map((sheet) => ({
    ...sheet,
    marks: sheet.marks.map((one) => (one === mark ? { ...mark, text: mark.text.replace(before, after) } : one)),
  }));
  return { ...drawing, sheets };
}

function markOf({ sheets }: Drawing, text: string): TextMark {
  const mark = sheets[0]?.marks.find((one): one is TextMark => one.kind === 'text' && one.text.includes(text));
  if (mark === undefined) throw new Error(`${text} is not on the first page.`);
  return mark;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** A literal string in Windows code page 1252. */
function latin(text: string): string {
  return [...text].map((letter) => `\\${(letter.charCodeAt(0) & 255).toString(8).padStart(3, '0')}`).join('');
}
