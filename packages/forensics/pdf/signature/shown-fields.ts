import type { Box } from '../../model.ts';
import { pageStates } from '../diff/states.ts';
import type { PaintedPage } from '../paint/marks.ts';
import { area, common } from '../paint/matrix.ts';
import { seenRuns } from '../text/seen.ts';
import { wordsOf } from '../text/words.ts';

/** A form field that shows another text than it did when the file was signed, whatever value it stores. */
export interface ShownField {
  page: number;
  box: Box;
  before: string;
  after: string;
}

const MAX_PAGES = 200;
const MAX_FIELDS = 2_000;
/** The share of the smaller box that the same field has in common in both states. */
const SAME_PLACE = 0.8;
/** A check mark is a single character. */
const MIN_LENGTH = 2;
const FIELDS = ['Widget', 'Signature'];

/** @throws Unreadable */
export async function fieldsShownOtherwise(bytes: Uint8Array, signedEnd: number): Promise<ShownField[]> {
  const before = await pageStates(bytes.subarray(0, signedEnd));
  const after = await pageStates(bytes);
  return before.slice(0, MAX_PAGES).flatMap(({ paint }, index) => {
    const now = after[index]?.paint;
    return now === undefined ? [] : changedOn(paint, now);
  });
}

function changedOn(before: PaintedPage, after: PaintedPage): ShownField[] {
  const [signed, now] = [textsOf(before), textsOf(after)];
  return signed.flatMap(({ box, text }) => {
    const same = now.find((other) => isSamePlace(box, other.box));
    if (same === undefined || lettersOf(text).length < MIN_LENGTH || lettersOf(same.text) === '') return [];
    const isSame = lettersOf(text) === lettersOf(same.text);
    return isSame ? [] : [{ page: before.number, box, before: text, after: same.text }];
  });
}

/** The text that each field of a page shows. */
function textsOf(page: PaintedPage): { box: Box; text: string }[] {
  const widgets = page.marks.filter(({ layer }) => FIELDS.includes(layer)).map((mark) => ({ ...mark, layer: '' }));
  const words = wordsOf(seenRuns({ ...page, marks: widgets }));
  const fields = page.annotations.filter(({ kind }) => FIELDS.includes(kind)).slice(0, MAX_FIELDS);
  return fields.map(({ box }) => {
    const inside = words.filter((word) => area(common(word.box, box)) > 0.5 * area(word.box));
    return { box, text: inside.map(({ text }) => text).join(' ') };
  });
}

function isSamePlace(one: Box, other: Box): boolean {
  return area(common(one, other)) >= SAME_PLACE * Math.max(area(one), area(other));
}

/** Without spaces and punctuation, which programs set in their own way. */
function lettersOf(text: string): string {
  return text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');
}
