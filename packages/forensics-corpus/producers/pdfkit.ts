import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import PDFKit from 'pdfkit';
import { type Face, type Mark, standardNames } from '../drawing.ts';
import { creators, fontFile, type Producer } from './producer.ts';

/** With the standard 14 fonts. */
export const pdfkit: Producer = {
  name: 'pdfkit',
  allLetters: false,
  pictures: true,
  deterministic: true,
  write: writer(false),
};

/** With an embedded font subset, as most software does. */
export const pdfkitEmbedded: Producer = {
  name: 'pdfkit-embedded',
  allLetters: true,
  pictures: true,
  deterministic: true,
  write: writer(true),
};

function writer(embedded: boolean): Producer['write'] {
  return (drawing, created, random) => {
    const info = { Title: drawing.title, Creator: random.pick(creators), CreationDate: created };
    const document = new PDFKit({ autoFirstPage: false, info, compress: random.chance(0.85) });
    const fontOf = (face: Face) =>
      embedded && !face.startsWith('mono') ? fileURLToPath(fontFile(face)) : standardNames[face];
    for (const { width, height, marks } of drawing.sheets) {
      document.addPage({ size: [width, height], margin: 0 });
      for (const mark of marks) draw(document, mark, fontOf);
    }
    const whole = buffer(document);
    document.end();
    return whole.then((written) => new Uint8Array(written));
  };
}

function draw(document: PDFKit.PDFDocument, mark: Mark, fontOf: (face: Face) => string): void {
  if (mark.kind === 'text') {
    const { text, size, face, colour, y } = mark;
    document
      .font(fontOf(face))
      .fontSize(size)
      .fillColor(colour.map((part) => part * 255) as [number, number, number]);
    const left = mark.align === 'right' ? mark.x - document.widthOfString(text) : mark.x;
    document.text(text, left, y, { lineBreak: false, baseline: 'alphabetic' });
  } else if (mark.kind === 'rect') {
    const colour = mark.fill.map((part) => part * 255) as [number, number, number];
    document.rect(mark.x, mark.y, mark.width, mark.height).fill(colour);
  } else {
    document.image(Buffer.from(mark.bytes), mark.x, mark.y, { width: mark.width, height: mark.height });
  }
}
