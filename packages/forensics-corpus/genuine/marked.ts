import {
  degrees,
  PDFArray,
  PDFDocument,
  type PDFObject,
  type PDFPage,
  PDFString,
  rgb,
  StandardFonts,
} from '@cantoo/pdf-lib';
import type { Drawing } from '../drawing.ts';
import { pdfDate } from '../pdf/bytes.ts';
import { locate } from '../pdf/locate.ts';
import type { Random } from '../random.ts';

/** Marks that honest people add to a finished file. */

/** Pale letters across every page, below or above its content. */
export async function watermarked(bytes: Uint8Array, random: Random): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  const font = document.embedStandardFont(StandardFonts.HelveticaBold);
  const text = random.pick(['COPY', 'KOPIE', 'DUPLICATA', 'CONFIDENTIAL', 'Only for rental application']);
  const opacity = 0.08 + random.number() * 0.14;
  const turn = random.pick([0, 30, 45, 60]);
  const place = { x: random.integer(60, 140), y: random.integer(200, 520) };
  const below = random.chance(0.4);
  for (const page of document.getPages()) {
    const size = Math.min(90, (page.getWidth() * (turn === 0 ? 1 : 1.3)) / text.length);
    page.drawText(text, { ...place, size, font, opacity, rotate: degrees(turn), color: rgb(0.4, 0.4, 0.4) });
    if (below) toTheBottom(page);
  }
  return document.save({ useObjectStreams: random.chance(0.5) });
}

/** Moves the last marks to the bottom, so that everything else lies on top of them. */
function toTheBottom({ node }: PDFPage): void {
  const contents = node.Contents();
  if (!(contents instanceof PDFArray)) return;
  const last = contents.get(contents.size() - 1);
  contents.remove(contents.size() - 1);
  contents.insert(0, last);
}

/** A stamp as viewers add it, framed, in a free area; appended to the file. */
export async function stamped(bytes: Uint8Array, created: Date, random: Random): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false, forIncrementalUpdate: true });
  const page = document.getPage(0);
  const text = random.pick(['PAID', 'RECEIVED', 'EINGEGANGEN', 'VU', 'COPIA CONFORME', 'ZAPLACONO']);
  const font = document.embedStandardFont(StandardFonts.HelveticaBold);
  const width = font.widthOfTextAtSize(text, 16) + 16;
  const left = page.getWidth() - width - random.integer(30, 120);
  const bottom = random.integer(60, 120);
  const drawn = `0.8 0.1 0.1 RG 0.8 0.1 0.1 rg 1.5 w 1 1 ${width - 2} 24 re S BT /F 16 Tf 8 7 Td ${font.encodeText(text)} Tj ET`;
  const rect = [left, bottom, left + width, bottom + 26];
  annotate(
    page,
    { Subtype: 'Stamp', Rect: rect, Contents: PDFString.of(text), M: PDFString.of(pdfDate(created)) },
    drawn,
    {
      Font: { F: font.ref },
    },
  );
  return document.save();
}

/** A highlight over a line with a note beside it; the text under the colour stays legible. */
export async function annotated(
  bytes: Uint8Array,
  drawing: Drawing,
  created: Date,
  random: Random,
): Promise<Uint8Array> {
  const { page: number, text } = random.pick(drawing.targets);
  const place = await locate(bytes, number, text);
  if (!place) throw new Error(`${text} is not shown.`);
  const document = await PDFDocument.load(bytes, { updateMetadata: false, forIncrementalUpdate: true });
  const page = document.getPage(number - 1);
  const [left, right] = [place.x - 2, place.x + place.width + 2];
  const bottom = page.getHeight() - place.y - place.height - 1;
  const top = bottom + place.height + 2;
  const about = { T: PDFString.of('Applicant'), M: PDFString.of(pdfDate(created)) };
  const highlight = {
    ...about,
    Subtype: 'Highlight',
    Rect: [left, bottom, right, top],
    QuadPoints: [left, top, right, top, left, bottom, right, bottom],
    C: [1, 1, 0],
  };
  const drawn = `/G gs 1 1 0 rg 0 0 ${right - left} ${top - bottom} re f`;
  annotate(page, highlight, drawn, { ExtGState: { G: { BM: 'Multiply' } } });
  const note = {
    ...about,
    Type: 'Annot',
    Subtype: 'Text',
    Rect: [20, top, 38, top + 18],
    Contents: PDFString.of('Salary'),
  };
  page.node.addAnnot(document.context.register(document.context.obj(note)));
  return document.save();
}

type Entries = Record<string, Literal>;
type Literal = PDFObject | string | number | Literal[] | { [name: string]: Literal };

function annotate(page: PDFPage, entries: Entries & { Rect: number[] }, drawn: string, resources: Entries): void {
  const { context } = page.doc;
  const [left = 0, bottom = 0, right = 0, top = 0] = entries.Rect;
  const form = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, right - left, top - bottom], Resources: resources };
  const appearance = context.register(context.stream(drawn, form));
  page.node.addAnnot(context.register(context.obj({ Type: 'Annot', F: 4, AP: { N: appearance }, ...entries })));
}

/** A page of questions after the document, answered in a later revision. */
export async function formFilled(bytes: Uint8Array, name: string, random: Random): Promise<Uint8Array> {
  const questions = ['Name of applicant', 'Moving in on', 'Number of people', 'Pets'];
  const empty = await PDFDocument.load(bytes, { updateMetadata: false });
  const form = empty.getForm();
  const page = empty.addPage([595, 842]);
  page.drawText('Self-disclosure', { x: 60, y: 760, size: 16 });
  questions.forEach((question, index) => {
    page.drawText(question, { x: 60, y: 710 - index * 40, size: 10 });
    const field = form.createTextField(`question-${index}`);
    field.addToPage(page, { x: 220, y: 702 - index * 40, width: 280, height: 20 });
  });
  const answers = [
    name,
    `1.${random.integer(1, 12)}.2025`,
    String(random.integer(1, 5)),
    random.pick(['no', 'one cat']),
  ];
  const asked = await empty.save({ useObjectStreams: false });
  const filled = await PDFDocument.load(asked, { updateMetadata: false, forIncrementalUpdate: true });
  answers.forEach((answer, index) => {
    filled.getForm().getTextField(`question-${index}`).setText(answer);
  });
  return filled.save();
}
