import { PDFOperator, type PDFOperatorNames, rgb } from '@cantoo/pdf-lib';
import { outlines } from '../data/outlines.ts';
import { NotPossible } from '../pdf/retype.ts';
import { markOf, type Victims, withoutValues } from './several.ts';

/**
 * Takes the values out and draws new ones as curves, as drawing programs do when they turn text into paths; some put a white rectangle
 * below. @throws NotPossible for values other than amounts
 */
export async function outlinedValues(victims: Victims): Promise<Uint8Array> {
  const { random } = victims;
  const document = await withoutValues(victims);
  for (const { target, change } of victims.values) {
    const { size, align } = markOf(victims, target);
    const page = document.getPage(change.page - 1);
    const { x, y, width, height } = change.place;
    const glyphs = [...change.after].map((letter) => outlines[letter]);
    const breadth = (glyphs.reduce((sum, glyph) => sum + (glyph?.width ?? 0), 0) * size) / 1000;
    const left = align === 'right' ? x + width - breadth : x;
    const bottom = page.getHeight() - y - height;
    if (random.chance(0.5))
      page.drawRectangle({ x: left - 1, y: bottom, width: breadth + 2, height, color: rgb(1, 1, 1) });
    let at = left;
    const parts = glyphs.map((glyph) => {
      if (glyph === undefined) throw new NotPossible('Only amounts are drawn as curves.');
      const scale = (size / 1000).toFixed(4);
      const part = `q ${scale} 0 0 ${scale} ${at.toFixed(2)} ${(bottom + height * 0.22).toFixed(2)} cm ${glyph.path} f Q`;
      at += (glyph.width * size) / 1000;
      return part;
    });
    // PDF-lib has no operator for content that is ready.
    page.pushOperators(PDFOperator.of(`0 g ${parts.join('\n')}\n` as PDFOperatorNames));
  }
  return document.save({ useObjectStreams: random.chance(0.5) });
}
