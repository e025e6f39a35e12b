import {
  PDFDocument,
  popGraphicsState,
  pushGraphicsState,
  setTextRenderingMode,
  TextRenderingMode,
} from '@cantoo/pdf-lib';
import { type Drawing, leftOf, standardNames, type TextMark, widthOf } from '../drawing.ts';
import { winAnsi } from '../pdf/bytes.ts';
import { type Raster, rasterised } from '../pdf/raster.ts';
import { jpeg } from '../pictures/pixels.ts';
import { scanView, seen } from '../pictures/scene.ts';
import type { Producer } from '../producers/producer.ts';
import type { Random } from '../random.ts';

/** Pages as a scanner produces them. @param resolution in pixels per point */
export async function scans(bytes: Uint8Array, resolution: number, random: Random): Promise<Raster[]> {
  const pages = await rasterised(bytes, resolution);
  return Promise.all(pages.map((page, index) => seen(page, scanView(page, random.fork(`page ${index}`)), random)));
}

export function resolution(random: Random): number {
  return random.pick([150, 170, 200]) / 72;
}

/** A drawing of pictures only, which every producer can write. */
export function pictureDrawing(drawing: Drawing, pictures: readonly Uint8Array[]): Drawing {
  const sheets = drawing.sheets.map(({ width, height }, index) => {
    const bytes = pictures[index] ?? new Uint8Array();
    return {
      width,
      height,
      marks: [{ kind: 'picture' as const, x: 0, y: 0, width, height, bytes, type: 'jpeg' as const }],
    };
  });
  return { ...drawing, title: 'Scan', sheets };
}

export async function scanned(bytes: Uint8Array, drawing: Drawing, producer: Producer, created: Date, random: Random) {
  const quality = random.integer(55, 88);
  const pictures = await Promise.all(
    (await scans(bytes, resolution(random), random)).map((scan) => jpeg(scan, quality)),
  );
  return producer.write(pictureDrawing(drawing, pictures), created, random);
}

/** With an invisible layer of recognized text over the scan, including recognition errors. */
export async function scannedWithText(bytes: Uint8Array, drawing: Drawing, created: Date, random: Random) {
  const document = await PDFDocument.create();
  document.setCreator('Scan to PDF');
  document.setCreationDate(created);
  document.setModificationDate(created);
  const all = await scans(bytes, resolution(random), random);
  for (const [index, sheet] of drawing.sheets.entries()) {
    const scan = all[index];
    if (!scan) continue;
    const page = document.addPage([sheet.width, sheet.height]);
    const picture = await document.embedJpg(await jpeg(scan, random.integer(60, 85)));
    page.drawImage(picture, { x: 0, y: 0, width: sheet.width, height: sheet.height });
    page.pushOperators(pushGraphicsState(), setTextRenderingMode(TextRenderingMode.Invisible));
    const font = document.embedStandardFont(standardNames.sans);
    for (const word of sheet.marks.flatMap((mark) => (mark.kind === 'text' ? words(mark) : []))) {
      const y = sheet.height - word.y + random.bell() * 0.4;
      page.drawText(misread(word.text, random), { x: word.x + random.bell() * 0.5, y, size: word.size, font });
    }
    page.pushOperators(popGraphicsState());
  }
  return document.save();
}

function words(mark: TextMark): { text: string; x: number; y: number; size: number }[] {
  const { text, face, size, y } = mark;
  const left = leftOf(mark);
  return [...text.matchAll(/[^ ]+/g)].map((match) => ({
    text: windows(match[0]),
    x: left + widthOf(text.slice(0, match.index), face, size),
    y,
    size,
  }));
}

/** Letters missing from the invisible text's font are replaced by ones that it has. */
function windows(text: string): string {
  return [...text]
    .map((letter) => {
      const plain = letter.normalize('NFD')[0] ?? '?';
      try {
        return winAnsi(letter);
      } catch {
        return plain.charCodeAt(0) < 256 ? plain : 'l';
      }
    })
    .join('')
    .replaceAll('\x80', '€');
}

const confusions: Record<string, string> = {
  '0': 'O',
  '1': 'l',
  '5': 'S',
  '8': 'B',
  ',': '.',
  '.': ',',
  l: '1',
  O: '0',
};
const digits: Record<string, string> = {
  '1': '7',
  '3': '8',
  '5': '6',
  '6': '8',
  '8': '3',
  '0': '8',
  '7': '1',
  '9': '8',
};

/** One letter in about three hundred, one digit in two thousand. */
function misread(text: string, random: Random): string {
  return [...text]
    .map((letter) => {
      if (random.chance(1 / 300)) return confusions[letter] ?? letter;
      return random.chance(1 / 2000) ? (digits[letter] ?? letter) : letter;
    })
    .join('');
}
