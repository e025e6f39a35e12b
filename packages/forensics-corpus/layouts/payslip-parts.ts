import type { Payslip } from '../data/payslip.ts';
import type { PayslipWords } from '../data/words.ts';
import type { Face, Pen, TextStyle } from '../drawing.ts';

/** Parts shared by the payslip layouts. */
export interface PayslipStage {
  payslip: Payslip;
  words: PayslipWords;
  money(cents: number): string;
  /** As in `January 2024`. */
  month: string;
  day(date: Date): string;
  employee: string;
  /** The style of personal data, where a form prints it in another typeface. */
  own: TextStyle;
}

export function drawPeople(pen: Pen, stage: PayslipStage, y: number, face: Face): void {
  const { payslip, words, month, day, employee, own } = stage;
  pen.text(50, y, payslip.employer, { size: 14, face });
  pen.text(545, y, words.title, { size: 12, face, align: 'right' });
  pen.text(545, y + 16, `${words.month}: ${month}`, { face, align: 'right' });
  pen.text(50, y + 40, words.employee, { face });
  const value = { face, ...own };
  pen.target('name', false, 150, y + 40, employee, value);
  pen.text(150, y + 53, `${payslip.employee.street}, ${payslip.employee.city}`, value);
  pen.text(330, y + 70, words.born, { face });
  pen.target('date', false, 440, y + 70, day(payslip.employee.born), value);
  pen.text(50, y + 70, words.number, { face });
  pen.text(150, y + 70, payslip.number, value);
  pen.text(50, y + 83, words.taxClass, { face });
  pen.text(150, y + 83, payslip.taxClass, value);
}

export function drawAccountLine(
  pen: Pen,
  { payslip, words, day, own }: PayslipStage,
  y: number,
  style: TextStyle = {},
): void {
  const value = { ...style, ...own };
  pen.text(50, y, words.paid, style);
  pen.text(150, y, day(payslip.payday), value);
  pen.target('iban', payslip.locale.tag !== 'en-US', 230, y, payslip.account, value);
}
