import type { Box } from '../../model.ts';
import { kindOf } from '../diff/values.ts';
import type { PaintedPage } from '../paint/marks.ts';
import { byPlace, hiddenBox, isLikeGround, isOpaque, leftOf, seenRuns, whyInvisible } from './seen.ts';
import { wordsOf } from './words.ts';

const FIGURE = /\d/;

/** Where annotations and form fields show or hide figures. A signature's field states when it was made, so only amounts and accounts count there. */
export function figuresAddedTo(page: PaintedPage): Box[] {
  const { marks, annotations } = page;
  const undrawn = annotations.filter((one) => FIGURE.test(one.undrawn)).map(({ box }) => box);
  const added = marks.filter(({ layer }) => layer !== '');
  if (added.length === 0) return undrawn;
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
  return [...undrawn, ...shown.map(({ box }) => box), ...hidden];
}
