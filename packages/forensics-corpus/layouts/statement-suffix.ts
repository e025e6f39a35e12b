import type { Pen } from '../drawing.ts';
import { drawTable } from './page.ts';
import { bound, drawAccount, drawAddress, drawFooter, type StatementStage, textOf } from './statement-parts.ts';

/** Letters after the amount mark debit or credit, and only the opening and closing balance are printed. */
export function drawSuffix(pen: Pen, stage: StatementStage): void {
  const { statement, words, bare, day } = stage;
  const [out, into] = suffixes[statement.locale.tag] ?? ['DR', 'CR'];
  const lettered = (cents: number) => `${bare(cents)} ${cents < 0 ? out : into}`;
  const rows = statement.movements.map((movement) => {
    const { first, ...further } = textOf(movement, 1);
    const cells = [{ text: day(movement.date) }, first, { text: day(movement.valueDate) }];
    return { cells: [...cells, bound('amount', lettered(movement.amount))], ...further };
  });
  const end = drawTable(pen, rows, {
    columns: [
      { x: 60, width: 60, align: 'left', title: words.date },
      { x: 130, width: 230, align: 'left', title: words.text },
      { x: 380, width: 70, align: 'left', title: words.valueDate },
      { x: 535, width: 80, align: 'right', title: `${words.amount} ${statement.locale.currency}` },
    ],
    style: { size: 9, face: 'mono' },
    lineHeight: 13,
    tops: [290, 120],
    bottom: 740,
    head: undefined,
    ruled: false,
    onSheet: (sheet, number) => {
      sheet.text(60, 60, statement.bank, { size: 14, face: 'sans-bold', colour: [0.8, 0, 0] });
      sheet.text(535, 60, `${words.title} ${statement.number}`, { size: 9, align: 'right' });
      drawFooter(sheet, stage, number);
      if (number > 1) return;
      drawAddress(sheet, stage, 60, 130);
      drawAccount(sheet, stage, 60, 210, 90, { face: 'mono' });
      sheet.text(130, 265, words.opening, { face: 'mono' });
      sheet.target('balance', true, 535, 265, lettered(statement.opening), { face: 'mono', align: 'right' });
    },
  });
  pen.rule(60, end - 2, 475);
  pen.text(130, end + 14, words.closing, { face: 'mono-bold' });
  pen.target('balance', true, 535, end + 14, lettered(statement.closing), { face: 'mono-bold', align: 'right' });
}

const suffixes: Partial<Record<string, [string, string]>> = { de: ['S', 'H'], it: ['D', 'A'], es: ['D', 'H'] };
