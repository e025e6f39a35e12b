import type { Movement } from '../data/statement.ts';
import type { Pen } from '../drawing.ts';
import { drawTable, type Row } from './page.ts';
import { bound, drawAccount, drawAddress, drawFooter, type StatementStage, textOf } from './statement-parts.ts';

/** Credits and debits in separate lists, each with its sum, as printed by banks in the United States. */
export function drawSections(pen: Pen, stage: StatementStage): void {
  const { statement, words, bare } = stage;
  const section = (title: string, movements: Movement[], total: string): Row[] => [
    { cells: [undefined, { text: title, style: { face: 'sans-bold', size: 10 } }] },
    ...movements.map((movement) => sectionRow(stage, movement)),
    {
      cells: [
        undefined,
        { text: total, style: { face: 'sans-bold' } },
        { text: bare(sumOf(movements)), style: { face: 'sans-bold' } },
      ],
    },
    { cells: [] },
  ];
  const into = statement.movements.filter(({ amount }) => amount >= 0);
  const out = statement.movements.filter(({ amount }) => amount < 0);
  const rows = [...section(words.credit, into, words.totalCredit), ...section(words.debit, out, words.totalDebit)];
  drawTable(pen, rows, {
    columns: [
      { x: 50, width: 60, align: 'left', title: words.date },
      { x: 120, width: 320, align: 'left', title: words.text },
      { x: 545, width: 80, align: 'right', title: words.amount },
    ],
    style: { size: 8.5, face: 'sans' },
    lineHeight: 13,
    tops: [310, 100],
    bottom: 770,
    head: undefined,
    ruled: false,
    onSheet: (sheet, number) => {
      sheet.text(50, 45, statement.bank.toUpperCase(), { size: 15, face: 'sans-bold', colour: [0.1, 0.1, 0.5] });
      drawFooter(sheet, stage, number);
      if (number > 1) return;
      drawAddress(sheet, stage, 50, 110);
      drawAccount(sheet, stage, 320, 110, 95);
      summary(sheet, stage, sumOf(into), sumOf(out));
    },
  });
}

function sectionRow({ bare, day }: StatementStage, movement: Movement): Row {
  const { first, ...further } = textOf(movement, 1);
  return { cells: [{ text: day(movement.date) }, first, bound('amount', bare(movement.amount))], ...further };
}

function summary(pen: Pen, { statement, words, signed, bare }: StatementStage, into: number, out: number): void {
  pen.rect(45, 175, 505, 78, [0.94, 0.94, 0.98]);
  const lines = [
    [words.opening, signed(statement.opening)],
    [words.totalCredit, bare(into)],
    [words.totalDebit, `-${bare(out)}`],
    [words.closing, signed(statement.closing)],
  ];
  lines.forEach(([label = '', value = ''], index) => {
    pen.text(55, 192 + index * 17, label, { size: 9.5 });
    if (index === 0 || index === 3)
      pen.target('balance', true, 540, 192 + index * 17, value, { size: 9.5, align: 'right' });
    else pen.text(540, 192 + index * 17, value, { size: 9.5, align: 'right' });
  });
}

function sumOf(movements: readonly Movement[]): number {
  return Math.abs(movements.reduce((total, { amount }) => total + amount, 0));
}
