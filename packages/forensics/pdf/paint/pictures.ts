const PIXELS_KEPT = 300_000;
const PIXELS_KEPT_A_FILE = 10_000_000;
const PICTURES_LOOKED_AT = 20_000;
const DICTIONARY_BYTES = 4096;

/**
 * A copy of the file in which larger pictures have four pixels, with all bytes in the same place. Only the place of a picture matters
 * here, but PDF.js would decode it: a second of work and 35 MB for each scanned page. A dictionary written in an unusual way is
 * left unchanged and costs that time. Dictionaries of streams are never compressed or encrypted (PDF 32000-1, 7.5.7 and 7.6.1), so they
 * can be found without reading the structure.
 */
export function withoutBigPictures(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(bytes);
  const copy = Buffer.from(whole.buffer);
  let kept = 0;
  let from = 0;
  for (let count = 0; count < PICTURES_LOOKED_AT; count++) {
    const at = copy.indexOf('/Width', from, 'latin1');
    if (at < 0) break;
    from = at + 6;
    const dictionary = dictionaryAround(copy, at);
    if (dictionary === undefined) continue;
    const pixels = number(dictionary.text, '/Width') * number(dictionary.text, '/Height');
    if (pixels <= PIXELS_KEPT && kept + pixels <= PIXELS_KEPT_A_FILE) kept += pixels;
    else copy.write(fewPixels(dictionary.text), dictionary.start, 'latin1');
  }
  return whole;
}

function dictionaryAround(file: Buffer, at: number): { text: string; start: number } | undefined {
  const before = file.toString('latin1', Math.max(0, at - DICTIONARY_BYTES), at).lastIndexOf(' obj');
  if (before < 0) return undefined;
  const start = Math.max(0, at - DICTIONARY_BYTES) + before;
  const text = file.toString('latin1', start, Math.min(file.length, at + DICTIONARY_BYTES));
  const end = text.indexOf('stream', at - start);
  const dictionary = text.slice(0, Math.max(0, end));
  return /\/Subtype\s{0,4}\/Image\b/.test(dictionary) && !dictionary.includes('endobj')
    ? { text: dictionary, start }
    : undefined;
}

function number(dictionary: string, key: string): number {
  const at = dictionary.indexOf(key);
  return at < 0 ? 0 : Number(/^\s{0,4}(\d{1,9})\b/.exec(dictionary.slice(at + key.length))?.[1] ?? 0);
}

/** Two by two, because a mask of a single pixel would be read as a filled rectangle. */
function fewPixels(dictionary: string): string {
  return dictionary
    .replace(
      /(\/(?:Width|Height)\s{0,4})(\d{1,9})/g,
      (_, key: string, digits: string) => `${key}${'2'.padStart(digits.length, '0')}`,
    )
    .replace(/\/\w(\w{2,12}Decode)\b/g, '/X$1');
}
