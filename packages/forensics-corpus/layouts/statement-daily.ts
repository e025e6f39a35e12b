import type { Pen } from '../drawing.ts';
import { drawTable } from './page.ts';
import {
  bound,
  drawAccount,
  drawAddress,
  drawAside,
  drawFooter,
  type StatementStage,
  textOf,
} from './statement-parts.ts';

/** Prints the date once a day, and the balance after the day's last movement. */
export function drawDaily(pen: Pen, stage: StatementStage): void {
  const { statement, words, bare, signed, day } = stage;
  const { movements } = statement;
  const rows = movements.map((movement, index) => {
    const { first, ...further } = textOf(movement, 1);
    const begins = movements[index - 1]?.date.getTime() !== movement.date.getTime();
    const ends = movements[index + 1]?.date.getTime() !== movement.date.getTime();
    const amount = bound('amount', bare(movement.amount));
    const [out, into] = movement.amount < 0 ? [amount, undefined] : [undefined, amount];
    const date = begins ? { text: day(movement.date) } : undefined;
    const balance = ends ? bound('balance', signed(movement.balance)) : undefined;
    return { cells: [date, first, out, into, balance], ...further };
  });
  const before = {
    cells: [undefined, { text: words.brought }, undefined, undefined, { text: signed(statement.opening) }],
  };
  const after = {
    cells: [undefined, { text: words.carried }, undefined, undefined, { text: signed(statement.closing) }],
  };
  const end = drawTable(pen, [before, ...rows, after], {
    columns: [
      { x: 55, width: 60, align: 'left', title: words.date },
      { x: 120, width: 200, align: 'left', title: words.text },
      { x: 400, width: 70, align: 'right', title: words.debit },
      { x: 472, width: 70, align: 'right', title: words.credit },
      { x: 545, width: 70, align: 'right', title: words.balance },
    ],
    style: { size: 8, face: 'sans' },
    lineHeight: 12.5,
    tops: [280, 100],
    bottom: 775,
    head: [0.85, 0.9, 0.85],
    ruled: false,
    onSheet: (sheet, number) => {
      sheet.text(545, 48, statement.bank, { size: 17, face: 'serif-bold', align: 'right', colour: [0, 0.35, 0.2] });
      drawFooter(sheet, stage, number);
      if (number > 1) return;
      drawAddress(sheet, stage, 55, 110);
      drawAccount(sheet, stage, 340, 110, 75, { size: 8 });
      summary(sheet, stage);
    },
  });
  drawAside(pen, stage, end, { size: 8 });
}

function summary(pen: Pen, { statement, words, bare, signed }: StatementStage): void {
  const sum = (sign: number) =>
    statement.movements.reduce((total, { amount }) => total + Math.max(0, amount * sign), 0);
  const lines = [
    [words.opening, signed(statement.opening)],
    [words.totalCredit, bare(sum(1))],
    [words.totalDebit, bare(sum(-1))],
    [words.closing, signed(statement.closing)],
  ];
  lines.forEach(([label = '', value = ''], index) => {
    pen.text(340, 170 + index * 13, label, { size: 8 });
    pen.text(545, 170 + index * 13, value, { size: 8, align: 'right' });
  });
}
