import type { Line } from '../../model.ts';
import { union } from '../paint/matrix.ts';
import { phraseOf, type Word } from './words.ts';

export interface TextLine extends Line {
  items: Word[];
}

/** Baselines of one line differ by no more, relative to the smaller font size. */
const SAME_LINE = 0.35;

/** Words on one baseline, across any gaps; lines from top to bottom, words from left to right. */
export function linesOf(words: readonly Word[]): TextLine[] {
  const rows: { angle: number; level: number; size: number; words: Word[] }[] = [];
  const sorted = words.map((word) => ({ word, ...along(word) })).sort((a, b) => a.angle - b.angle || a.level - b.level);
  for (const { word, angle, level } of sorted) {
    const row = rows.at(-1);
    const near = row !== undefined && row.angle === angle;
    if (near && level - row.level <= SAME_LINE * Math.min(row.size, word.fontSize)) row.words.push(word);
    else rows.push({ angle, level, size: word.fontSize, words: [word] });
  }
  return rows.map(({ words }) => lineOf(words)).sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x);
}

/** Words that stand close together on one line. */
export function phrasesOf(words: readonly Word[]): Word[] {
  return linesOf(words).flatMap(({ items }) => {
    const phrases: Word[][] = [];
    for (const word of items) {
      const last = phrases.at(-1)?.at(-1);
      const isNext = last !== undefined && word.box.x - last.box.x - last.box.width < word.fontSize;
      if (isNext) phrases.at(-1)?.push(word);
      else phrases.push([word]);
    }
    return phrases.flatMap(([first, ...others]) => (first === undefined ? [] : phraseOf(first, ...others)));
  });
}

function lineOf(words: Word[]): TextLine {
  const items = words.sort((a, b) => along(a).distance - along(b).distance);
  const boxes = items.map(({ box }) => box);
  return {
    text: items.map(({ text }) => text).join(' '),
    box: boxes.reduce(union),
    items,
  };
}

/** A word's position along its own direction and across it. */
function along({ angle, start }: Word): { angle: number; level: number; distance: number } {
  const rounded = Math.round(angle);
  if (rounded === 0) return { angle: 0, level: start.y, distance: start.x };
  const radians = (rounded * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return { angle: rounded, level: start.y * cos - start.x * sin, distance: start.x * cos + start.y * sin };
}
