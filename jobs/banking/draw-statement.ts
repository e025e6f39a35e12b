import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import {
  type AccountStatement,
  type BankStatement,
  type Booking,
  groupedIban,
  openingCents,
} from '../../core/rules/bank-statement.ts';
import { amount as figure } from '../../core/rules/income-in-words.ts';

/** The page of A4, in points. */
const MARGIN = 50;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 780;
const ROW = 14;
const COLUMNS = { day: MARGIN, text: MARGIN + 70, amount: MARGIN + 330, balance: MARGIN + 415 } as const;
const AMOUNT_WIDTH = 80;
const TEXT_WIDTH = COLUMNS.amount - COLUMNS.text - 8;

const fontFile = (name: string) =>
  fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${name}/NotoSans_${name}.ttf`));

type Pdf = InstanceType<typeof PDFDocument>;

/**
 * Draws what a bank sent as pages of a statement, one account after the other, so that a caseworker reads it and the document checks
 * compare it like any other statement. In English, like the result of the checks.
 */
export async function drawStatement(statement: BankStatement): Promise<Buffer> {
  const info = { Title: `Bank statement, ${statement.bank}`, CreationDate: new Date(statement.fetchedAt) };
  const options = {
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    autoFirstPage: false,
    tagged: true,
    lang: 'en',
    info,
  };
  const pdf = new PDFDocument({ ...options, pdfVersion: '1.7', displayTitle: true });
  pdf.registerFont('regular', fontFile('400Regular'));
  pdf.registerFont('bold', fontFile('700Bold'));
  for (const account of statement.accounts) drawAccount(pdf, statement, account);
  pdf.end();
  const parts: Buffer[] = [];
  for await (const part of pdf) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

function drawAccount(pdf: Pdf, statement: BankStatement, account: AccountStatement): void {
  const { holder, iban, product, currency } = account.account;
  pdf.addPage();
  pdf.font('bold').fontSize(16).text('Bank statement', MARGIN, MARGIN);
  pdf
    .font('regular')
    .fontSize(9)
    .text(`Read from ${statement.bank} (${statement.country}) on ${statement.to}, with the holder's consent.`);
  pdf.moveDown();
  const facts: [string, string][] = [
    ['Account holder', holder || 'not given by the bank'],
    ...(iban ? [['IBAN', groupedIban(iban)] satisfies [string, string]] : []),
    ...(product ? [['Account', product] satisfies [string, string]] : []),
    ['Period', `${statement.from} to ${statement.to}`],
    ['Currency', currency],
  ];
  for (const [label, value] of facts) fact(pdf, label, value);
  pdf.moveDown();
  const opening = openingCents(account);
  let balance = opening;
  let y = heading(pdf, pdf.y);
  if (opening !== undefined)
    y = line(pdf, y, { day: statement.from, text: 'Opening balance', balance: opening }, 'bold');
  for (const booking of account.bookings) {
    if (balance !== undefined) balance += booking.cents;
    if (y > BOTTOM - 2 * ROW) {
      pdf.addPage();
      y = heading(pdf, MARGIN);
    }
    y = line(pdf, y, { day: booking.day, text: wordsOf(booking), amount: booking.cents, balance });
  }
  if (account.closingCents !== undefined)
    line(pdf, y, { day: statement.to, text: 'Closing balance', balance: account.closingCents }, 'bold');
  if (account.isCut)
    pdf
      .font('regular')
      .fontSize(9)
      .text('Older bookings are left out.', MARGIN, y + 2 * ROW);
}

function fact(pdf: Pdf, label: string, value: string): void {
  const { y } = pdf;
  pdf.font('bold').fontSize(9).text(`${label}:`, MARGIN, y, { width: 90 });
  pdf.font('regular').text(value, MARGIN + 95, y, { width: WIDTH - 95 });
}

function heading(pdf: Pdf, top: number): number {
  pdf.font('bold').fontSize(8);
  pdf.text('Date', COLUMNS.day, top);
  pdf.text('Description', COLUMNS.text, top);
  pdf.text('Amount', COLUMNS.amount, top, { width: AMOUNT_WIDTH, align: 'right' });
  pdf.text('Balance', COLUMNS.balance, top, { width: AMOUNT_WIDTH, align: 'right' });
  const rule = top + ROW - 2;
  pdf
    .moveTo(MARGIN, rule)
    .lineTo(MARGIN + WIDTH, rule)
    .lineWidth(0.5)
    .stroke();
  return rule + 4;
}

interface Row {
  day: string;
  text: string;
  amount?: number;
  balance?: number | undefined;
}

function line(pdf: Pdf, y: number, { day, text, amount, balance }: Row, font = 'regular'): number {
  pdf.font(font).fontSize(8);
  const height = Math.max(ROW, pdf.heightOfString(text, { width: TEXT_WIDTH }) + 3);
  pdf.text(day, COLUMNS.day, y);
  pdf.text(text, COLUMNS.text, y, { width: TEXT_WIDTH });
  if (amount !== undefined) pdf.text(figure(amount), COLUMNS.amount, y, { width: AMOUNT_WIDTH, align: 'right' });
  if (balance !== undefined) pdf.text(figure(balance), COLUMNS.balance, y, { width: AMOUNT_WIDTH, align: 'right' });
  return y + height;
}

const MAX_WORDS = 160;

function wordsOf({ counterparty, text }: Booking): string {
  return [counterparty, text].filter(Boolean).join(' · ').slice(0, MAX_WORDS) || 'Transfer';
}
