import type { PayItem } from '../data/payslip.ts';
import type { Pen } from '../drawing.ts';
import { drawAccountLine, drawPeople, type PayslipStage } from './payslip-parts.ts';

/** Earnings on the left, deductions on the right, as in Britain and the United States. */
export function drawBeside(pen: Pen, stage: PayslipStage): void {
  const { payslip, words, money } = stage;
  drawPeople(pen, stage, 80, 'sans');
  const top = 215;
  pen.rect(45, top - 14, 505, 18, [0.15, 0.3, 0.3]);
  pen.text(55, top - 2, words.earnings, { face: 'sans-bold', colour: [1, 1, 1] });
  pen.text(310, top - 2, words.deductions, { face: 'sans-bold', colour: [1, 1, 1] });
  drawItems(pen, stage, payslip.earnings, 55, 285, top + 18);
  drawItems(pen, stage, payslip.deductions, 310, 545, top + 18);
  const bottom = top + 140;
  pen.rule(45, bottom - 13, 505);
  pen.text(55, bottom, words.gross, { face: 'sans-bold' });
  pen.target('gross', true, 285, bottom, money(payslip.gross), { face: 'sans-bold', align: 'right' });
  pen.text(310, bottom, words.deductions, { face: 'sans-bold' });
  pen.text(545, bottom, money(payslip.deducted), { face: 'sans-bold', align: 'right' });
  pen.text(310, bottom + 28, words.net, { face: 'sans-bold', size: 12 });
  pen.target('net', true, 545, bottom + 28, money(payslip.net), { face: 'sans-bold', size: 12, align: 'right' });
  drawAccountLine(pen, stage, bottom + 60, { size: 8 });
}

function drawItems(
  pen: Pen,
  { money }: PayslipStage,
  items: readonly PayItem[],
  left: number,
  right: number,
  top: number,
) {
  items.forEach(({ name, amount }, index) => {
    pen.text(left, top + index * 16, name);
    pen.target('amount', true, right, top + index * 16, money(amount), { align: 'right' });
  });
}

/** A boxed form in a typewriter font, as printed by payroll computing centres. */
export function drawForm(pen: Pen, stage: PayslipStage): void {
  const { payslip, words, money, month, day, employee } = stage;
  const mono = { face: 'mono', size: 9 } as const;
  const number = { ...mono, align: 'right' } as const;
  pen.text(50, 60, `${words.title.toUpperCase()}  ${month}`, { face: 'mono-bold', size: 11 });
  pen.text(50, 78, payslip.employer, mono);
  pen.text(330, 78, `${words.number} ${payslip.number}`, mono);
  pen.target('name', false, 50, 110, employee, mono);
  pen.text(50, 122, payslip.employee.street, mono);
  pen.text(50, 134, payslip.employee.city, mono);
  pen.text(330, 110, words.born, mono);
  pen.target('date', false, 545, 110, day(payslip.employee.born), number);
  const row = (y: number, code: string, { name, amount }: Pick<PayItem, 'name' | 'amount'>) => {
    pen.text(55, y, code, mono);
    pen.text(95, y, name, mono);
    pen.target('amount', true, 535, y, money(amount), number);
  };
  let y = 190;
  pen.rect(45, y - 24, 505, 14, [0.85, 0.85, 0.85]);
  pen.text(95, y - 14, words.item, { ...mono, face: 'mono-bold' });
  pen.text(535, y - 14, words.amount, { ...number, face: 'mono-bold' });
  payslip.earnings.forEach((item, index) => {
    y += 13;
    row(y, String(100 + index * 10), item);
  });
  y += 20;
  pen.text(95, y, words.gross, { ...mono, face: 'mono-bold' });
  pen.target('gross', true, 535, y, money(payslip.gross), { ...number, face: 'mono-bold' });
  payslip.deductions.forEach((item, index) => {
    y += index === 0 ? 26 : 13;
    row(y, String(500 + index * 10), item);
  });
  y += 20;
  pen.text(95, y, words.deductions, { ...mono, face: 'mono-bold' });
  pen.text(535, y, money(payslip.deducted), { ...number, face: 'mono-bold' });
  pen.rect(300, y + 10, 250, 22, [0.9, 0.9, 0.8]);
  pen.text(310, y + 25, words.net, { ...mono, face: 'mono-bold' });
  pen.target('net', true, 535, y + 25, money(payslip.net), { ...number, face: 'mono-bold' });
  drawAccountLine(pen, stage, y + 60, mono);
}
