import { ibanOf } from '../data/iban.ts';
import { statementOf } from '../data/statement.ts';
import type { Pen } from '../drawing.ts';
import { drawTable, type Row } from './page.ts';
import { bound, drawAccount, drawAddress, drawFooter, type StatementStage, textOf } from './statement-parts.ts';

/** Two accounts of one person, one below the other, each with its own balances. */
export function drawAccounts(pen: Pen, stage: StatementStage): void {
  const { statement, words, random, signed } = stage;
  const own = random.fork('savings');
  const savings = {
    ...statementOf(statement.locale, own, own.integer(3, 7)),
    account: ibanOf(statement.locale.country, own),
  };
  const rows = (part: StatementStage['statement'], title: string): Row[] => [
    { cells: [undefined, { text: title, style: { face: 'sans-bold' } }] },
    { cells: [undefined, { text: words.opening }, undefined, { text: signed(part.opening) }] },
    ...part.movements.map((movement) => row(stage, movement)),
    { cells: [undefined, { text: words.closing }, undefined, { text: signed(part.closing) }] },
    { cells: [] },
  ];
  drawTable(pen, [...rows(statement, words.title), ...rows(savings, `${words.savings} ${savings.account}`)], {
    columns: [
      { x: 50, width: 60, align: 'left', title: words.date },
      { x: 120, width: 250, align: 'left', title: words.text },
      { x: 455, width: 70, align: 'right', title: words.amount },
      { x: 545, width: 70, align: 'right', title: words.balance },
    ],
    style: { size: 8.5, face: 'sans' },
    lineHeight: 13.5,
    tops: [240, 90],
    bottom: 775,
    head: [0.93, 0.9, 0.85],
    ruled: false,
    onSheet: (sheet, number) => {
      sheet.text(50, 50, statement.bank, { size: 15, face: 'serif-bold' });
      drawFooter(sheet, stage, number);
      if (number > 1) return;
      drawAddress(sheet, stage, 50, 110);
      drawAccount(sheet, stage, 320, 110, 90);
    },
  });
}

function row({ signed, day }: StatementStage, movement: StatementStage['statement']['movements'][number]): Row {
  const { first, ...further } = textOf(movement, 1);
  const amount = bound('amount', signed(movement.amount));
  return {
    cells: [{ text: day(movement.date) }, first, amount, bound('balance', signed(movement.balance))],
    ...further,
  };
}
