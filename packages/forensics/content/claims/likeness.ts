/** How alike two names are, as folded words; see `nameWords`. */

/** In letters: OCR or a clerk may get one wrong. */
const CLOSE = 1;
const MIN_WORD_LENGTH = 3;

/** 2: all words of one are in the other; 1: some are; 0: none. */
export function likeness(one: string, other: string): 0 | 1 | 2 {
  const [left, right] = [wordsOf(one), wordsOf(other)].sort((a, b) => a.length - b.length);
  const shared = (left ?? []).filter((word) => (right ?? []).some((its) => alike(word, its)));
  if (shared.length === left?.length) return 2;
  return shared.some((word) => word.length >= MIN_WORD_LENGTH) ? 1 : 0;
}

function wordsOf(name: string): string[] {
  return name
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, 12);
}

/** The same except for one letter, an initial, or the two spellings of an umlaut. */
function alike(one: string, other: string): boolean {
  if (one.length === 1 || other.length === 1) return one.charAt(0) === other.charAt(0);
  const [left, right] = [plain(one), plain(other)];
  return left === right || (left.length >= 5 && distance(left, right) <= CLOSE);
}

function plain(word: string): string {
  return word.replace(/([aou])e/g, '$1').replace(/ss/g, 's');
}

/** At most 1 if one letter was replaced, added or left out; otherwise more. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 1) return 2;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return Math.max(one.length, other.length) - start - end;
}
