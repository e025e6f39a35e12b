import { createHash } from 'node:crypto';
import { nameOf, type PdfObject, type Value } from '../pdf/objects.ts';
import type { Structure } from '../pdf/structure.ts';
import type { View } from '../pdf/view.ts';

/** A picture of a page in an earlier state of the file, and the picture that replaced it. */
export interface ReplacedPicture {
  /** From 1, in the current file. */
  page: number;
  before: PdfObject;
  /** The earlier state, with its number from 1. */
  view: View;
  version: number;
  after: PdfObject;
  /** Whether the page shows more pictures than before, so that one may have been split into several. */
  divided: boolean;
}

const PAGES = 100;
const PICTURES_A_PAGE = 100;
const NESTING = 4;
const OLDEST = 4;
const LATEST = 8;
const REPLACED = 6;

/** At most six, from the earliest states first, each picture once. */
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
      const pairs = pairsOf(picturesOn(view, page.value), picturesOn(current, later.page.value), bytes);
      for (const pair of pairs) {
        if (seen.has(pair.before)) continue;
        seen.add(pair.before);
        found.push({ page: later.number, view, version, ...pair });
        if (found.length >= REPLACED) return found;
      }
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

/** Pictures that are gone, each with the new picture that has its number or name, or, if only one is gone, with the only new one. */
function pairsOf(before: Map<string, PdfObject>, after: Map<string, PdfObject>, bytes: Uint8Array) {
  const kept = new Set([...after.values()].map((object) => digestOf(bytes, object)));
  const had = new Set([...before.values()].map((object) => digestOf(bytes, object)));
  const gone = [...before].filter(([, object]) => !kept.has(digestOf(bytes, object)));
  const come = [...after].filter(([, object]) => !had.has(digestOf(bytes, object)));
  const divided = come.length > gone.length;
  return gone.flatMap(([path, object]) => {
    const successor =
      come.find(([, { number }]) => number === object.number) ??
      come.find(([other]) => other === path) ??
      (gone.length === 1 && come.length === 1 ? come[0] : undefined);
    return successor === undefined ? [] : [{ before: object, after: successor[1], divided }];
  });
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
