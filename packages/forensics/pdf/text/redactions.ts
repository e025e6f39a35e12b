import type { Box } from '../../model.ts';
import type { PaintedPage } from '../paint/marks.ts';
import { area, common } from '../paint/matrix.ts';
import { isOpaque } from './seen.ts';

const DARK = 0x60;
/** In points: a lower bar is a rule between rows, a higher one a picture. */
const LOWEST = 5;
const HIGHEST = 60;
const NARROWEST = 12;
const MOST = 200;

export function isDark(colour: string | undefined): boolean {
  if (colour === undefined) return false;
  return [1, 3, 5].every((at) => Number.parseInt(colour.slice(at, at + 2), 16) < DARK);
}

/** Redactions: opaque dark bars about as high as text, with nothing painted on them, unlike the background of a heading. */
export function redactionsOn({ marks }: PaintedPage): Box[] {
  const bars = marks.filter(
    (mark) =>
      mark.kind !== 'text' &&
      isOpaque(mark) &&
      isDark(mark.colour) &&
      mark.box.height >= LOWEST &&
      mark.box.height <= HIGHEST &&
      mark.box.width >= NARROWEST,
  );
  const later = (bar: (typeof bars)[number]) => marks.slice(bar.order + 1);
  return bars
    .slice(0, MOST)
    .filter((bar) => !later(bar).some(({ box }) => area(common(box, bar.box)) > 0.5 * area(box) && area(box) > 0))
    .map(({ box }) => box);
}
