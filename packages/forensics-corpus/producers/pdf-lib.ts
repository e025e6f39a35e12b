import { PDFDocument, type PDFFont, type PDFPage, rgb } from '@cantoo/pdf-lib';
import { type Face, leftOf, type Mark, standardNames } from '../drawing.ts';
import { creators, type Producer } from './producer.ts';

export const pdfLib: Producer = {
  name: 'pdf-lib',
  allLetters: false,
  pictures: true,
  deterministic: true,
  async write(drawing, created, random) {
    const document = await PDFDocument.create();
    document.setTitle(drawing.title);
    document.setCreator(random.pick(creators));
    document.setCreationDate(created);
    document.setModificationDate(created);
    const fonts = new Map<Face, PDFFont>();
    const fontOf = (face: Face) => {
      const font = fonts.get(face) ?? document.embedStandardFont(standardNames[face]);
      fonts.set(face, font);
      return font;
    };
    for (const { width, height, marks } of drawing.sheets) {
      const page = document.addPage([width, height]);
      for (const mark of marks) await draw(page, mark, fontOf);
    }
    return document.save({ useObjectStreams: random.chance(0.5) });
  },
};

async function draw(page: PDFPage, mark: Mark, fontOf: (face: Face) => PDFFont): Promise<void> {
  const height = page.getHeight();
  if (mark.kind === 'text') {
    const { text, size, face, colour, y } = mark;
    page.drawText(text, { x: leftOf(mark), y: height - y, size, font: fontOf(face), color: rgb(...colour) });
  } else if (mark.kind === 'rect') {
    const { x, y, width, fill } = mark;
    page.drawRectangle({ x, y: height - y - mark.height, width, height: mark.height, color: rgb(...fill) });
  } else {
    const { x, y, width, bytes, type } = mark;
    const picture = await (type === 'jpeg' ? page.doc.embedJpg(bytes) : page.doc.embedPng(bytes));
    page.drawImage(picture, { x, y: height - y - mark.height, width, height: mark.height });
  }
}
