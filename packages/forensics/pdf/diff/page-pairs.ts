import type { PaintedPage } from '../paint/marks.ts';
import type { TextPage } from '../text/read-pages.ts';

/** A page's text and what it paints. */
export interface PageState {
  text: TextPage;
  paint: PaintedPage;
}

/** A page of an earlier state; `after` is undefined if the page is gone. */
export interface PagePair {
  before: PageState;
  after: PageState | undefined;
}

const ALIKE = 0.5;
const PAGES_COMPARED_WITH_ALL = 100;

/**
 * Finds the later page that each earlier page became: the one with the same number if it reads about the same; else the one that reads
 * most alike, as when pages were inserted before it; else the one with the same number, unless it is another page's successor.
 */
export function pairsOf(before: readonly PageState[], after: readonly PageState[]): PagePair[] {
  const free = new Set(after);
  const found = new Map<PageState, PageState>();
  const take = (page: PageState, successor: PageState | undefined) => {
    if (successor === undefined || !free.delete(successor)) return;
    found.set(page, successor);
  };
  for (const [index, page] of before.entries()) {
    const same = after[index];
    if (same !== undefined && likeness(page, same) >= ALIKE) take(page, same);
  }
  for (const page of before.slice(0, PAGES_COMPARED_WITH_ALL)) {
    if (!found.has(page)) take(page, mostAlike(page, [...free].slice(0, PAGES_COMPARED_WITH_ALL)));
  }
  for (const [index, page] of before.entries()) {
    if (!found.has(page)) take(page, after[index]);
  }
  return before.map((page) => ({ before: page, after: found.get(page) }));
}

function mostAlike(page: PageState, others: readonly PageState[]): PageState | undefined {
  let best: PageState | undefined;
  let most = ALIKE;
  for (const other of others) {
    const alike = likeness(page, other);
    if (alike <= most) continue;
    best = other;
    most = alike;
  }
  return best;
}

/** The share of words that two pages have in common, from 0 to 1. */
function likeness(one: PageState, other: PageState): number {
  const counts = new Map<string, number>();
  for (const { text } of one.text.items) counts.set(text, (counts.get(text) ?? 0) + 1);
  let shared = 0;
  for (const { text } of other.text.items) {
    const left = counts.get(text) ?? 0;
    if (left === 0) continue;
    counts.set(text, left - 1);
    shared++;
  }
  const most = Math.max(one.text.items.length, other.text.items.length);
  return most === 0 ? 1 : shared / most;
}
