import { dictionaryOf, listOf, type PdfObject } from '../objects.ts';
import type { View } from '../view.ts';

const FONTS = 50;
/** A composite font has one (ISO 32000-1, 9.7.1). */
const DESCENDANTS = 2;

/** The font objects in a page's resources; fonts written into the resources themselves are left out. */
export function fontsOf(view: View, page: PdfObject): PdfObject[] {
  const fonts = [...(view.dictionary(view.inherited(page, 'Resources'), 'Font')?.entries.values() ?? [])].slice(
    0,
    FONTS,
  );
  return fonts.flatMap((font) => view.referred(font) ?? []);
}

/** Font programs, maps to Unicode and the like. */
export function fontStreams(view: View, fonts: readonly PdfObject[]): PdfObject[] {
  const streams = new Set<PdfObject>();
  for (const { value } of fonts) {
    const descendants = (listOf(view.get(value, 'DescendantFonts')) ?? []).slice(0, DESCENDANTS);
    for (const part of [value, ...descendants].map((font) => view.resolve(font)))
      for (const one of [part, view.get(part, 'FontDescriptor')])
        for (const item of dictionaryOf(one)?.entries.values() ?? []) {
          const stream = view.referred(item);
          if (stream?.data !== undefined) streams.add(stream);
        }
  }
  return [...streams];
}
