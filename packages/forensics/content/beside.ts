import { cached } from '../cached.ts';
import type { Box } from '../model.ts';
import { folded } from './labels.ts';
import { boxWithin, type WordLine } from './words.ts';

/** A span of a text. */
export interface Part {
  text: string;
  start: number;
  end: number;
}

/** The value beside a label. */
export interface Labelled {
  text: string;
  page: number;
  box: Box;
  line: WordLine;
}

/** A value below a label is at most this many lines down. */
const LINES_BELOW = 2;
const FOUND = 50;

/**
 * The value after a label on its line, or else below it with the same left edge.
 *
 * @param label matched against folded text
 * @param find the value in the text after the label
 */
export function besideLabel(
  lines: readonly WordLine[],
  label: RegExp,
  find: (text: string) => Part | undefined,
): Labelled[] {
  const found: Labelled[] = [];
  const { any, every } = expressionsOf(label);
  for (const [index, line] of lines.entries()) {
    if (found.length >= FOUND) break;
    if (!any.test(foldedOnce(line))) continue;
    const below = lines.slice(index + 1, index + 1 + LINES_BELOW);
    // The last of several labels, as in "DNI/NIF", is next to the value.
    const matches = [...foldedOnce(line).matchAll(every)].toReversed();
    const values = matches.flatMap((match) => labelledBy(line, match, below, find) ?? []);
    found.push(...values.slice(0, 1));
  }
  return found;
}

const expressionsOf = cached(({ source }: RegExp) => ({ any: new RegExp(source), every: new RegExp(source, 'g') }));

const foldedOnce = cached(({ text }: WordLine) => folded(text));

function labelledBy(
  line: WordLine,
  match: RegExpExecArray,
  below: readonly WordLine[],
  find: (text: string) => Part | undefined,
) {
  const end = match.index + match[0].length;
  const own = find(line.text.slice(end));
  if (own !== undefined) return placed(line, own, end);
  const cell = line.text.lastIndexOf('\t', match.index) + 1;
  const edges = [match.index, cell].map((start) => boxWithin(line, start, end).x);
  for (const next of below) {
    const word = next.words.find(({ box }) => edges.some((edge) => Math.abs(box.x - edge) < 2 * line.fontSize));
    if (word === undefined || next.page !== line.page) continue;
    const value = find(next.text.slice(word.start));
    if (value !== undefined) return placed(next, value, word.start);
  }
  return undefined;
}

function placed(line: WordLine, { text, start, end }: Part, offset: number): Labelled {
  return { text, page: line.page, line, box: boxWithin(line, offset + start, offset + end) };
}
