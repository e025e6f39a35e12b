import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { jsPDF } from 'jspdf';
import type { Drawing, Face, Mark } from '../drawing.ts';
import { fontFile, type Producer } from './producer.ts';

export const jsPdf: Producer = {
  name: 'jspdf',
  allLetters: true,
  pictures: true,
  deterministic: true,
  async write(drawing, created, random) {
    const [first] = drawing.sheets;
    if (!first) throw new Error('A drawing without sheets.');
    const document = new jsPDF({
      unit: 'pt',
      format: [first.width, first.height],
      compress: random.chance(0.5),
      ...upright(first),
    });
    document.setProperties({ title: drawing.title });
    document.setCreationDate(created);
    document.setFileId(createHash('md5').update(`${drawing.title}${created.getTime()}`).digest('hex').toUpperCase());
    const embedded = !drawing.western || random.chance(0.4);
    if (embedded) await addFonts(document);
    drawing.sheets.forEach((sheet, index) => {
      if (index > 0) document.addPage([sheet.width, sheet.height], upright(sheet).orientation);
      for (const mark of sheet.marks) draw(document, mark, embedded);
    });
    return new Uint8Array(document.output('arraybuffer'));
  },
};

function upright({ width, height }: Drawing['sheets'][number]): { orientation: 'portrait' | 'landscape' } {
  return { orientation: width > height ? 'landscape' : 'portrait' };
}

async function addFonts(document: jsPDF): Promise<void> {
  for (const [face, style] of [
    ['sans', 'normal'],
    ['sans-bold', 'bold'],
  ] as const) {
    document.addFileToVFS(`${style}.ttf`, await readFile(fontFile(face), 'base64'));
    document.addFont(`${style}.ttf`, 'Liberation', style);
  }
}

const families = { sans: 'helvetica', serif: 'times', mono: 'courier' } as const;

function draw(document: jsPDF, mark: Mark, embedded: boolean): void {
  if (mark.kind === 'text') {
    const { text, x, y, size, face, colour, align } = mark;
    document.setFont(
      embedded && !face.startsWith('mono') ? 'Liberation' : familyOf(face),
      face.endsWith('bold') ? 'bold' : 'normal',
    );
    document.setFontSize(size);
    const [red, green, blue] = colour.map((part) => Math.round(part * 255));
    document.setTextColor(red ?? 0, green ?? 0, blue ?? 0);
    document.text(text, x, y, { align });
  } else if (mark.kind === 'rect') {
    const [red, green, blue] = mark.fill.map((part) => Math.round(part * 255));
    document.setFillColor(red ?? 0, green ?? 0, blue ?? 0);
    document.rect(mark.x, mark.y, mark.width, mark.height, 'F');
  } else {
    document.addImage(mark.bytes, mark.type.toUpperCase(), mark.x, mark.y, mark.width, mark.height);
  }
}

function familyOf(face: Face): string {
  return families[face === 'sans' || face === 'sans-bold' ? 'sans' : face.startsWith('serif') ? 'serif' : 'mono'];
}
