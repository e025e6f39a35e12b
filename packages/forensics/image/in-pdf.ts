import { type Box, Unreadable } from '../model.ts';
import { dictionaryOf, entry, nameOf, type PdfObject, type Value } from '../pdf/objects.ts';
import { readPaint } from '../pdf/paint/read-paint.ts';
import { type Structure, structureOf } from '../pdf/structure.ts';
import type { View } from '../pdf/view.ts';
import { jpegOf } from './jpeg/jpeg.ts';

/** A JPEG that a page of a PDF shows, byte for byte as it was embedded. Most scans and photos are embedded that way. */
export interface PageJpeg {
  /** From 1. */
  page: number;
  bytes: Uint8Array;
  width: number;
  height: number;
}

const PAGES = 50;
const PICTURES = 6;
/** Smaller pictures are logos and signatures. */
const MIN_PIXELS = 300_000;
const PIXELS_TOGETHER = 16_000_000;
/** Tolerated difference between the proportions of a picture and of its place on the page. */
const PROPORTION = 0.02;

/** The first large ones; none in an encrypted file. @throws Unreadable */
export function jpegsOfPages(bytes: Uint8Array): PageJpeg[] {
  const structure = structureOf(bytes);
  if (structure.encrypted) return [];
  const found: PageJpeg[] = [];
  const seen = new Set<PdfObject>();
  let pixels = 0;
  for (const [index, page] of structure.current.pages().slice(0, PAGES).entries()) {
    for (const object of picturesOf(structure.current, page.value)) {
      const picture = seen.has(object) ? undefined : jpegIn(structure, object);
      seen.add(object);
      if (picture === undefined) continue;
      pixels += picture.width * picture.height;
      if (found.length >= PICTURES || pixels > PIXELS_TOGETHER) return found;
      found.push({ page: index + 1, ...picture });
    }
  }
  return found;
}

/** Where on its page a part of a picture is; undefined unless the page shows the picture upright and only once. */
export async function boxOnPage(
  file: Uint8Array,
  { page, width, height }: Pick<PageJpeg, 'page' | 'width' | 'height'>,
  box: Box,
): Promise<Box | undefined> {
  const painted = (await readPaint(file)).find(({ number }) => number === page);
  const places = (painted?.marks ?? []).filter(
    (mark) =>
      mark.kind === 'picture' &&
      Math.abs((mark.box.width * height) / (Math.max(1e-6, mark.box.height) * width) - 1) <= PROPORTION,
  );
  const [place] = places;
  if (place === undefined || places.length > 1) return undefined;
  const [across, down] = [place.box.width / width, place.box.height / height];
  return {
    x: place.box.x + box.x * across,
    y: place.box.y + box.y * down,
    width: box.width * across,
    height: box.height * down,
  };
}

function picturesOf(view: View, page: Value): PdfObject[] {
  const resources = view.get(page, 'Resources');
  const named = view.dictionary(resources, 'XObject')?.entries.values() ?? [];
  return [...named].slice(0, PAGES).flatMap((value) => view.referred(value) ?? []);
}

function jpegIn({ bytes, current }: Structure, { value, data }: PdfObject) {
  const isPicture = nameOf(current.get(value, 'Subtype')) === 'Image';
  const written = current.resolve(entry(dictionaryOf(value), 'Filter'));
  const filters = Array.isArray(written) ? written : [written];
  const isJpeg = filters.length === 1 && nameOf(current.resolve(filters[0])) === 'DCTDecode';
  if (!isPicture || !isJpeg || data === undefined) return undefined;
  const file = bytes.subarray(data.start, data.end);
  const { width, height } = sizeOf(file);
  return width * height < MIN_PIXELS ? undefined : { bytes: file, width, height };
}

/** Zero for a damaged JPEG. */
function sizeOf(file: Uint8Array): { width: number; height: number } {
  try {
    return jpegOf(file).frame;
  } catch (error) {
    if (error instanceof Unreadable) return { width: 0, height: 0 };
    throw error;
  }
}
