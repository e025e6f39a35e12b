import { dateText, figure, type Locale } from '../data/locale.ts';
import type { Movement, Statement } from '../data/statement.ts';
import { type StatementWords, statementWords } from '../data/words.ts';
import type { Pen, TextStyle } from '../drawing.ts';
import type { Random } from '../random.ts';
import type { Cell, Row } from './page.ts';

/** Parts shared by the statement layouts. */
export interface StatementStage {
  statement: Statement;
  words: StatementWords;
  random: Random;
  /** With a minus sign for negative amounts. */
  signed(cents: number): string;
  /** Without a sign. */
  bare(cents: number): string;
  day(date: Date): string;
  /** The style of customer data, where a form prints it in another typeface. */
  own: TextStyle;
  /** The same for the account number alone. */
  ownAccount: TextStyle;
}

export function stageOf(statement: Statement, random: Random): StatementStage {
  const { locale } = statement;
  const pattern = random.chance(0.2) ? locale.date.replace('yyyy', 'yy') : locale.date;
  const trailing = ['de', 'nl'].includes(locale.tag) && random.chance(0.3);
  const own = ownStyle(locale, random, 0.2);
  const ownAccount = { ...own, ...ownStyle(locale, random, 0.05) };
  const bare = (cents: number) => figure(cents, locale);
  const signed = (cents: number) => (cents >= 0 ? bare(cents) : trailing ? `${bare(cents)}-` : `-${bare(cents)}`);
  return {
    statement,
    words: statementWords(locale.tag),
    random,
    signed,
    bare,
    day: (date) => dateText(date, pattern),
    own,
    ownAccount,
  };
}

/** The typewriter's standard font lacks some letters. */
export function ownStyle({ western }: Locale, random: Random, probability: number): TextStyle {
  return western && random.chance(probability) ? { face: random.pick(['mono', 'serif', 'sans'] as const) } : {};
}

export function holderName({ holder }: Statement): string {
  return `${holder.given} ${holder.family}`;
}

/** Name and address in the position of an envelope window, with their targets. */
export function drawAddress(
  pen: Pen,
  { statement, own }: StatementStage,
  x: number,
  y: number,
  form: TextStyle = {},
): void {
  const { holder } = statement;
  const style = { ...form, ...own };
  pen.target('name', false, x, y, holderName(statement), style);
  pen.text(x, y + 13, holder.street, style);
  pen.text(x, y + 26, holder.city, style);
}

/** A label with its value beside it. */
export function drawAccount(
  pen: Pen,
  stage: StatementStage,
  x: number,
  y: number,
  gap: number,
  style: TextStyle = {},
): void {
  const { statement, words, day, own, ownAccount } = stage;
  const bound = statement.locale.tag !== 'en-US';
  pen.text(x, y, words.account, style);
  pen.target('iban', bound, x + gap, y, statement.account, { ...style, ...ownAccount });
  pen.text(x, y + 13, words.period, style);
  pen.text(x + gap, y + 13, `${day(statement.from)} - ${day(statement.to)}`, { ...style, ...own });
}

export function drawFooter(
  pen: Pen,
  { words, statement }: StatementStage,
  number: number,
  style: TextStyle = {},
): void {
  pen.rule(45, 800, 505, [0.6, 0.6, 0.6]);
  pen.text(45, 812, words.footer, { size: 6.5, ...style });
  pen.text(550, 824, `${statement.bank} · ${words.page} ${number}`.replace('·', '-'), {
    size: 6.5,
    ...style,
    align: 'right',
  });
}

/** Pending bookings and the overdraft limit: figures that are part of no sum. */
export function drawAside(
  pen: Pen,
  { statement, words, random, signed, bare }: StatementStage,
  y: number,
  style: TextStyle = {},
): void {
  const { pending } = statement;
  if (y + 14 * (pending.length + 3) > 790) return;
  if (pending.length > 0) pen.text(60, y + 14, words.pending, style);
  pending.forEach(({ text, amount }, index) => {
    pen.text(70, y + 28 + index * 13, text[0] ?? '', style);
    pen.text(480, y + 28 + index * 13, signed(amount), { ...style, align: 'right' });
  });
  if (random.chance(0.3)) pen.text(60, y + 34 + pending.length * 13, `${words.limit} ${bare(250_000)}`, style);
}

/** The first line of a movement's description, and the second below it. */
export function textOf({ text }: Movement, column: number): Pick<Row, 'further'> & { first: Cell } {
  const [first = '', second] = text;
  return { first: { text: first }, ...(second ? { further: { column, text: second } } : {}) };
}

/** A value that must equal the sum of other figures. */
export function bound(name: 'amount' | 'balance', text: string): Cell {
  return { text, target: { name, bound: true } };
}
