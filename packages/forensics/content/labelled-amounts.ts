import { cached } from '../cached.ts';
import { type Amount, withoutCurrency } from './amounts.ts';
import { folded } from './labels.ts';
import type { WordLine } from './words.ts';

export interface LabelOf<Kind> {
  kind: Kind;
  /** Matched against folded text. */
  label: RegExp;
}

export interface LabelledAmount<Kind> {
  kind: Kind;
  amount: Amount;
}

/**
 * The first amount after each label, or the one below it.
 *
 * @param except excludes labels whose cell matches it
 */
export function labelledAmounts<Kind extends string>(
  lines: readonly WordLine[],
  amounts: readonly Amount[],
  labels: readonly LabelOf<Kind>[],
  except?: RegExp,
): LabelledAmount<Kind>[] {
  return amountsOfLabels(lines, amounts, labels, except).flatMap(([first]) => first ?? []);
}

/** Every amount after each label up to the next one, or the one below it. */
export function everyLabelledAmount<Kind extends string>(
  lines: readonly WordLine[],
  amounts: readonly Amount[],
  labels: readonly LabelOf<Kind>[],
): LabelledAmount<Kind>[] {
  return amountsOfLabels(lines, amounts, labels).flat();
}

function amountsOfLabels<Kind extends string>(
  lines: readonly WordLine[],
  amounts: readonly Amount[],
  labels: readonly LabelOf<Kind>[],
  except?: RegExp,
): LabelledAmount<Kind>[][] {
  const byLine = Map.groupBy(amounts, ({ line }) => line);
  return lines.flatMap((line, index) =>
    labelsIn(line, labels, except).map(({ kind, start, end, next }) => {
      const own = (byLine.get(line) ?? []).filter((amount) => amount.start >= end && amount.start < next);
      const under = own.length > 0 ? undefined : below(line, start, end, lines.slice(index + 1, index + 3), byLine);
      return [...own, ...(under === undefined ? [] : [under])].map((amount) => ({ kind, amount }));
    }),
  );
}

interface Label<Kind> {
  kind: Kind;
  start: number;
  end: number;
  /** Where the next column's text begins. */
  next: number;
}

const cellsOf = cached((line: WordLine) => {
  let start = 0;
  return line.text.split('\t').map((text) => {
    const cell = { text: folded(text), start };
    start += text.length + 1;
    return cell;
  });
});

function labelsIn<Kind>(line: WordLine, known: readonly LabelOf<Kind>[], except: RegExp | undefined): Label<Kind>[] {
  const labels: Label<Kind>[] = [];
  const cells = cellsOf(line);
  for (const [index, cell] of cells.entries()) {
    const kind = hasWord(cell.text) ? known.find(({ label }) => label.test(cell.text))?.kind : undefined;
    if (kind === undefined || except?.test(cell.text)) continue;
    const next = cells.slice(index + 1).find(({ text }) => /[a-z]{4}|\bnet\b/.test(text))?.start ?? line.text.length;
    const digits = cell.text.search(/\d/);
    labels.push({ kind, start: cell.start, end: cell.start + (digits < 0 ? cell.text.length : digits), next });
  }
  return labels;
}

/** Most cells of a table have no words, and need not be compared with every label. */
function hasWord(text: string): boolean {
  return /[a-z]{2}/.test(text);
}

function below(
  line: WordLine,
  start: number,
  end: number,
  under: readonly WordLine[],
  amounts: Map<WordLine, Amount[]>,
) {
  const words = line.words.filter((word) => word.start >= start && word.start < end);
  const left = Math.min(...words.map(({ box }) => box.x));
  const right = Math.max(...words.map(({ box }) => box.x + box.width));
  for (const next of under) {
    if (next.page !== line.page || next.box.y - line.box.y > 3 * line.fontSize) return undefined;
    const found = (amounts.get(next) ?? []).filter(
      ({ box }) => box.x < right + line.fontSize && box.x + box.width > left - line.fontSize,
    );
    if (found.length > 0)
      return found.length === 1 && !/\p{L}{2}/u.test(withoutCurrency(next.text)) ? found[0] : undefined;
  }
  return undefined;
}
