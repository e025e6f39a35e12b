import { kindOf } from '../diff/values.ts';
import { phraseOf, type Word } from '../text/words.ts';
import { type Habit, isWrap, OF_WRITING, subjectOf } from './habits.ts';
import type { Shown } from './pages.ts';

/** A value written differently from everything else. */
export interface Odd {
  page: number;
  word: Word;
  /** The habits in which it differs, with its own way and that of the others. */
  differences: { habit: Habit | 'decimals of places'; own: string; usual: string }[];
}

/** This many other texts must share one habit. */
export const ALIKE = 15;
/** This many values of the same kind must be written like everything else. */
const ALIKE_VALUES = 3;
/** A habit with a larger share of the file's texts, or of its values of the same kind, belongs to the file. */
const FEW = 0.25;
const FEW_ALIKE = 0.45;
const ENOUGH = 2;
/** The others must have at least this many fewer decimals. */
const FINER = 2;
/** Usual positions with more decimals come from a program that does not round. */
const ROUNDED = 5;
const NUMBERED = 20;
const LONG_NUMBER = /\d[\d ./-]{4,40}\d/;
const SAME_SIZE = 0.25;
/** In points. */
const SAME_COLUMN = 3;
const MAX_ODD = 500;

/**
 * The values written differently from everything else in the file. A short form has an author of its own and does not count. A long one may
 * hold a whole page: its values are compared with each other, and those of the pages themselves with it.
 */
export function oddHands(shown: readonly Shown[]): Odd[] {
  const all = shown.map((one): Text => ({ ...one, value: shownValue(one) ?? one.name }));
  const forms = [...Map.groupBy(all, ({ form }) => form)].filter(
    ([form, own]) => form !== undefined && own.length >= ALIKE,
  );
  const long = new Set(forms.map(([form]) => form));
  const besides = all.filter(({ form }) => form === undefined || long.has(form));
  const own = oddAmong(besides).filter(({ shown }) => shown.form === undefined);
  return [...own, ...forms.flatMap(([, inForm]) => oddAmong(inForm))].map(({ shown: _, ...odd }) => odd);
}

interface Text extends Shown {
  /** The value that it shows. */
  value: Word | undefined;
}

function oddAmong(all: readonly Text[]): (Odd & { shown: Text })[] {
  const found: (Odd & { shown: Text })[] = [];
  const candidates = new Map<Text, Group[]>();
  for (const group of [...groupsOf(all), ...finerThan(all)])
    for (const shown of group.own) candidates.set(shown, [...(candidates.get(shown) ?? []), group]);
  for (const [shown, groups] of candidates) {
    const bySubject = [...Map.groupBy(groups, ({ difference }) => subjectOf(difference.habit)).values()];
    const own = bySubject.map((some) => some.reduce((most, group) => (group.weight > most.weight ? group : most)));
    if (own.reduce((sum, { weight }) => sum + weight, 0) < ENOUGH) continue;
    const word = shown.value;
    const differences = own.map(({ difference }) => difference);
    if (word !== undefined) found.push({ page: shown.page, word, differences, shown });
  }
  return found;
}

interface Group {
  own: Text[];
  difference: Odd['differences'][number];
  /** How much it counts; `ENOUGH` makes a finding. */
  weight: number;
}

/** The texts that do something in one way while all others do it in another. */
function groupsOf(all: readonly Text[]): Group[] {
  const habits = new Set(all.flatMap((shown) => [...shown.habits.keys()]));
  return [...habits].flatMap((habit) => {
    const having = all.filter((shown) => shown.habits.has(habit) && shown.habits.get(habit) !== 'both');
    const byNext = [...Map.groupBy(having, ({ next }) => next.get(habit)).values()];
    if (byNext.length <= 1) return groupsIn(having, habit, OF_WRITING.has(habit) ? ENOUGH : 1);
    // Spaces may follow from what comes next: a font, a colour, the end of the text object.
    const alike = byNext.flatMap((some) => groupsIn(some, habit, OF_WRITING.has(habit) ? ENOUGH : 1));
    return alike.length > 0 ? alike : groupsIn(having, habit, 1);
  });
}

function groupsIn(having: readonly Text[], habit: Habit, weight: number): Group[] {
  const ways = [...Map.groupBy(having, (shown) => shown.habits.get(habit) ?? '')].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  const [usual, own, another] = ways;
  if (usual === undefined || own === undefined || another !== undefined) return [];
  const difference = { habit, own: own[0], usual: usual[0] };
  if (!isOfValues(own[1], usual[1])) return [];
  const isWeak = own[1].every(isSingle) || isWrap(own[0], usual[0]);
  return [{ own: own[1], difference, weight: isWeak ? 1 : weight }];
}

/**
 * The texts positioned with more decimals than all others, even if rounding errors made theirs and none of the others': how large these are
 * depends on the place.
 */
function finerThan(all: readonly Text[]): Group[] {
  const placed = all.filter(({ decimals }) => decimals !== undefined);
  const writtenBy = ({ decimals }: Text) => decimals?.written ?? 0;
  const leastOf = ({ decimals }: Text) => decimals?.least ?? 0;
  for (const decimals of [...new Set(placed.map(writtenBy))].sort((one, other) => one - other)) {
    const usual = placed.filter((text) => writtenBy(text) <= decimals);
    const own = placed.filter((text) => writtenBy(text) > decimals);
    const next = Math.min(...own.map(leastOf));
    if (own.length === 0 || next < decimals + FINER || decimals > ROUNDED) continue;
    const isUsed = usual.filter((text) => writtenBy(text) === decimals).length >= 2;
    if (usual.length < NUMBERED || !isUsed || !isOfValues(own, usual)) continue;
    const difference = { habit: 'decimals of places' as const, own: String(next), usual: String(decimals) };
    return [{ own, difference, weight: ENOUGH }];
  }
  return [];
}

/** Whether all the texts are values in the place of values, and few enough to be exceptions. */
function isOfValues(own: readonly Text[], usual: readonly Text[]): boolean {
  if (usual.length < ALIKE || own.length > MAX_ODD || own.length > FEW * (own.length + usual.length)) return false;
  const kinds = new Set(own.map(({ value }) => value && kindOf(value.text)));
  if (kinds.has(undefined)) return false;
  // A document may show only one account or name.
  const isOfAnyKind = own.every(isSingle);
  const isAlike = (text: Text) =>
    own.every(isName) || (text.value !== undefined && (isOfAnyKind || kinds.has(kindOf(text.value.text))));
  const alike = usual.filter(isAlike);
  if (alike.length < ALIKE_VALUES || own.length > FEW_ALIKE * (alike.length + own.length)) return false;
  const written = new Set(usual.flatMap(({ words }) => words));
  return own.every((shown) => isInPlace(shown, written, alike));
}

function isSingle(text: Text): boolean {
  return isName(text) || (text.value !== undefined && kindOf(text.value.text) === 'IBAN');
}

function isName({ value, name }: Text): boolean {
  return name !== undefined && value === name;
}

/** Groups of digits are words of their own. */
function shownValue({ words }: Shown): Word | undefined {
  const value = words.find((word) => isValue(word));
  const [first, ...others] = words;
  if (value !== undefined || first === undefined) return value;
  const account = phraseOf(first, ...others);
  return kindOf(account.text) === 'IBAN' && isValue(account) ? account : undefined;
}

function isValue({ text, angle, runs }: Word): boolean {
  if (angle !== 0 || runs.some(({ isField }) => isField === true)) return false;
  const kind = kindOf(text);
  return kind === 'amount' || kind === 'date' || kind === 'IBAN' || (kind === 'number' && LONG_NUMBER.test(text));
}

/** A name, or beside usual text or in a column with usual values, unlike stamps, which stand alone. */
function isInPlace(text: Text, usual: ReadonlySet<Word>, alike: readonly Text[]): boolean {
  const { value, words, lines, page } = text;
  if (value === undefined) return false;
  if (isName(text)) return true;
  const isAsLarge = (other: Word) => Math.abs(other.fontSize - value.fontSize) <= SAME_SIZE * value.fontSize;
  if (lines.some(({ items }) => items.some((other) => usual.has(other) && !words.includes(other) && isAsLarge(other))))
    return true;
  const edges = ({ box }: Word) => [box.x, box.x + box.width];
  return alike.some(
    (shown) =>
      shown.page === page &&
      shown.words.some(
        (other) =>
          isAsLarge(other) &&
          isValue(other) &&
          edges(other).some((edge, at) => Math.abs(edge - (edges(value)[at] ?? 0)) < SAME_COLUMN),
      ),
  );
}
