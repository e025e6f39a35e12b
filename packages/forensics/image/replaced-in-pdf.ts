import { createHash } from 'node:crypto';
import { nameOf, type PdfObject, type Value } from '../pdf/objects.ts';
import type { Structure } from '../pdf/structure.ts';
import type { View } from '../pdf/view.ts';

/** A page with a picture that replaced one of an earlier state of the file. */
export interface ReplacedPicture {
  /** From 1, in the current file and in the earlier state. */
  page: number;
  pageBefore: number;
  /** Where the earlier state ends in the file, and its number from 1. */
  end: number;
  version: number;
  /** Whether the page shows more pictures than before, so that one may have been split into several. */
  divided: boolean;
}

const PAGES = 100;
const PICTURES_A_PAGE = 100;
const NESTING = 4;
const OLDEST = 4;
const LATEST = 8;
const REPLACED = 6;

/** At most six pages, from the earliest states first, each picture once. */
export function replacedPictures({ bytes, current, views }: Structure): ReplacedPicture[] {
  const now = current.pages();
  const byNumber = new Map(now.map((page, index) => [page.number, { page, number: index + 1 }]));
  const found: ReplacedPicture[] = [];
  const seen = new Set<PdfObject>();
  const earlier = views.slice(0, -1).map((view, index) => ({ view, version: index + 1 }));
  for (const { view, version } of earlier.filter((_, at) => at < OLDEST || at >= earlier.length - LATEST)) {
    for (const [index, page] of view.pages().slice(0, PAGES).entries()) {
      const same = now[index];
      const later = byNumber.get(page.number) ?? (same && { page: same, number: index + 1 });
      if (later === undefined) continue;
      const { gone, divided } = replacedIn(picturesOn(view, page.value), picturesOn(current, later.page.value), bytes);
      const isNew = gone.some((picture) => !seen.has(picture));
      for (const picture of gone) seen.add(picture);
      if (isNew) found.push({ page: later.number, pageBefore: index + 1, end: view.end, version, divided });
      if (found.length >= REPLACED) return found;
    }
  }
  return found;
}

/** By the name that the page, or a form on it, gives them. */
function picturesOn(view: View, page: Value): Map<string, PdfObject> {
  const pictures = new Map<string, PdfObject>();
  const seen = new Set<Value>();
  const collect = (owner: Value, path: string, depth: number) => {
    const named = view.dictionary(view.get(owner, 'Resources'), 'XObject')?.entries ?? [];
    for (const [name, value] of named) {
      const object = view.referred(value);
      if (object === undefined || seen.has(object.value) || pictures.size >= PICTURES_A_PAGE) continue;
      seen.add(object.value);
      const kind = nameOf(view.get(object.value, 'Subtype'));
      const isMask = view.get(object.value, 'ImageMask') === true;
      if (kind === 'Image' && object.data !== undefined && !isMask) pictures.set(`${path}/${name}`, object);
      if (kind === 'Form' && depth < NESTING) collect(object.value, `${path}/${name}`, depth + 1);
    }
  };
  collect(page, '', 0);
  return pictures;
}

/** Pictures that are gone where new ones came, and whether these are more. */
function replacedIn(before: Map<string, PdfObject>, after: Map<string, PdfObject>, bytes: Uint8Array) {
  const kept = new Set([...after.values()].map((object) => digestOf(bytes, object)));
  const had = new Set([...before.values()].map((object) => digestOf(bytes, object)));
  const gone = [...before.values()].filter((object) => !kept.has(digestOf(bytes, object)));
  const come = [...after.values()].filter((object) => !had.has(digestOf(bytes, object)));
  return { gone: come.length === 0 ? [] : gone, divided: come.length > gone.length };
}

const digests = new WeakMap<PdfObject, string>();

function digestOf(bytes: Uint8Array, object: PdfObject): string {
  const known = digests.get(object);
  if (known !== undefined) return known;
  const { start, end } = object.data ?? { start: 0, end: 0 };
  const digest = createHash('sha256').update(bytes.subarray(start, end)).digest('hex');
  digests.set(object, digest);
  return digest;
}
