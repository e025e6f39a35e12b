import type { TextItem } from '../../model.ts';
import type { Run } from '../paint/marks.ts';
import { union } from '../paint/matrix.ts';

/** A word, with the runs that form it. */
export interface Word extends TextItem {
  /** From left to right. */
  runs: Run[];
  /** The start of its first character on the baseline. */
  start: { x: number; y: number };
  angle: number;
  /** See `Run.programFamily`. */
  programFamily: string;
}

/** In font sizes: a wider gap separates words, and a larger overlap means that one was painted over the other. */
const GAP = 0.15;
const OVERLAP = 0.2;
const OFF_BASE_LINE = 0.12;
const NEIGHBOURS_LOOKED_AT = 40;

/** Touching runs form one word: generators paint words in pieces, and a forger who changes a figure repaints a piece of it. */
export function wordsOf(runs: readonly Run[]): Word[] {
  const open: Run[][] = [];
  for (const run of [...runs].sort(byPlace)) {
    const before = open.slice(-NEIGHBOURS_LOOKED_AT).findLast((word) => touches(word.at(-1), run));
    if (before === undefined) open.push([run]);
    else before.push(run);
  }
  return open.map(wordOf).sort((a, b) => a.order - b.order);
}

/** Orders runs by line and from left to right; small differences in height do not count. */
function byPlace(a: Run, b: Run): number {
  return (
    a.angle - b.angle || Math.round(a.start.y) - Math.round(b.start.y) || a.start.x - b.start.x || a.order - b.order
  );
}

function touches(left: Run | undefined, right: Run): boolean {
  if (left === undefined || left.angle !== right.angle) return false;
  const size = Math.min(left.fontSize, right.fontSize);
  if (Math.max(left.fontSize, right.fontSize) > 1.5 * size) return false;
  const [dx, dy] = [right.start.x - left.end.x, right.start.y - left.end.y];
  const radians = (left.angle * Math.PI) / 180;
  const gap = dx * Math.cos(radians) + dy * Math.sin(radians);
  const across = Math.abs(dy * Math.cos(radians) - dx * Math.sin(radians));
  return gap < GAP * size && gap > -OVERLAP * size && across < OFF_BASE_LINE * size;
}

/** Words of one line as one, such as the groups of a long number. */
export function phraseOf(first: Word, ...others: Word[]): Word {
  const words = [first, ...others];
  return {
    ...first,
    text: words.map(({ text }) => text).join(' '),
    box: words.map(({ box }) => box).reduce(union),
    runs: words.flatMap(({ runs }) => runs),
  };
}

function wordOf(runs: Run[]): Word {
  const main = runs.reduce((longest, run) => (run.text.length > longest.text.length ? run : longest));
  const first = runs[0] ?? main;
  return {
    text: runs
      .map(({ text }) => text)
      .join('')
      .normalize('NFC'),
    box: runs.map(({ whole }) => whole).reduce(union),
    font: main.font,
    programFamily: main.programFamily,
    fontId: main.fontId,
    fontSize: main.fontSize,
    order: Math.min(...runs.map(({ order }) => order)),
    runs,
    start: first.start,
    angle: first.angle,
  };
}
