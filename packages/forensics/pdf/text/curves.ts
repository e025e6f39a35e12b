import type { Box } from '../../model.ts';
import type { Fill, Mark } from '../paint/marks.ts';
import { union } from '../paint/matrix.ts';

/** Characters drawn as curves, one beside the other. */
interface Curves {
  box: Box;
  shapes: number;
}

/** In points: letters are not larger. */
const HIGHEST = 30;
/** In heights of a letter: a wider gap separates words. */
const GAP = 0.8;
/** The share of the lower shape that stands on the level of the row: commas hang below it. */
const LEVEL = 0.25;
/** Fewer shapes are an icon. A figure has several digits. */
const FEWEST = 3;
/** In points: a full stop is about as wide as high. */
const THIN = 2;
/** A taller rectangle is the line of a table. */
const TALL = 1.4;
const MAX_EXAMINED = 2000;

/** Rows of small shapes that may be a text turned into curves. */
export function curvesIn(marks: readonly Mark[]): Box[] {
  const small = marks.filter(
    (mark): mark is Fill => mark.kind === 'fill' && mark.layer === '' && mark.box.height < HIGHEST && isCharacter(mark),
  );
  if (small.length > MAX_EXAMINED) return [];
  const rows: Curves[] = [];
  for (const { box, shapes = 0 } of small) {
    const row = rows.at(-1);
    const isStroke = shapes === 0;
    if (row !== undefined && isNext(row.box, box) && !(isStroke && box.height > TALL * row.box.height)) {
      row.box = union(row.box, box);
      row.shapes += shapes;
    } else if (!isStroke) rows.push({ box, shapes });
  }
  return rows.filter(({ shapes }) => shapes >= FEWEST).map(({ box }) => box);
}

/** Letters such as l, i and full stops are rectangles in many fonts. */
function isCharacter({ shapes, box: { width, height } }: Fill): boolean {
  return shapes !== undefined || width < Math.max(height, THIN);
}

/** Programs draw the characters of a text from left to right. */
function isNext(before: Box, box: Box): boolean {
  const shared = Math.min(before.y + before.height, box.y + box.height) - Math.max(before.y, box.y);
  const gap = box.x - before.x - before.width;
  const isLevel = shared > LEVEL * Math.min(before.height, box.height);
  return isLevel && gap > -GAP * before.height && gap < GAP * before.height;
}
