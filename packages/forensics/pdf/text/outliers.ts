import type { Run } from '../paint/marks.ts';
import { amountColumns, type Cell } from './columns.ts';
import { areOneFamily, type Face } from './fonts.ts';
import type { TextPage } from './read-pages.ts';
import type { Word } from './words.ts';

/** An amount or another value that is set differently from its surroundings. */
export interface Outlier {
  word: Word;
  /** What differs, such as "font" or "base line". */
  differences: string[];
  font: string;
  /** The font of the others. */
  usualFont: string;
}

/** At least this share of a column must be alike; this many may always differ. */
const ALIKE = 0.75;
const ODD_ONES = 2;
/** In points, except for the relative `OTHER_SIZE`: the others may vary by `EVEN`, and an outlier deviates by more than the rest. */
const EVEN = 0.12;
const UNEVEN_EDGE = 0.5;
const UNEVEN_BASE = 0.3;
const OTHER_SIZE = 0.04;

/** The outliers in a page's columns of amounts; none in a column where more than two, and more than a quarter, differ. */
export function oddAmounts(page: TextPage): Outlier[] {
  return amountColumns(page).flatMap((column) => {
    const usual = usualIn(column);
    if (usual === undefined) return [];
    const odd = column.flatMap((cell, index) => outlierOf(cell, index === column.length - 1, usual) ?? []);
    return odd.length <= Math.max(ODD_ONES, (1 - ALIKE) * column.length) ? odd : [];
  });
}

interface Usual extends Face {
  fontId: string;
  size: number;
  edge: number | undefined;
  /** How far amounts usually stand below the words beside them, in points. */
  base: number | undefined;
  /** The characters that the usual font is seen to have. */
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
  const { font, programFamily, fontId, fontSize: size } = first.word;
  return {
    font,
    programFamily,
    fontId,
    size,
    edge: common(alike.map(({ edge }) => edge)),
    base: common(alike.flatMap((cell) => baseOf(cell) ?? [])),
    characters: new Set(plain.flatMap(({ word }) => [...word.text])),
    beside: new Set(alike.flatMap(({ row }) => row.map((word) => word.fontId))),
  };
}

/** The median, if all but at most two values are close to it. */
function common(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined || sorted.length < 4) return undefined;
  return sorted.filter((value) => Math.abs(value - middle) > EVEN).length <= ODD_ONES ? middle : undefined;
}

/** Undefined unless the other words of the line share a baseline. */
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
  if (!areOneFamily(word, usual)) count('font', 2);
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

/** Whether the digits of one amount have two fonts, although the usual font has all their characters. */
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

/** A second copy of the same font: generators need one only for characters that the first does not have. */
function isOtherCopy(word: Word, usual: Usual): boolean {
  return word.font === usual.font && word.runs.every((run) => isForeign(run, usual));
}
