import { Unreadable } from '../../model.ts';
import { readPaint } from '../paint/read-paint.ts';
import { type Revision, revisionsOf } from '../revisions.ts';
import { readOwnPages } from '../text/read-pages.ts';
import type { PageState } from './page-pairs.ts';

/** An earlier state of a file that could be read. */
export interface Earlier {
  /** From 1, oldest first. */
  number: number;
  /** Where it ended, in bytes. */
  end: number;
  pages: PageState[];
}

const OLDEST = 4;
const LATEST = 8;
const PAGES = 300;
const BYTES = 150_000_000;

/**
 * The earlier states of a file, oldest first, without those that cannot be read. Of many, only the first and the last are read: what
 * changed in between shows in them too, unless it was changed back.
 */
export async function earlierStates(bytes: Uint8Array): Promise<Earlier[]> {
  const revisions = revisionsOf(bytes);
  const numbered = revisions.slice(0, -1).map((revision, index) => ({ revision, number: index + 1 }));
  const chosen = numbered.filter(({ number }) => number <= OLDEST || number > numbered.length - LATEST);
  const states: Earlier[] = [];
  let [pages, read] = [0, 0];
  for (const { revision, number } of chosen) {
    read += revision.end;
    if (pages > PAGES || read > BYTES) break;
    const state = await stateAt(bytes, revision);
    if (state === undefined) continue;
    pages += state.length;
    states.push({ number, end: revision.end, pages: state });
  }
  return states;
}

export async function pageStates(bytes: Uint8Array): Promise<PageState[]> {
  const paint = await readPaint(bytes);
  const text = await readOwnPages(bytes);
  return paint.flatMap((page, index) => {
    const read = text[index];
    return read === undefined ? [] : [{ paint: page, text: read }];
  });
}

async function stateAt(bytes: Uint8Array, { end }: Revision): Promise<PageState[] | undefined> {
  try {
    return await pageStates(bytes.subarray(0, end));
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
