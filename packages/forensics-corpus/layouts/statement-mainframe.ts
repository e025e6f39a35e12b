import type { Movement } from '../data/statement.ts';
import type { Pen } from '../drawing.ts';
import { holderName, type StatementStage } from './statement-parts.ts';

const LINE = 11;
const LINES_A_PAGE = 44;
const SIZE = 8.5;
const WIDTHS = { date: 11, text: 34, amount: 15, balance: 16 };

/** Every line is one text in a typewriter font, with columns made of spaces, as printed by legacy mainframe software. */
export function drawMainframe(pen: Pen, stage: StatementStage): void {
  const { statement, words, signed } = stage;
  const { movements } = statement;
  const pages = Math.ceil((movements.length + 1) / LINES_A_PAGE);
  const head = columns(words.date, words.text, words.amount, words.balance);
  for (let page = 0; page < pages; page += 1) {
    drawHead(pen, stage, page + 1, pages);
    const first = page * LINES_A_PAGE;
    const before = movements[first - 1]?.balance ?? statement.opening;
    const write = writer(pen, 190);
    write(head);
    write('-'.repeat(head.length));
    write(columns('', page === 0 ? words.opening : words.brought, '', signed(before)));
    const shown = movements.slice(first, first + LINES_A_PAGE);
    for (const movement of shown) drawMovement(write, stage, movement);
    write('-'.repeat(head.length));
    const last = shown.at(-1)?.balance ?? before;
    write(columns('', page === pages - 1 ? words.closing : words.carried, '', signed(last)));
  }
}

type Write = (line: string, targets?: ['amount' | 'balance', string][]) => void;

function writer(pen: Pen, top: number): Write {
  let y = top;
  return (line, targets = []) => {
    pen.text(50, y, line, { face: 'mono', size: SIZE });
    const mark = pen.marks.length - 1;
    const page = pen.sheets.length;
    for (const [name, text] of targets) pen.targets.push({ name, text, page, bound: true, mark });
    y += LINE;
  };
}

function drawMovement(write: Write, { signed, day }: StatementStage, movement: Movement): void {
  const amount = signed(movement.amount);
  const balance = signed(movement.balance);
  write(columns(day(movement.date), movement.text.join(' '), amount, balance), [
    ['amount', amount],
    ['balance', balance],
  ]);
}

function columns(date: string, text: string, amount: string, balance: string): string {
  const { date: first, text: second, amount: third, balance: fourth } = WIDTHS;
  return `${date.padEnd(first)}${text.slice(0, second - 1).padEnd(second)}${amount.padStart(third)}${balance.padStart(fourth)}`;
}

function drawHead(pen: Pen, { statement, words, day }: StatementStage, page: number, pages: number): void {
  pen.newSheet();
  const line = (index: number, text: string) => pen.text(50, 60 + index * LINE, text, { face: 'mono', size: SIZE });
  const label = (text: string) => text.toUpperCase().padEnd(20);
  line(0, `${statement.bank.toUpperCase().padEnd(50)}${words.page.toUpperCase()} ${page}/${pages}`);
  line(2, `${words.title.toUpperCase()} ${statement.number}`);
  const bound = statement.locale.tag !== 'en-US';
  const targets = [
    ['name', false, words.holder, holderName(statement)],
    ['iban', bound, words.account, statement.account],
  ] as const;
  targets.forEach(([name, isBound, title, value], index) => {
    line(4 + index, `${label(title)}${value}`);
    pen.targets.push({ name, text: value, page, bound: isBound, mark: pen.marks.length - 1 });
  });
  line(6, `${label(words.period)}${day(statement.from)} - ${day(statement.to)}`);
}
