import type { Drawing, Mark, TextMark } from '../drawing.ts';
import { type Random, randomOf } from '../random.ts';
import { britain } from './britain.ts';
import { france } from './france.ts';
import { further } from './further.ts';
import { germany } from './germany.ts';
import { italy } from './italy.ts';
import { mixed } from './mixed.ts';
import type { LegalPayslip } from './page.ts';
import { penOf } from './page.ts';
import { spain } from './spain.ts';

/** A payslip's form; rules are never adjusted with a held-out one in sight. */
export interface LegalForm {
  country: string;
  name: string;
  isHeldOut: boolean;
  write: (random: Random) => LegalPayslip;
}

const HELD_OUT: ReadonlySet<string> = new Set([
  'britain/headed',
  'germany/withYear',
  'britain/boxedTotals',
  'germany/publicService',
  'france/afterTax',
  'italy/parts',
  ...Object.keys(mixed).map((country) => `mixed/${country}`),
]);

export const legalForms: readonly LegalForm[] = [
  ...Object.entries({ spain, britain, germany, france, italy }),
  ...Object.entries(further),
  ...Object.entries({ mixed }),
].flatMap(([country, forms]) =>
  Object.entries(forms).map(([name, write]) => ({
    country,
    name,
    isHeldOut: HELD_OUT.has(`${country}/${name}`),
    write,
  })),
);

/** How net pay was raised: not at all, where it stands out, wherever the same figure stands, or with salary and gross pay. */
export type Raise = 'none' | 'one' | 'all' | 'pay';

export interface DrawnPayslip {
  drawing: Drawing;
  /** Net pay before the change, as the page shows it. */
  net: string;
  /** Gross pay before the change, where it may be raised. */
  gross: string | undefined;
}

export function drawForm(form: LegalForm, seed: string, raise: Raise): DrawnPayslip {
  const random = randomOf('form', form.country, form.name, seed);
  const { form: rows, net, pay } = form.write(random);
  const pen = penOf(rows, random);
  const texts = pen.marks.filter(
    (mark): mark is TextMark => mark.kind === 'text' && (mark.text === net || mark.text.startsWith(`${net} `)),
  );
  const main = texts.findLast(({ face }) => face === 'sans-bold') ?? texts.at(-1);
  const raised = random.integer(15_000, 95_000);
  if (raise === 'one' || raise === 'all')
    for (const mark of texts)
      if (raise === 'all' || mark === main) mark.text = mark.text.replace(net, raisedBy(net, raised));
  if (raise === 'pay' && pay !== undefined) raisePay(pen.marks, pay, raised);
  return { drawing: pen.done('Payslip', true), net, gross: pay?.write(pay.gross) };
}

/** Salary, gross pay and net pay, wherever they stand: every sum holds, and no contribution follows. */
function raisePay(
  marks: readonly Mark[],
  { salary, gross, net, write }: NonNullable<LegalPayslip['pay']>,
  cents: number,
) {
  const then = new Map([salary, gross, net].map((one) => [write(one), write(one + cents)]));
  for (const mark of marks) {
    if (mark.kind !== 'text') continue;
    const shown = mark.text.replace(/^£| (?:€|EUR)$/g, '');
    const now = then.get(shown);
    if (now !== undefined) mark.text = mark.text.replace(shown, now);
  }
}

/** Written like the figure it replaces. */
function raisedBy(shown: string, cents: number): string {
  const digits = String(Number(shown.replace(/\D/g, '')) + cents)
    .split('')
    .reverse();
  const length = shown.replace(/\D/g, '').length;
  let at = 0;
  const written = [...shown]
    .reverse()
    .map((character) => (/\d/.test(character) ? (digits[at++] ?? '') : character))
    .reverse()
    .join('');
  // One digit more goes to the front.
  return digits.length > length ? written.replace(/\d/, (first) => `${digits[length]}${first}`) : written;
}
