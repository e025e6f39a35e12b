import type { Picture } from '@tenant-screening/forensics/report/linked-pages';
import { ValidationError } from '../../../../core/errors.ts';
import { oneIn, textIn } from '../../query.ts';

/** The picture of a document that an address requests. */

/** The picture is self-contained and loads nothing. */
export const PICTURE_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

const BOX = /^(-?\d{1,7}(?:\.\d+)?),(-?\d{1,7}(?:\.\d+)?),(\d{1,7}(?:\.\d+)?),(\d{1,7}(?:\.\d+)?)$/;

export function pictureQuery(documentId: string, picture: Picture): string {
  const query = new URLSearchParams({ document: documentId, page: String(picture.page) });
  if ('place' in picture) {
    const { x, y, width, height } = picture.place;
    query.set('place', [x, y, width, height].join());
    query.set('strength', picture.strength);
  }
  return query.toString();
}

/** @throws ValidationError */
export function pictureIn(query: URLSearchParams): Picture {
  const page = Number(textIn(query, 'page') ?? 1);
  if (!Number.isSafeInteger(page) || page < 1) throw new ValidationError([], 'page: must be a whole number from 1.');
  const place = textIn(query, 'place');
  if (place === undefined) return { page };
  const [, x, y, width, height] = BOX.exec(place) ?? [];
  if (x === undefined) throw new ValidationError([], 'place: must be four numbers.');
  const box = { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
  return { page, place: box, strength: oneIn(query, 'strength', ['strong', 'medium', 'context']) ?? 'context' };
}
