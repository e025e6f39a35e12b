import { cached } from '../../cached.ts';
import type { Box, Page } from '../../model.ts';
import { type Amount, amountsIn } from '../amounts.ts';
import { BALANCE, CARRIED, CLOSING, DATE, folded, OPENING } from '../labels.ts';
import { pageLabels } from '../page-labels.ts';
import { boxWithin, type WordLine, wordLines } from '../words.ts';
import { type Booking, type Chain, chainOf, type Step, TOLERANCE } from './chain.ts';
import { areAligned } from './columns.ts';
import { isDatedRow } from './rows.ts';

/** A list of bookings with its running balance. */
export interface Statement {
  /** From top to bottom, without rows that are no bookings. */
  steps: Step[];
  newestFirst: boolean;
  /** The number of steps that add up. */
  reconciled: number;
  /** Steps that fail without an explanation in the document. */
  faults: Fault[];
  /** Every booking, if nothing was skipped between the first balance and the last. */
  bookings: Booking[] | undefined;
}

/** An amount that does not lead from one balance to the next, or a balance that fits neither its predecessor nor its successor. */
export type Fault =
  | { kind: 'booking'; step: Step; earlier: Step | undefined }
  | { kind: 'balance'; balance: Amount; expected: number };

const PAGES_APART = 12;
const MIN_STEPS = 6;
/** With this many bookings, one step fewer suffices. */
const MIN_ROWS = 8;
const MIN_SHARE = 0.83;
const DATED_SHARE = 0.8;
/** Per page; one changed balance alone makes two steps bad. */
const GOOD_FOR_A_BAD = 1.5;
const ASIDE = 0.25;
const MORE = 1.3;
const UNCOUNTED_SHARE = 0.3;

/** The statement across all pages, or else those of single pages. */
export const statementsOf: (pages: readonly Page[]) => readonly Statement[] = cached(readStatements);

function readStatements(pages: readonly Page[]): readonly Statement[] {
  const whole = statementOf(wordLines(pages));
  if (whole !== undefined || pages.length === 1) return whole === undefined ? [] : [whole];
  return pages.slice(0, PAGES_APART).flatMap((page) => statementOf(wordLines([page])) ?? []);
}

/** The statement in the lines if nearly all of it adds up; undefined otherwise. */
export function statementOf(lines: readonly WordLine[]): Statement | undefined {
  const amounts = amountsIn(lines);
  const chain = chainOf(amounts);
  if (chain === undefined) return undefined;
  const all = withoutAsides(chain.steps);
  const steps = onPagesThatComeOut(all);
  const { faults, left } = faultsOf(steps, chain, new Surroundings(lines, amounts, steps));
  // A balance that fits neither neighbour leaves one valid step, from the balance before it to the one after.
  const balances = faults.filter(({ kind }) => kind === 'balance').length;
  const comeOut = steps.filter(({ error, booked }) => error === 0 && booked.length > 0);
  const good = comeOut.length;
  const rows = comeOut.reduce((sum, { booked }) => sum + booked.length, 0);
  const bad = steps.filter(({ error, booked }) => error !== 0 && booked.length > 0).length;
  const reconciled = good + balances;
  const isShort = reconciled < MIN_STEPS && (reconciled < MIN_STEPS - 1 || rows < MIN_ROWS);
  if (isShort || good / (good + bad - balances) < MIN_SHARE) return undefined;
  const { newestFirst, oldest } = chain;
  const isWhole = oldest !== undefined && steps.length === all.length && left === 0 && faults.length === 0;
  const bookings = isWhole ? [...oldest, ...steps.flatMap(({ booked }) => booked)] : undefined;
  return { steps, newestFirst, reconciled, faults, bookings };
}

/** Without pages of another document, whose figures share the positions by chance. */
function onPagesThatComeOut(steps: readonly Step[]): Step[] {
  const pages = Map.groupBy(steps, ({ to }) => to.line.page);
  return [...pages.values()].flatMap((onPage) => {
    const good = onPage.filter(({ error, booked }) => error === 0 && booked.length > 0).length;
    // No booking leads to a balance in a summary, so it is weaker evidence.
    const bad = onPage.reduce((sum, { error, booked }) => sum + (error === 0 ? 0 : booked.length > 0 ? 1 : ASIDE), 0);
    const isOnlyFirst = bad === 1 && onPage.some((step) => step.error !== 0 && isOfTwoPages(step));
    return bad === 0 || good >= (isOnlyFirst ? 1 : GOOD_FOR_A_BAD) * bad ? onPage : [];
  });
}

/** Whether the bookings of a day continue on the page: there the first has no date of its own. */
function isOfTwoPages({ from, to, booked }: Step): boolean {
  const first = booked.find(({ amount }) => amount.line.page === to.line.page);
  return from.line.page !== to.line.page && first !== undefined && !isDatedRow(first.amount.line);
}

/** Without balances in the column that belong to no booking, such as an available balance. */
function withoutAsides(steps: readonly Step[]): Step[] {
  const kept: Step[] = [];
  for (const step of steps) {
    const last = kept.at(-1);
    if (last !== undefined && last.error !== 0 && step.error !== 0 && isAside(last, step)) {
      const [from, to] = last.to === step.from ? [last.from, step.to] : [step.from, last.to];
      kept[kept.length - 1] = { from, to, booked: [...last.booked, ...step.booked], error: last.error + step.error };
    } else kept.push(step);
  }
  return kept;
}

function isAside(one: Step, other: Step): boolean {
  const { line } = one.to === other.from ? one.to : one.from;
  if (OPENING.test(folded(line.text))) return false;
  return [...one.booked, ...other.booked].every(({ amount }) => amount.line !== line);
}

/** `left` counts the failing steps that may have an honest reason. */
function faultsOf(steps: readonly Step[], { newestFirst }: Chain, around: Surroundings) {
  const faults: Fault[] = [];
  let left = 0;
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index];
    if (step === undefined || step.error === 0) continue;
    const next = steps[index + 1];
    if (next !== undefined && step.error + next.error === 0 && next.booked.length > 0 && step.booked.length > 0) {
      const later = newestFirst ? next : step;
      faults.push({ kind: 'balance', balance: later.to, expected: later.to.cents - later.error });
      index++;
    } else if (around.explains(step)) left++;
    else faults.push({ kind: 'booking', step, earlier: newestFirst ? next : steps[index - 1] });
  }
  return { faults, left };
}

/** The context of the steps, which may explain why one fails. */
class Surroundings {
  readonly #lines: readonly WordLine[];
  readonly #places: Map<WordLine, number>;
  readonly #amounts = new Map<WordLine, Amount[]>();
  readonly #labels: Map<number, number>;
  readonly #isDated: boolean;
  readonly #hasUndatedRows: boolean;
  readonly #usualGap: number;
  /** The places of the balances. */
  readonly #balances: ReadonlySet<Box>;
  /** Whether amounts that change no balance are usual, such as those in a foreign currency. */
  readonly #hasUncounted: boolean;

  constructor(lines: readonly WordLine[], amounts: readonly Amount[], steps: readonly Step[]) {
    this.#lines = lines;
    this.#places = new Map(lines.map((line, index) => [line, index]));
    for (const amount of amounts) this.#amounts.set(amount.line, [...(this.#amounts.get(amount.line) ?? []), amount]);
    this.#labels = pageLabels(lines);
    this.#balances = new Set(steps.flatMap(({ from, to }) => [from.box, to.box]));
    const good = steps.filter(({ error, booked }) => error === 0 && booked.length > 0);
    this.#isDated = good.filter((step) => isDatedRow(step.to.line)).length >= DATED_SHARE * good.length;
    const uncounted = good.filter((step) => this.#uncountedInRows(step) > 0);
    this.#hasUncounted = uncounted.length >= UNCOUNTED_SHARE * good.length;
    const onOnePage = good.filter(({ from, to }) => from.line.page === to.line.page);
    this.#usualGap = Math.max(0, ...onOnePage.map((step) => this.#widestGap(step)));
    this.#hasUndatedRows = good.some((step) => this.#between(step).some((line) => this.#isRowWithoutAmount(line)));
  }

  /** Whether there may be an honest reason: an unread row, another account, a missing page, a fee. */
  explains(step: Step): boolean {
    const { booked } = step;
    const [booking] = booked;
    if (booking === undefined) return true;
    const rows = booked.map(({ amount }) => amount.line);
    if (this.#isDated && !rows.some(isDatedRow)) return true;
    const between = this.#between(step);
    const isSamePage = step.from.line.page === step.to.line.page;
    if (!isSamePage && !this.#isNextPage(step)) return true;
    // The opening balance may be apart from the rows.
    const mayBeMissing = isDatedRow(step.from.line) && this.#widestGap(step) > MORE * this.#usualGap;
    if (isSamePage && (between.some(isBoundary) || mayBeMissing)) return true;
    if (hasOpenSign(step)) return true;
    // A lost sign causes a difference of twice the amount.
    if (booked.some(({ cents }) => Math.abs(step.error) === 2 * Math.abs(cents))) return true;
    if (!this.#hasUndatedRows && between.some((line) => this.#isRowWithoutAmount(line))) return true;
    // A row with an uncounted amount is not understood if other rows have none.
    const isMore = !this.#hasUncounted && this.#uncountedInRows(step) > 0;
    return (
      isMore ||
      between.some((line) => this.#isBookingOfAnother(line, step)) ||
      [...rows, ...between].some((line) => this.#mayHoldMore(line, step))
    );
  }

  /** A fee or foreign amount that explains the difference, another currency, or unreadable figures. */
  #mayHoldMore(line: WordLine, step: Step): boolean {
    const { booked, from, error } = step;
    const others = this.#uncounted(line, step);
    const isMadeUp = others.some(({ cents }) => Math.abs(cents) === Math.abs(error));
    const currencies = booked.flatMap(({ amount }) => (amount.line === line ? (amount.currency ?? []) : []));
    const isForeign = from.currency !== undefined && currencies.some((currency) => currency !== from.currency);
    return isMadeUp || isForeign || line.text.includes('\ufffd') || this.#hasFigureBelow(line, booked[0]?.amount);
  }

  #uncountedInRows(step: Step): number {
    const rows = new Set([step.to.line, ...step.booked.map(({ amount }) => amount.line)]);
    return [...rows].reduce((count, line) => count + this.#uncounted(line, step).length, 0);
  }

  #uncounted(line: WordLine, { booked }: Step): Amount[] {
    const counted = new Set(booked.map(({ amount }) => amount));
    const inLine = this.#amounts.get(line) ?? [];
    return inLine.filter((amount) => amount.cents !== 0 && !counted.has(amount) && !this.#balances.has(amount.box));
  }

  /** Digits in the position of the amounts that do not form an amount: perhaps one that was not understood. */
  #hasFigureBelow(line: WordLine, amount: Amount | undefined): boolean {
    if (amount === undefined) return false;
    const read = this.#amounts.get(line) ?? [];
    return line.words.some((word) => {
      const end = word.start + word.text.length;
      if (!/\d[.,']?\d/.test(word.text) || read.some((one) => one.start < end && one.end > word.start)) return false;
      const { x, width } = boxWithin(line, word.start, end);
      return Math.abs(x + width - amount.box.x - amount.box.width) < 0.5 * line.fontSize;
    });
  }

  #between({ from, to }: Step): WordLine[] {
    const [one = 0, other = 0] = [this.#places.get(from.line), this.#places.get(to.line)];
    return this.#lines.slice(Math.min(one, other) + 1, Math.max(one, other));
  }

  /** In points, between lines: an unread row leaves a larger gap than usual. */
  #widestGap(step: Step): number {
    const rows = [step.from.line, step.to.line, ...this.#between(step)]
      .map(({ box }) => box.y + box.height)
      .sort((a, b) => a - b);
    return Math.max(0, ...rows.slice(1).map((bottom, index) => bottom - (rows[index] ?? bottom)));
  }

  /** Whether a line between has an amount in the column of the bookings, whose balance may stand where it was not recognised. */
  #isBookingOfAnother(line: WordLine, step: Step): boolean {
    return this.#uncounted(line, step).some((other) => step.booked.some(({ amount }) => areAligned(amount, other)));
  }

  #isRowWithoutAmount(line: WordLine): boolean {
    return isDatedRow(line) && !this.#amounts.has(line);
  }

  #isNextPage({ from, to }: Step): boolean {
    const [one, other] = [this.#labels.get(from.line.page), this.#labels.get(to.line.page)];
    return one !== undefined && other !== undefined && one - other === from.line.page - to.line.page;
  }
}

/** Whether it adds up if balances without a minus are negative. */
function hasOpenSign({ from, to, error }: Step): boolean {
  const [before, after] = [from, to].map(({ cents, isOpen }) => (isOpen ? [0, 2 * cents] : [0]));
  return before?.some((more) => after?.some((less) => Math.abs(error + more - less) <= TOLERANCE)) === true;
}

/** Where another list may begin. */
function isBoundary({ text }: WordLine): boolean {
  const words = folded(text);
  return OPENING.test(words) || CLOSING.test(words) || CARRIED.test(words) || (BALANCE.test(words) && DATE.test(words));
}
