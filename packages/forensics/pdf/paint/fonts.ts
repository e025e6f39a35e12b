import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { matrixOf } from './matrix.ts';
import type { Font } from './state.ts';

/** The usual distance from the lowest to the highest point of letters, and its limits, relative to the font size. */
const USUAL_HEIGHT = 1.2;
const TALL = 1.7;
const LOW = 0.3;
const PLAIN = [0.001, 0, 0, 0.001, 0, 0] as const;

/** The fonts of a page by PDF.js's names, such as "g_d3_f1"; their ids omit the document's number, which is arbitrary. */
export function fontsOf(page: PDFPageProxy, families: (font: string) => string): (id: string) => Font | undefined {
  const known = new Map<string, Font | undefined>();
  return (id) => {
    if (!known.has(id)) known.set(id, fontOf(page, id, families));
    return known.get(id);
  };
}

function fontOf(page: PDFPageProxy, id: string, families: (font: string) => string): Font | undefined {
  if (!page.commonObjs.has(id)) return undefined;
  const font: unknown = page.commonObjs.get(id);
  if (typeof font !== 'object' || font === null) return undefined;
  const { name, vertical, ...rest } = seenOf(font);
  return {
    name: String(name ?? '')
      .replace(/^[A-Z]{6}\+/, '')
      .slice(0, 100),
    subset: /^[A-Z]{6}\+/.test(String(name ?? '')) ? String(name).slice(0, 100) : '',
    programFamily: families(String(name ?? '')),
    id: id.replace(/^.*_/, ''),
    matrix: matrixOf(rest.fontMatrix) ?? PLAIN,
    em: emOf(rest),
    vertical: vertical === true,
  };
}

interface Seen {
  name?: unknown;
  vertical?: unknown;
  fontMatrix?: unknown;
  isType3Font?: unknown;
  bbox?: unknown;
  ascent?: unknown;
  descent?: unknown;
}

function seenOf(font: Seen): Seen {
  const { name, vertical, fontMatrix, isType3Font, bbox, ascent, descent } = font;
  return { name, vertical, fontMatrix, isType3Font, bbox, ascent, descent };
}

/** The size of the letters relative to other fonts, from their height; 1 unless that is far from usual. */
function emOf({ fontMatrix, isType3Font, bbox, ascent, descent }: Seen): number {
  const drawn = isType3Font === true;
  const [, low, , high] = Array.isArray(bbox) ? bbox.map(Number) : [];
  const scale = matrixOf(fontMatrix)?.[3] ?? 0;
  const height = drawn ? Math.abs(((high ?? 0) - (low ?? 0)) * scale) : Number(ascent) - Number(descent);
  const isUsual = !Number.isFinite(height) || height === 0 || (height <= TALL && (height >= LOW || !drawn));
  return isUsual ? 1 : height / USUAL_HEIGHT;
}
