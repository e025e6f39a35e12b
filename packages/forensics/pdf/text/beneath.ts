import { kindOf } from '../diff/values.ts';
import type { PaintedPage } from '../paint/marks.ts';
import { area, common } from '../paint/matrix.ts';
import { whyInvisible } from './seen.ts';
import { phraseOf, type Word, wordsOf } from './words.ts';

/** An invisible value in the place of a visible one of the same kind. */
export interface Beneath {
  hidden: Word;
  shown: Word;
}

/** A picture that covers this share of the page is a scan, whose invisible text is recognised text. */
const SCAN = 0.4;
/** At least this share of the smaller word must overlap the other. */
const SHARED = 0.5;
const SAME_LINE = 0.35;
/** A part of an account number. */
const GROUP = /^[A-Z\d]{1,4}$/;
/** If this many hidden words on other lines repeat visible ones, the hidden text is recognised text, which may have errors. */
const REPEATED = 3;
const MAX_HIDDEN = 300;
/** Programs that cut a page into strips or cells clip more values than a person changes. */
const MAX_CLIPPED = 4;
/** A template's sample value. */
const PLACEHOLDER = /^[0\s.,/:X-]*$/;

/** @param words the visible words of the page */
export function valuesBeneath({ marks, width, height }: PaintedPage, words: readonly Word[]): Beneath[] {
  if (marks.some(({ kind, box }) => kind === 'picture' && area(box) > SCAN * width * height)) return [];
  const hidden = hiddenWords({ marks });
  if (hidden.length === 0 || hidden.length > MAX_HIDDEN) return [];
  const pairs = hidden.flatMap((one) => {
    const shown = words.find((word) => isInPlace(one, word));
    return shown === undefined ? [] : [{ hidden: one, shown }];
  });
  const clipped = pairs.filter((pair) => pair.hidden.runs.every((run) => whyInvisible(run) === 'outside'));
  if (clipped.length > MAX_CLIPPED) return [];
  const repeated = pairs.filter((pair) => pair.hidden.text === pair.shown.text);
  return withAccounts(pairs).filter(
    (pair) => isOtherValue(pair) && repeated.filter((other) => !isOnLine(other, pair)).length < REPEATED,
  );
}

/** The words of the page itself that are never seen. */
export function hiddenWords({ marks }: Pick<PaintedPage, 'marks'>): Word[] {
  const runs = marks.filter((mark) => mark.kind === 'text');
  return wordsOf(runs.filter((run) => run.layer === '' && run.isField !== true && whyInvisible(run) !== undefined));
}

/** The groups of digits of an account number as one value: only short ones may differ. */
function withAccounts(pairs: readonly Beneath[]): Beneath[] {
  const lines = Map.groupBy(pairs, ({ shown }) => `${Math.round(shown.start.y)} ${shown.fontSize}`);
  return [...lines.values()].flatMap((onLine) => {
    const groups = onLine.filter((pair) => GROUP.test(pair.hidden.text) && GROUP.test(pair.shown.text));
    const [first, ...others] = groups;
    if (first === undefined) return onLine;
    const hidden = phraseOf(first.hidden, ...others.map((pair) => pair.hidden));
    const shown = phraseOf(first.shown, ...others.map((pair) => pair.shown));
    const rest = onLine.filter((pair) => !groups.includes(pair));
    return kindOf(hidden.text) === 'IBAN' ? [{ hidden, shown }, ...rest] : onLine;
  });
}

/** The digit groups of one long number are words on one line, and do not make a layer of recognised text. */
function isOnLine({ hidden: one }: Beneath, { hidden: other }: Beneath): boolean {
  return Math.abs(one.start.y - other.start.y) <= SAME_LINE * other.fontSize;
}

function isInPlace(hidden: Word, shown: Word): boolean {
  if (shown.angle !== hidden.angle || Math.abs(shown.start.y - hidden.start.y) > SAME_LINE * shown.fontSize)
    return false;
  const smaller = Math.min(area(hidden.box), area(shown.box));
  return area(common(hidden.box, shown.box)) >= SHARED * smaller;
}

function isOtherValue({ hidden, shown }: Beneath): boolean {
  const kind = kindOf(hidden.text);
  const digits = ({ text }: Word) => text.replace(/\D/g, '');
  return (
    kind !== 'text' &&
    kind === kindOf(shown.text) &&
    (kind !== 'number' || digits(hidden).length >= 4) &&
    !PLACEHOLDER.test(hidden.text) &&
    digits(hidden) !== digits(shown)
  );
}
