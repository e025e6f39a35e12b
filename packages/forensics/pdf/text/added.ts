import type { Box } from '../../model.ts';
import { kindOf } from '../diff/values.ts';
import type { PaintedPage } from '../paint/marks.ts';
import { area, common } from '../paint/matrix.ts';
import { byPlace, hiddenBox, isLikeGround, isOpaque, leftOf, seenRuns, whyInvisible } from './seen.ts';
import { wordsOf } from './words.ts';

const FIGURE = /\d/;

/** Where annotations and form fields show or hide figures. A signature's field states when it was made, so only amounts and accounts count there. */
export function figuresAddedTo(page: PaintedPage): Box[] {
  const { marks, annotations } = page;
  const held = annotations.filter(({ undrawn }) => FIGURE.test(undrawn)).map(({ box }) => box);
  const added = marks.filter(({ layer }) => layer !== '');
  if (added.length === 0) return held;
  const shapes = byPlace(marks.filter((mark) => mark.kind !== 'text'));
  const covers = byPlace(added.filter(isOpaque));
  const written = added.flatMap((run) =>
    run.kind !== 'text' || whyInvisible(run) !== undefined || isLikeGround(run, shapes(run.whole))
      ? []
      : leftOf(run, covers(run.whole)),
  );
  const shown = wordsOf(written).filter(({ text, runs }) =>
    runs.every(({ layer }) => layer === 'Signature')
      ? kindOf(text) === 'amount' || kindOf(text) === 'IBAN'
      : FIGURE.test(text),
  );
  const hidden = seenRuns(page)
    .filter(({ text }) => FIGURE.test(text))
    .flatMap((run) => hiddenBox(run, covers(run.whole)) ?? []);
  const others = shown.filter(({ box }) => !held.some((field) => area(common(field, box)) > 0));
  return [...held, ...others.map(({ box }) => box), ...hidden];
}
