import type { Statement } from '../data/statement.ts';
import { type Drawing, Pen } from '../drawing.ts';
import type { Random } from '../random.ts';
import { drawTable } from './page.ts';
import { drawAccounts } from './statement-accounts.ts';
import { drawApp } from './statement-app.ts';
import { drawDaily } from './statement-daily.ts';
import { drawMainframe } from './statement-mainframe.ts';
import {
  bound,
  drawAccount,
  drawAddress,
  drawAside,
  drawFooter,
  holderName,
  type StatementStage,
  stageOf,
  textOf,
} from './statement-parts.ts';
import { drawSections } from './statement-sections.ts';
import { drawSuffix } from './statement-suffix.ts';

export const statementLayouts = [
  'columns',
  'signed',
  'suffix',
  'daily',
  'sections',
  'app',
  'mainframe',
  'accounts',
] as const;
type StatementLayout = (typeof statementLayouts)[number];

const draw: Record<StatementLayout, (pen: Pen, stage: StatementStage) => void> = {
  columns: drawColumns,
  signed: drawSigned,
  suffix: drawSuffix,
  daily: drawDaily,
  sections: drawSections,
  app: drawApp,
  mainframe: drawMainframe,
  accounts: drawAccounts,
};

export function drawStatement(statement: Statement, layout: StatementLayout, random: Random): Drawing {
  const stage = stageOf(statement, random);
  const pen = new Pen(statement.locale.tag === 'en-US' ? 612 : 595);
  draw[layout](pen, stage);
  return pen.done(`${stage.words.title} ${statement.number}`, statement.locale.western);
}

/** Oldest first, with debit and credit columns, the balance after each booking, carried forward from page to page. */
function drawColumns(pen: Pen, stage: StatementStage): void {
  const { statement, words, bare, signed, day } = stage;
  const { movements, opening } = statement;
  const balanceBefore = (index: number) => movements[index - 1]?.balance ?? opening;
  const rows = movements.map((movement) => {
    const { first, ...further } = textOf(movement, 1);
    const amount = bound('amount', bare(movement.amount));
    const [out, into] = movement.amount < 0 ? [amount, undefined] : [undefined, amount];
    const date = { text: day(movement.date), target: { name: 'date' as const, bound: false } };
    return { cells: [date, first, out, into, bound('balance', signed(movement.balance))], ...further };
  });
  const end = drawTable(pen, rows, {
    columns: [
      { x: 50, width: 60, align: 'left', title: words.date },
      { x: 110, width: 200, align: 'left', title: words.text },
      { x: 390, width: 70, align: 'right', title: words.debit },
      { x: 465, width: 70, align: 'right', title: words.credit },
      { x: 545, width: 70, align: 'right', title: words.balance },
    ],
    style: { size: 8.5, face: 'sans' },
    lineHeight: 14,
    tops: [300, 120],
    bottom: 770,
    head: [0.9, 0.92, 0.95],
    ruled: true,
    carried: (index) => {
      const text = signed(balanceBefore(index));
      const row = (words: string) => ({ cells: [undefined, { text: words }, undefined, undefined, { text }] });
      return [row(words.carried), row(words.brought)];
    },
    onSheet: (sheet, number) => drawColumnsSheet(sheet, stage, number),
  });
  const sum = (sign: number) => movements.reduce((total, { amount }) => total + Math.max(0, amount * sign), 0);
  pen.text(110, end + 10, `${words.totalDebit} ${bare(sum(-1))}   ${words.totalCredit} ${bare(sum(1))}`, { size: 8 });
  pen.text(390, end + 24, words.closing, { size: 9, face: 'sans-bold', align: 'right' });
  pen.text(545, end + 24, signed(statement.closing), { size: 9, face: 'sans-bold', align: 'right' });
  drawAside(pen, stage, end + 34, { size: 8 });
}

function drawColumnsSheet(pen: Pen, stage: StatementStage, number: number): void {
  const { statement, words, signed } = stage;
  pen.rect(0, 0, 612, 60, [0.08, 0.25, 0.45]);
  pen.text(45, 38, statement.bank, { size: 18, face: 'sans-bold', colour: [1, 1, 1] });
  pen.text(550, 38, `${words.title} ${statement.number}`, { size: 11, align: 'right', colour: [1, 1, 1] });
  drawFooter(pen, stage, number);
  if (number > 1) return;
  drawAddress(pen, stage, 50, 130, { size: 10 });
  drawAccount(pen, stage, 330, 130, 70);
  pen.text(110, 270, words.opening, { face: 'sans-bold' });
  pen.text(545, 270, signed(statement.opening), { face: 'sans-bold', align: 'right' });
}

/** Newest first, with one signed column, and the balance after each booking. */
function drawSigned(pen: Pen, stage: StatementStage): void {
  const { statement, words, signed, day } = stage;
  const rows = statement.movements.toReversed().map((movement, index) => {
    const { first, ...further } = textOf(movement, 2);
    const date = { text: day(movement.date), target: { name: 'date' as const, bound: false } };
    const cells = [date, { text: day(movement.valueDate) }, first, bound('amount', signed(movement.amount))];
    const shade = [0.96, 0.96, 0.96] as const;
    return {
      cells: [...cells, bound('balance', signed(movement.balance))],
      ...further,
      ...(index % 2 ? {} : { shade }),
    };
  });
  const end = drawTable(pen, rows, {
    columns: [
      { x: 50, width: 60, align: 'left', title: words.date },
      { x: 108, width: 60, align: 'left', title: words.valueDate },
      { x: 175, width: 220, align: 'left', title: words.text },
      { x: 460, width: 70, align: 'right', title: words.amount },
      { x: 545, width: 70, align: 'right', title: words.balance },
    ],
    style: { size: 9, face: 'serif' },
    lineHeight: 15,
    tops: [260, 90],
    bottom: 780,
    head: undefined,
    ruled: false,
    onSheet: (sheet, number) => {
      drawFooter(sheet, stage, number, { face: 'serif' });
      sheet.text(50, 50, statement.bank, { size: 16, face: 'serif-bold', colour: [0.5, 0.05, 0.1] });
      if (number > 1) return;
      sheet.text(50, 75, words.title, { size: 12, face: 'serif' });
      sheet.text(50, 110, words.holder, { face: 'serif-bold' });
      sheet.target('name', false, 130, 110, holderName(statement), { face: 'serif' });
      drawAccount(sheet, stage, 50, 125, 80, { face: 'serif' });
      const figures: [string, number][] = [
        [words.opening, statement.opening],
        [words.closing, statement.closing],
      ];
      figures.forEach(([label, cents], index) => {
        sheet.text(50, 175 + index * 15, label, { face: 'serif' });
        sheet.text(250, 175 + index * 15, `${signed(cents)} ${statement.locale.currency}`, {
          face: 'serif',
          align: 'right',
        });
      });
    },
  });
  drawAside(pen, stage, end, { face: 'serif' });
}
