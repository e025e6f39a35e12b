import type { PayItem } from '../data/payslip.ts';
import type { Pen } from '../drawing.ts';
import { drawAccountLine, drawPeople, type PayslipStage } from './payslip-parts.ts';

/** Basis, rate, and the employee's and employer's share of every contribution, as in France and Italy. */
export function drawRates(pen: Pen, stage: PayslipStage): void {
  const { payslip, words, money } = stage;
  drawPeople(pen, stage, 64, 'sans');
  const size = { size: 8 } as const;
  const right = { ...size, align: 'right' } as const;
  const bold = { ...right, face: 'sans-bold' } as const;
  const columns = [250, 320, 420, 530];
  let y = 190;
  pen.rect(45, y - 11, 505, 16, [0.88, 0.88, 0.93]);
  pen.text(55, y, words.item, { ...size, face: 'sans-bold' });
  [words.basis, words.rate, words.amount, words.employerShare].forEach((title, index) => {
    pen.text(columns[index] ?? 0, y, title, bold);
  });
  for (const { name, amount } of payslip.earnings) {
    y += 14;
    pen.text(55, y, name, size);
    pen.target('amount', true, 420, y, money(amount), right);
  }
  y += 18;
  pen.text(55, y, words.gross, { ...size, face: 'sans-bold' });
  pen.target('gross', true, 420, y, money(payslip.gross), bold);
  payslip.deductions.forEach((item, index) => {
    y += index === 0 ? 18 : 14;
    drawContribution(pen, stage, item, y);
  });
  y += 18;
  pen.text(55, y, words.deductions, { ...size, face: 'sans-bold' });
  pen.text(420, y, money(payslip.deducted), bold);
  pen.rect(45, y + 14, 505, 20, [0.93, 0.95, 0.93]);
  pen.text(55, y + 28, words.net, { face: 'sans-bold', size: 10 });
  pen.target('net', true, 420, y + 28, money(payslip.net), { ...bold, size: 10 });
  drawAccountLine(pen, stage, y + 60, size);
}

function drawContribution(pen: Pen, { payslip, money }: PayslipStage, { name, amount }: PayItem, y: number): void {
  const style = { size: 8, align: 'right' } as const;
  const rate = ((100 * amount) / payslip.gross).toFixed(2).replace('.', payslip.locale.decimal);
  pen.text(55, y, name, { size: 8 });
  pen.text(250, y, money(payslip.gross), style);
  pen.text(320, y, rate, style);
  pen.target('amount', true, 420, y, money(amount), style);
  pen.text(530, y, money(Math.round(amount * 1.3)), style);
}

/** Adds reimbursed expenses after the net, so that the payout exceeds the net, as in Germany. */
export function drawPayout(pen: Pen, stage: PayslipStage): void {
  const { payslip, words, money } = stage;
  drawPeople(pen, stage, 70, 'sans');
  const expenses = Math.round(payslip.gross * 0.031);
  let y = 200;
  const line = (
    label: string,
    text: string,
    name?: 'amount' | 'gross' | 'net',
    face: 'sans' | 'sans-bold' = 'sans',
  ) => {
    pen.text(60, y, label, { face });
    if (name) pen.target(name, true, 500, y, text, { face, align: 'right' });
    else pen.text(500, y, text, { face, align: 'right' });
    y += 15;
  };
  for (const { name, amount } of payslip.earnings) line(name, money(amount), 'amount');
  line(words.gross, money(payslip.gross), 'gross', 'sans-bold');
  y += 8;
  for (const { name, amount } of payslip.deductions) line(name, `-${money(amount)}`, 'amount');
  line(words.deductions, `-${money(payslip.deducted)}`);
  line(words.net, money(payslip.net), 'net', 'sans-bold');
  y += 8;
  line(words.expenses, money(expenses));
  line(words.paid, money(payslip.net + expenses), undefined, 'sans-bold');
  drawAccountLine(pen, stage, y + 30);
}
