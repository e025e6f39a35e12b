import { charactersOf, dictionaryOf, nameOf, type PdfObject, textOf, type Value } from '../objects.ts';
import type { Structure } from '../structure.ts';
import { ValueHash } from '../value-hash.ts';
import type { View } from '../view.ts';
import { fieldsOf } from './fields.ts';

/** The changes of a later version of a file that affect a signature. */
interface Changes {
  pagesBefore: number;
  pagesAfter: number;
  /** From 1: pages whose content or resources differ. */
  pages: number[];
  /** Fields that had a value and have another one now. */
  fields: { name: string; before: string; after: string }[];
  /** Added annotations that look like part of the page. */
  notes: { page: number; kind: string; text: string }[];
}

const PAGES = 1000;
/** Annotations that draw text or areas over a page, unlike marks, links and comments that open (ISO 32000-1, 12.5.6). */
const DRAWN = new Set(['FreeText', 'Stamp', 'Square', 'Redact', 'Watermark']);

export function changesBetween(structure: Structure, before: View, after: View): Changes {
  const [pagesBefore, pagesAfter] = [before.pages(), after.pages()];
  const shared = Math.min(pagesBefore.length, pagesAfter.length, PAGES);
  const hashBefore = new ValueHash(structure.bytes, before);
  const hashAfter = new ValueHash(structure.bytes, after);
  const pages: number[] = [];
  const notes: Changes['notes'] = [];
  for (let index = 0; index < shared; index++) {
    const [first, second] = [pagesBefore[index], pagesAfter[index]];
    if (first === undefined || second === undefined) continue;
    if (isDrawnOtherwise(first, second, before, after, hashBefore, hashAfter)) pages.push(index + 1);
    notes.push(...addedNotes(first, second, before, after).map((note) => ({ page: index + 1, ...note })));
  }
  const fields = changedFields(before, after);
  return { pagesBefore: pagesBefore.length, pagesAfter: pagesAfter.length, pages, fields, notes };
}

function isDrawnOtherwise(
  first: PdfObject,
  second: PdfObject,
  before: View,
  after: View,
  hashBefore: ValueHash,
  hashAfter: ValueHash,
): boolean {
  for (const key of ['Contents', 'MediaBox', 'CropBox']) {
    const was = hashBefore.of(single(before.inherited(first, key)));
    const is = hashAfter.of(single(after.inherited(second, key)));
    if (was !== undefined && is !== undefined && was !== is) return true;
  }
  const resourcesBefore = dictionaryOf(before.resolve(before.inherited(first, 'Resources')));
  const resourcesAfter = dictionaryOf(after.resolve(after.inherited(second, 'Resources')));
  return ['Font', 'XObject', 'ExtGState', 'Pattern'].some((kind) => {
    const [was, is] = [before.dictionary(resourcesBefore, kind), after.dictionary(resourcesAfter, kind)];
    return [...(was?.entries ?? [])].some(([name, value]) => {
      const [hashWas, hashIs] = [hashBefore.of(value), hashAfter.of(is?.entries.get(name))];
      return hashWas !== undefined && hashIs !== undefined && hashWas !== hashIs;
    });
  });
}

/** A list of one stream draws the same as the stream itself. */
function single(value: Value | undefined): Value | undefined {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function addedNotes(first: PdfObject, second: PdfObject, before: View, after: View) {
  const known = new Set(before.list(first.value, 'Annots').map((value) => before.referred(value)?.number));
  const added = after
    .list(second.value, 'Annots')
    .slice(0, 5000)
    .filter((value) => !known.has(after.referred(value)?.number));
  return added.flatMap((value) => {
    const kind = nameOf(after.get(value, 'Subtype')) ?? '';
    const text = textOf(after.get(value, 'Contents'));
    return DRAWN.has(kind) ? [{ kind, text: text === undefined ? '' : charactersOf(text, 200) }] : [];
  });
}

function changedFields(before: View, after: View): Changes['fields'] {
  const now = valuesOf(after);
  return [...valuesOf(before)].flatMap(([name, was]) => {
    const is = now.get(name);
    return is !== undefined && was.trim() !== '' && was !== is ? [{ name, before: was, after: is }] : [];
  });
}

/** By field name. The widgets of a field have its name and no value. */
function valuesOf(view: View): Map<string, string> {
  const values = new Map<string, string>();
  for (const { name, value } of fieldsOf(view)) {
    const text = written(view, value);
    if (text !== undefined) values.set(name, text);
  }
  return values;
}

/** The value of a field for text or choices; buttons and signatures have values of other types. */
function written(view: View, field: Value): string | undefined {
  const text = textOf(view.get(field, 'V'));
  return text && charactersOf(text, 200);
}
