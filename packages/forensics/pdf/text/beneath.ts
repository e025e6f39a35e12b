import { isNameLabel } from '../../content/claims/people.ts';
import { areOtherNames, areOtherValues, isName, kindOf } from '../diff/values.ts';
import type { PaintedPage } from '../paint/marks.ts';
import { area, common } from '../paint/matrix.ts';
import { phrasesOf } from './lines.ts';
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
/** More texts that differ are a layer of its own, such as a translation. */
const MAX_NAMES = 3;
/** Programs that cut a page into strips or cells clip more values than a person changes. */
const MAX_CLIPPED = 4;
/** A template's sample value. */
const PLACEHOLDER = /^[0\s.,/:X-]*$/;

/** @param words the visible words of the page */
export function valuesBeneath(page: PaintedPage, words: readonly Word[]): Beneath[] {
  const { marks, width, height } = page;
  if (marks.some(({ kind, box }) => kind === 'picture' && area(box) > SCAN * width * height)) return [];
  const hidden = hiddenWords(page);
  if (hidden.length === 0 || hidden.length > MAX_HIDDEN) return [];
  const pairs = hidden.flatMap((one) => {
    const shown = words.find((word) => isInPlace(one, word));
    return shown === undefined ? [] : [{ hidden: one, shown }];
  });
  const clipped = pairs.filter((pair) => pair.hidden.runs.every((run) => whyInvisible(run) === 'outside'));
  if (clipped.length > MAX_CLIPPED) return [];
  const repeated = pairs.filter((pair) => pair.hidden.text === pair.shown.text);
  return [...withAccounts(pairs).filter(isOtherValue), ...namesBeneath(hidden, words)].filter(
    (pair) => repeated.filter((other) => !isOnLine(other, pair)).length < REPEATED,
  );
}

/** Hidden names of people and companies in the place of other names; none if many texts differ, as in a layer of another language. */
function namesBeneath(unseen: readonly Word[], words: readonly Word[]): Beneath[] {
  const pairs = phrasesOf(unseen).flatMap((phrase) => {
    const over = words.filter((word) => isInPlace(phrase, word) && word.text !== phrase.text);
    const [first] = over;
    if (first === undefined || kindOf(phrase.text) !== 'text' || isNameLabel(phrase.text)) return [];
    const whole = phrasesOf(words.filter((word) => isLevel(phrase, word))).find(({ runs }) =>
      first.runs.every((run) => runs.includes(run)),
    );
    return whole !== undefined && areOtherNames(phrase.text, whole.text) ? [{ hidden: phrase, shown: whole }] : [];
  });
  return pairs.length > MAX_NAMES ? [] : pairs.filter(({ hidden, shown }) => isName(hidden.text) && isName(shown.text));
}

/** The words of the page itself that are never seen, those on hidden layers included. */
export function hiddenWords({ marks, unseen }: Pick<PaintedPage, 'marks' | 'unseen'>): Word[] {
  const invisible = marks.filter((mark) => mark.kind === 'text').filter((run) => whyInvisible(run) !== undefined);
  return wordsOf([...invisible, ...unseen].filter((run) => run.layer === '' && run.isField !== true));
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
  if (!isLevel(hidden, shown)) return false;
  const smaller = Math.min(area(hidden.box), area(shown.box));
  return area(common(hidden.box, shown.box)) >= SHARED * smaller;
}

function isLevel(hidden: Word, shown: Word): boolean {
  return shown.angle === hidden.angle && Math.abs(shown.start.y - hidden.start.y) <= SAME_LINE * shown.fontSize;
}

function isOtherValue({ hidden, shown }: Beneath): boolean {
  const isShort = kindOf(hidden.text) === 'number' && hidden.text.replace(/\D/g, '').length < 4;
  return !isShort && !PLACEHOLDER.test(hidden.text) && areOtherValues(hidden.text, shown.text);
}
