import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type Box, Unreadable } from '../../model.ts';
import { fontsOf } from './fonts.ts';
import type { PaintedPage } from './marks.ts';
import { type Matrix, matrixOf, surrounding } from './matrix.ts';
import type { Pdfjs } from './open.ts';
import { pixelsOf } from './pixels.ts';
import { initialState, type Walk } from './state.ts';
import { record, stepsOf } from './steps.ts';

const MAX_MARKS_A_PAGE = 50_000;
const MAX_NESTING = 10_000;
const MAX_ANNOTATIONS = 5000;
const MAX_TEXT = 300;

/** What a page paints, its annotations last. @throws Unreadable if it paints too much */
export async function paintedBy(
  page: PDFPageProxy,
  pdfjs: Pdfjs,
  isVisible: (properties: unknown) => boolean,
  families: (font: string) => string,
): Promise<Omit<PaintedPage, 'number'>> {
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const annotations = await annotationsOf(page);
  const { fnArray, argsArray } = await page.getOperatorList();
  const base = matrixOf(transform) ?? [1, 0, 0, -1, 0, height];
  const whole = { x: 0, y: 0, width, height };
  const walk: Walk = {
    state: initialState(base, whole),
    saved: [],
    base,
    page: whole,
    marks: [],
    unseen: [],
    layer: '',
    groups: [],
    shown: [],
    field: 0,
    forms: 0,
    shows: 0,
    texts: [],
    clipping: false,
    fonts: fontsOf(page, families),
    pixels: await pixelsOf(page, fnArray, argsArray, pdfjs.OPS),
  };
  const steps = stepsOf(pdfjs.OPS, new Map(annotations.map(({ id, kind }) => [id, kind])), isVisible);
  for (let at = 0; at < fnArray.length; at++) {
    const args: unknown = argsArray[at];
    steps.get(fnArray[at] ?? 0)?.(walk, Array.isArray(args) ? args : []);
    if (walk.marks.length > MAX_MARKS_A_PAGE || walk.saved.length > MAX_NESTING) {
      throw new Unreadable(`Page ${page.pageNumber} paints more than can be examined.`);
    }
  }
  const boxes = annotations.map(({ kind, undrawn, corners }) => ({ kind, undrawn, box: boxOf(base, corners) }));
  const { marks, unseen, shows, texts } = walk;
  return { width, height, view: base, marks, unseen, shows, texts, annotations: boxes };
}

interface Found {
  id: string;
  kind: string;
  undrawn: string;
  corners: unknown;
}

async function annotationsOf(page: PDFPageProxy): Promise<Found[]> {
  const annotations: unknown = await page.getAnnotations().catch(() => []);
  return (Array.isArray(annotations) ? annotations : []).slice(0, MAX_ANNOTATIONS).map((annotation) => ({
    id: String(annotation.id),
    kind: annotation.fieldType === 'Sig' ? 'Signature' : String(annotation.subtype),
    undrawn: undrawnIn(annotation).slice(0, MAX_TEXT),
    corners: annotation.rect,
  }));
}

function undrawnIn({ subtype, fieldType, fieldValue, hasAppearance, contentsObj }: Record<string, unknown>): string {
  if (fieldType === 'Tx' || fieldType === 'Ch') return String(fieldValue ?? '');
  return subtype === 'FreeText' && hasAppearance === false ? String(record(contentsObj)['str'] ?? '') : '';
}

function boxOf(view: Matrix, corners: unknown): Box {
  const [left = 0, bottom = 0, right = 0, top = 0] = Array.isArray(corners) ? corners.map(Number) : [];
  return surrounding(view, left, bottom, right, top);
}
