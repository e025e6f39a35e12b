import { MAX_MEGAPIXELS } from '../image/dimensions.ts';

/** A file that no library may read. The message tells a caseworker why. */
export class Refused extends Error {}

/** For a picture file or a picture in a PDF. @throws Refused */
export function checkPixels(width: number, height: number): void {
  const megapixels = (width * height) / 1_000_000;
  if (megapixels > MAX_MEGAPIXELS)
    throw new Refused(
      `A picture in the file has ${Math.round(megapixels)} megapixels; at most ${MAX_MEGAPIXELS} are examined.`,
    );
}

export function refuseBomb(): never {
  throw new Refused('The file unpacks to far more than a document needs, as files made to do harm do.');
}
