import type { Box } from '../model.ts';
import { amountsIn } from './amounts.ts';
import { labelledAmounts } from './labelled-amounts.ts';
import { DEDUCTIONS, folded, GROSS, NET, OTHER_PAY } from './labels.ts';
import { boxWithin, type WordLine } from './words.ts';

/** A label without a value, although the labels around it have theirs. */
export interface BareLabel {
  label: string;
  page: number;
  /** The box of the label. */
  box: Box;
}

interface Cell {
  text: string;
  folded: string;
  box: Box;
  line: WordLine;
  /** To its right on the line. */
  next: Cell | undefined;
}

/** Whole cells that name a value which every payslip or statement states. */
const ALWAYS_GIVEN: readonly RegExp[] = [
  /^(?:name|arbeitnehmer(?:in)?|mitarbeiter(?:in)?|employee(?: name)?|trabajador[a]?|salarie[e]?|dipendente|lavoratore|werknemer|pracownik|trabalhador|kontoinhaber(?:in)?|account (?:name|holder)|titular|titulaire|intestatario|rekeninghouder|posiadacz)$/,
  /^(?:date of birth|birth date|geburtsdatum|date de naissance|fecha de nacimiento|data di nascita|data de nascimento|geboortedatum|data urodzenia)$/,
  /^(?:iban|account number|kontonummer|numero de cuenta|numero de compte|rekeningnummer|numer rachunku)$/,
];
const TOTALS = [
  { kind: 'gross', label: GROSS },
  { kind: 'deductions', label: DEDUCTIONS },
  { kind: 'net', label: NET },
] as const;
/** In font sizes: how far the labels are that have a value, and how far below a label its value may be. */
const BLOCK = 7;
const BELOW = 3.2;
const SIBLINGS = 2;
/** In points: labels of one column begin closer together. */
const EDGE = 1.5;
const MAX_LABEL_LENGTH = 40;
/** A form with more empty fields was left that way. */
const MOST = 1;

/** On one page. */
export function bareLabels(lines: readonly WordLine[]): BareLabel[] {
  const cells = lines.flatMap(cellsOf);
  const found = [...bareNames(cells), ...bareTotals(lines, cells)];
  return found.length > MOST ? [] : found;
}

/** The number of labels whose value is always given. */
export function labelsOn(lines: readonly WordLine[]): number {
  const cells = lines.flatMap(cellsOf);
  const totals = TOTALS.filter(({ label }) => cells.some((cell) => isWhole(cell, label)));
  return totals.length + ALWAYS_GIVEN.filter((names) => cells.some((cell) => names.test(cell.folded))).length;
}

function bareNames(cells: readonly Cell[]): BareLabel[] {
  return ALWAYS_GIVEN.flatMap((names) => {
    const named = cells.filter((cell) => names.test(cell.folded));
    const [only] = named;
    // If it occurs twice, the second is for a signature or a column heading.
    if (only === undefined || named.length > 1 || !isBare(only, cells)) return [];
    const siblings = cells.filter((cell) => isNear(cell, only) && isLabel(cell));
    return siblings.length < SIBLINGS ? [] : [bare(only)];
  });
}

/** Gross pay, deductions or net pay without an amount, while the other two have theirs. */
function bareTotals(lines: readonly WordLine[], cells: readonly Cell[]): BareLabel[] {
  const valued = new Set(labelledAmounts(lines, amountsIn(lines), TOTALS, OTHER_PAY).map(({ kind }) => kind));
  const lacking = TOTALS.filter(({ kind }) => !valued.has(kind));
  const [only] = lacking;
  if (only === undefined || lacking.length > 1) return [];
  const named = cells.filter((cell) => isWhole(cell, only.label) && !OTHER_PAY.test(cell.folded));
  const [cell] = named;
  // A row of amounts below may hold it in another place than below the label.
  const next = cell && lines[lines.indexOf(cell.line) + 1];
  const isRow = next !== undefined && !/\p{L}{2}/u.test(next.text) && amountsIn([next]).length > 0;
  return cell === undefined || named.length > 1 || isRow || !isBare(cell, cells) ? [] : [bare(cell)];
}

function isWhole({ folded: text }: Cell, label: RegExp): boolean {
  const match = label.exec(text);
  return match !== null && match[0].length === text.length;
}

/** Nothing to its right except another label, and nothing below it; in a column of labels, the next label may be below. */
function isBare(cell: Cell, cells: readonly Cell[]): boolean {
  const { box, line, next } = cell;
  if (next !== undefined && !isLabel(next)) return false;
  const size = line.fontSize;
  const column = cells.filter((other) => isNear(other, cell) && isLabel(other) && Math.abs(other.box.x - box.x) < EDGE);
  return !cells.some(
    (other) =>
      other.line.page === line.page &&
      other.box.y > box.y + 0.5 * size &&
      other.box.y - box.y < BELOW * size &&
      other.box.x < box.x + box.width + size &&
      other.box.x + other.box.width > box.x - size &&
      !(column.length >= SIBLINGS && column.includes(other)),
  );
}

function isNear(cell: Cell, { box, line }: Cell): boolean {
  return cell.line.page === line.page && Math.abs(cell.box.y - box.y) < BLOCK * line.fontSize;
}

/** Words that are followed by a value. */
function isLabel(cell: Cell): boolean {
  return isLabelLike(cell) && cell.next !== undefined && !isLabelLike(cell.next);
}

function isLabelLike({ text }: Cell): boolean {
  return text.length <= MAX_LABEL_LENGTH && /\p{L}{3}/u.test(text) && !/\d/.test(text);
}

function bare({ text, line: { page }, box }: Cell): BareLabel {
  return { label: text, page, box };
}

function cellsOf(line: WordLine): Cell[] {
  let start = 0;
  const cells = line.text.split('\t').map((text): Cell => {
    const box = boxWithin(line, start, start + text.length);
    start += text.length + 1;
    return { text, folded: folded(text).replace(/(?<![\s:.])[\s:.]+$/, ''), box, line, next: undefined };
  });
  for (const [index, cell] of cells.entries()) cell.next = cells[index + 1];
  return cells;
}
