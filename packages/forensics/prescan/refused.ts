import { MOST_MEGAPIXELS } from '../image/dimensions.ts';

/** A file that no library may see. The message says why, for a caseworker. */
export class Refused extends Error {}

/** Of a picture, whether it is a file or part of one. @throws Refused */
export function checkPixels(width: number, height: number): void {
  const megapixels = (width * height) / 1_000_000;
  if (megapixels > MOST_MEGAPIXELS)
    throw new Refused(
      `A picture in the file has ${Math.round(megapixels)} megapixels; at most ${MOST_MEGAPIXELS} are examined.`,
    );
}

export function refuseBomb(): never {
  throw new Refused('The file unpacks to far more than a document needs, as files made to do harm do.');
}
