import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Pdfjs } from './open.ts';
import type { PixelsSeen } from './state.ts';

const PICTURES_A_PAGE = 2000;
const PATIENCE_MILLISECONDS = 2000;
const SAMPLES = 5000;
/** Channels of one colour vary by no more than this, of 255: JPEG leaves some noise. */
const NOISE = 24;

type Ops = Pdfjs['OPS'];

/** What is known about the pixels of a page's pictures, as far as they were decoded. */
export async function pixelsOf(
  page: PDFPageProxy,
  operators: readonly number[],
  args: readonly unknown[],
  ops: Ops,
): Promise<(id: string) => PixelsSeen | undefined> {
  const seen = new Map<string, PixelsSeen>();
  for (let at = 0; at < operators.length && seen.size < PICTURES_A_PAGE; at++) {
    if (operators[at] !== ops.paintImageXObject) continue;
    const id = String(list(args[at])[0]);
    if (seen.has(id)) continue;
    const masked = isMasked(operators, args, at, ops);
    const pixels = pixelsSeen(await decoded(page, id));
    const known = pixels ?? { colour: undefined, opaque: true };
    // A picture that was not decoded has four pixels.
    seen.set(id, isShrunk(list(args[at])) ? { colour: undefined, opaque: !masked } : known);
  }
  return (id) => seen.get(id);
}

/** PDF.js emits this operator before a picture that has a mask. */
function isMasked(operators: readonly number[], args: readonly unknown[], at: number, ops: Ops): boolean {
  const before = operators[at - 1] === ops.beginMarkedContentProps ? at - 2 : at - 1;
  return operators[before] === ops.setGState && JSON.stringify(args[before]) === '[[["SMask",false]]]';
}

function isShrunk([, width, height]: unknown[]): boolean {
  return Number(width) === 2 && Number(height) === 2;
}

function decoded(page: PDFPageProxy, id: string): Promise<unknown> {
  const store = id.startsWith('g_') ? page.commonObjs : page.objs;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MILLISECONDS);
    store.get(id, (data: unknown) => {
      clearTimeout(timer);
      resolve(data);
    });
  });
}

/** Examines pixels as the reader returns them, three or four bytes each; undefined for anything else. */
export function pixelsSeen(image: unknown): PixelsSeen | undefined {
  if (typeof image !== 'object' || image === null) return undefined;
  const { width, height, data } = image as Record<string, unknown>;
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray)) return undefined;
  const count = Number(width) * Number(height);
  const bytes = data.length / count;
  if (!(count > 0) || (bytes !== 3 && bytes !== 4)) return undefined;
  return sampled(data, bytes, count);
}

function sampled(data: ArrayLike<number>, bytes: 3 | 4, count: number): PixelsSeen {
  const low = [255, 255, 255];
  const high = [0, 0, 0];
  const step = Math.max(1, Math.floor(count / SAMPLES));
  let clear = 0;
  let looked = 0;
  for (let pixel = 0; pixel < count; pixel += step) {
    looked++;
    if (bytes === 4 && (data[pixel * 4 + 3] ?? 255) < 250) clear++;
    for (let channel = 0; channel < 3; channel++) {
      const value = data[pixel * bytes + channel] ?? 0;
      low[channel] = Math.min(low[channel] ?? 255, value);
      high[channel] = Math.max(high[channel] ?? 0, value);
    }
  }
  const flat = low.every((value, channel) => (high[channel] ?? 0) - value <= NOISE);
  return { colour: flat ? hex(low, high) : undefined, opaque: clear / looked < 0.02 };
}

function hex(low: number[], high: number[]): string {
  const channels = low.map((value, channel) => Math.round((value + (high[channel] ?? value)) / 2));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
