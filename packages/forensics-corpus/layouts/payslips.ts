import { dateText, figure, monthName } from '../data/locale.ts';
import type { Payslip } from '../data/payslip.ts';
import { payslipWords } from '../data/words.ts';
import { type Drawing, type Face, Pen } from '../drawing.ts';
import type { Random } from '../random.ts';
import { drawBeside, drawForm } from './payslip-forms.ts';
import { drawAccountLine, drawPeople, type PayslipStage } from './payslip-parts.ts';
import { drawPayout, drawRates } from './payslip-rates.ts';
import { ownStyle } from './statement-parts.ts';

export const payslipLayouts = ['list', 'beside', 'form', 'statement', 'rates', 'payout'] as const;
type PayslipLayout = (typeof payslipLayouts)[number];

const draw: Record<PayslipLayout, (pen: Pen, stage: PayslipStage) => void> = {
  list: drawList,
  beside: drawBeside,
  form: drawForm,
  statement: drawWithYear,
  rates: drawRates,
  payout: drawPayout,
};

export function drawPayslip(payslip: Payslip, layout: PayslipLayout, random: Random): Drawing {
  const { locale, month, employee } = payslip;
  const words = payslipWords(locale.tag);
  const shownMonth = random.chance(0.5)
    ? `${monthName(month, locale)} ${month.getUTCFullYear()}`
    : dateText(month, 'mm/yyyy');
  const pen = new Pen();
  draw[layout](pen, {
    payslip,
    words,
    money: (cents) => figure(cents, locale),
    month: shownMonth,
    day: (date) => dateText(date, locale.date),
    own: ownStyle(locale, random, 0.2),
    employee: `${employee.given} ${employee.family}`,
  });
  return pen.done(`${words.title} ${shownMonth}`, locale.western);
}

/** One list from top to bottom: earnings, gross, deductions, net. */
function drawList(pen: Pen, stage: PayslipStage): void {
  const { payslip, words, money } = stage;
  drawPeople(pen, stage, 70, 'sans');
  let y = 200;
  const line = (label: string, cents: number, name: 'amount' | 'gross' | 'net' | undefined, face: Face = 'sans') => {
    pen.text(60, y, label, { face });
    if (name) pen.target(name, true, 520, y, money(cents), { face, align: 'right' });
    else pen.text(520, y, money(cents), { face, align: 'right' });
    y += 16;
  };
  pen.text(60, y - 18, words.item, { face: 'sans-bold' });
  pen.text(520, y - 18, words.amount, { face: 'sans-bold', align: 'right' });
  for (const { name, amount } of payslip.earnings) line(name, amount, 'amount');
  pen.rule(60, y - 11, 460);
  line(words.gross, payslip.gross, 'gross', 'sans-bold');
  y += 8;
  for (const { name, amount } of payslip.deductions) line(name, amount, 'amount');
  pen.rule(60, y - 11, 460);
  line(words.deductions, payslip.deducted, undefined, 'sans-bold');
  y += 8;
  pen.rect(55, y - 12, 470, 17, [0.92, 0.92, 0.92]);
  line(words.net, payslip.net, 'net', 'sans-bold');
  drawAccountLine(pen, stage, y + 30);
}

/** With year-to-date totals beside every item. */
function drawWithYear(pen: Pen, stage: PayslipStage): void {
  const { payslip, words, money } = stage;
  drawPeople(pen, stage, 60, 'serif');
  let y = 190;
  const figures = (label: string, now: string, year: string, face: Face, name?: 'amount' | 'gross' | 'net') => {
    pen.text(50, y, label, { face });
    if (name) pen.target(name, true, 400, y, now, { face, align: 'right' });
    else pen.text(400, y, now, { face, align: 'right' });
    pen.text(540, y, year, { face, align: 'right' });
    y += 15;
  };
  const yearOf = (items: readonly { yearToDate: number }[]) =>
    items.reduce((sum, { yearToDate }) => sum + yearToDate, 0);
  const [earned, taken] = [yearOf(payslip.earnings), yearOf(payslip.deductions)];
  figures(words.earnings, words.amount, words.yearToDate, 'serif-bold');
  for (const { name, amount, yearToDate } of payslip.earnings)
    figures(name, money(amount), money(yearToDate), 'serif', 'amount');
  figures(words.gross, money(payslip.gross), money(earned), 'serif-bold', 'gross');
  y += 10;
  for (const { name, amount, yearToDate } of payslip.deductions)
    figures(name, money(amount), money(yearToDate), 'serif', 'amount');
  figures(words.deductions, money(payslip.deducted), money(taken), 'serif-bold');
  y += 10;
  figures(words.net, money(payslip.net), money(earned - taken), 'serif-bold', 'net');
  pen.text(50, y + 14, words.employerShare, { face: 'serif' });
  pen.text(400, y + 14, money(payslip.employerShare), { face: 'serif', align: 'right' });
  drawAccountLine(pen, stage, y + 50, { face: 'serif' });
}
