import type { Pen } from '../drawing.ts';
import { drawTable } from './page.ts';
import { bound, drawAside, drawFooter, holderName, type StatementStage } from './statement-parts.ts';

/** As exported from the apps of online-only banks: spacious, newest first, with signs and the currency beside every figure. */
export function drawApp(pen: Pen, stage: StatementStage): void {
  const { statement, words, bare, day } = stage;
  const { sign, tag } = statement.locale;
  const before = tag === 'en-GB' || tag === 'en-US' || tag === 'nl';
  const money = (cents: number) => (before ? `${sign}${bare(cents)}` : `${bare(cents)} ${sign}`);
  const flow = (cents: number) => `${cents < 0 ? '-' : '+'}${money(cents)}`;
  const rows = statement.movements.toReversed().map((movement) => ({
    cells: [
      { text: movement.text[0] ?? '', style: { face: 'sans-bold' as const } },
      bound('amount', flow(movement.amount)),
      { ...bound('balance', `${movement.balance < 0 ? '-' : ''}${money(movement.balance)}`), style: { size: 8 } },
    ],
    further: { column: 0, text: [day(movement.date), ...movement.text.slice(1)].join('  ') },
  }));
  const end = drawTable(pen, rows, {
    columns: [
      { x: 50, width: 250, align: 'left', title: words.text },
      { x: 440, width: 90, align: 'right', title: words.amount },
      { x: 545, width: 90, align: 'right', title: words.balance },
    ],
    style: { size: 9, face: 'sans' },
    lineHeight: 15,
    tops: [230, 70],
    bottom: 780,
    head: undefined,
    ruled: true,
    onSheet: (sheet, number) => {
      drawFooter(sheet, stage, number);
      if (number > 1) return;
      sheet.rect(45, 40, 26, 26, [0.45, 0.2, 0.9]);
      sheet.text(80, 58, statement.bank, { size: 15, face: 'sans-bold' });
      sheet.target('name', false, 45, 100, holderName(statement), { size: 12 });
      sheet.target('iban', tag !== 'en-US', 45, 116, statement.account, { size: 9, colour: [0.35, 0.35, 0.35] });
      sheet.text(45, 150, words.closing, { size: 9, colour: [0.35, 0.35, 0.35] });
      sheet.text(45, 178, money(statement.closing), { size: 22, face: 'sans-bold' });
      sheet.text(300, 150, words.opening, { size: 9, colour: [0.35, 0.35, 0.35] });
      sheet.text(300, 172, money(statement.opening), { size: 13 });
    },
  });
  drawAside(pen, stage, end, { size: 8 });
}
