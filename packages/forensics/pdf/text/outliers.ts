import type { Run } from '../paint/marks.ts';
import { amountColumns, type Cell } from './columns.ts';
import { familyOf } from './fonts.ts';
import type { TextPage } from './read-pages.ts';
import type { Word } from './words.ts';

/** An amount or another value that is set differently from its surroundings. */
export interface Outlier {
  word: Word;
  /** What differs, as in "font" or "base line". */
  differences: string[];
  font: string;
  /** What the others are set in. */
  usualFont: string;
}

/** So many of a column must be alike, and so few otherwise. */
const ALIKE = 0.75;
const ODD_ONES = 2;
/** In points: the others may differ among themselves by less, an odd one differs by more. */
const EVEN = 0.12;
const UNEVEN_EDGE = 0.5;
const UNEVEN_BASE = 0.3;
const OTHER_SIZE = 0.04;

/** In the columns of amounts of a page, at most two in each. */
export function oddAmounts(page: TextPage): Outlier[] {
  return amountColumns(page).flatMap((column) => {
    const usual = usualIn(column);
    if (usual === undefined) return [];
    const odd = column.flatMap((cell, index) => outlierOf(cell, index === column.length - 1, usual) ?? []);
    return odd.length <= ODD_ONES ? odd : [];
  });
}

interface Usual {
  font: string;
  family: string;
  fontId: string;
  size: number;
  edge: number | undefined;
  /** How far amounts stand below the words beside them. */
  base: number | undefined;
  /** The characters that are painted in the usual font. */
  characters: Set<string>;
  /** The fonts of the words beside the usual amounts. */
  beside: Set<string>;
}

function usualIn(column: readonly Cell[]): Usual | undefined {
  const styles = Map.groupBy(column, ({ word }) => `${word.fontId} ${word.fontSize.toFixed(1)}`);
  const alike = [...styles.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  const [first] = alike;
  if (first === undefined || alike.length < ALIKE * column.length) return undefined;
  const plain = alike.filter(({ word }) => word.runs.every(({ fontId }) => fontId === first.word.fontId));
  const { font, fontId, fontSize: size } = first.word;
  return {
    font,
    family: familyOf(font),
    fontId,
    size,
    edge: common(alike.map(({ edge }) => edge)),
    base: common(alike.flatMap((cell) => baseOf(cell) ?? [])),
    characters: new Set(plain.flatMap(({ word }) => [...word.text])),
    beside: new Set(alike.flatMap(({ row }) => row.map((word) => word.fontId))),
  };
}

/** The value that all but at most two nearly share; undefined when they vary. */
function common(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined || sorted.length < 4) return undefined;
  return sorted.filter((value) => Math.abs(value - middle) > EVEN).length <= ODD_ONES ? middle : undefined;
}

/** Only for words on one line; otherwise the line means nothing. */
function baseOf({ word, row }: Cell): number | undefined {
  const [nearest] = row;
  const even = row.every(({ start }) => Math.abs(start.y - (nearest?.start.y ?? 0)) < EVEN);
  return nearest === undefined || !even ? undefined : word.start.y - nearest.start.y;
}

function outlierOf(cell: Cell, isLast: boolean, usual: Usual): Outlier | undefined {
  const { word, row, edge } = cell;
  const isRowPlain = row.length > 0 && row.every(({ fontId }) => usual.beside.has(fontId));
  if (!isRowPlain) return undefined;
  const differences: string[] = [];
  let weight = 0;
  const count = (difference: string, points: number) => {
    differences.push(difference);
    weight += points;
  };
  if (isMixed(word, usual)) count('font within the amount', 2);
  const family = familyOf(word.font);
  if (family !== usual.family && family !== '' && usual.family !== '') count('font', 2);
  else if (isOtherCopy(word, usual)) count('copy of the font', 1);
  if (!isLast) {
    if (Math.abs(word.fontSize - usual.size) > OTHER_SIZE * usual.size) count('size', 1);
    const base = baseOf(cell);
    if (base !== undefined && usual.base !== undefined && Math.abs(base - usual.base) > UNEVEN_BASE)
      count('base line', 1);
    if (usual.edge !== undefined && Math.abs(edge - usual.edge) > UNEVEN_EDGE) count('edge', 1);
  }
  return weight < 2 ? undefined : { word, differences, font: word.font, usualFont: usual.font };
}

/** Whether digits of one amount are painted in two fonts, though the usual one has them all. */
function isMixed({ runs }: Word, usual: Usual): boolean {
  const digits = runs.filter(({ text }) => /\d/.test(text));
  const [own, other] = [
    digits.filter((run) => run.fontId === usual.fontId),
    digits.filter((run) => isForeign(run, usual)),
  ];
  return own.length > 0 && other.length > 0;
}

function isForeign({ fontId, text }: Run, usual: Usual): boolean {
  return fontId !== usual.fontId && [...text].every((character) => usual.characters.has(character));
}

/** The same font once more: generators need a second one only for characters that the first does not have. */
function isOtherCopy(word: Word, usual: Usual): boolean {
  return word.font === usual.font && word.runs.every((run) => isForeign(run, usual));
}
