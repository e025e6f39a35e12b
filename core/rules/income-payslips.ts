import type { IncomePaper } from './income-papers.ts';
import { daysBetween, median, rhythmOfDays } from './income-series.ts';
import type { IncomeCaution, IncomeSource } from './income-types.ts';
import { folded } from './income-words.ts';
import { PER_MONTH, type Rhythm, readRhythm } from './pay-rhythm.ts';

/** Pay by payslips, of which each is of a month, of weeks, or of a part of its period. */

interface Payslip {
  employer: string;
  netCents: number;
  month: string | undefined;
  from: string | undefined;
  to: string | undefined;
  payday: string | undefined;
  frequency: Rhythm | undefined;
  joined: string | undefined;
  isUnusual: boolean;
}

/** A payslip that says how its pay becomes that of a month. */
interface Usual {
  /** Equal for payslips of the same days. */
  period: string;
  month: string;
  rhythm: Rhythm;
  monthlyCents: number;
}

interface PayslipIncome {
  sources: IncomeSource[];
  /** Employers whose payslips show no usual pay of a known period. */
  cautions: IncomeCaution[];
}

/**
 * For each employer, the usual net pay brought to a month. Without a figure are payslips that state neither a month nor how often they pay,
 * those of a part of their period, such as the first days of an employment, and those raised by pay that comes once or twice a year.
 */
export function payslipIncome(papers: readonly IncomePaper[]): PayslipIncome {
  const payslips = papers.filter(({ kind }) => kind === 'payslip').flatMap(payslipOf);
  const found: PayslipIncome = { sources: [], cautions: [] };
  for (const own of Map.groupBy(payslips, ({ employer }) => employerKey(employer)).values()) {
    const payer = own.find(({ employer }) => employer !== '')?.employer ?? '';
    const source = sourceOf(own, payer);
    if (source) found.sources.push(source);
    else found.cautions.push({ kind: 'no-usual-pay', payer });
  }
  return found;
}

function employerKey(employer: string): string {
  return folded(employer).split(' ').slice(0, 2).join(' ');
}

function payslipOf({ claims }: IncomePaper): Payslip[] {
  const claimOf = (kind: string) => claims.find((claim) => claim.kind === kind);
  const net = claimOf('net');
  if (!net) return [];
  return [
    {
      employer: claimOf('employer')?.text ?? '',
      netCents: Math.abs(Number(net.value)),
      month: claimOf('month')?.value,
      from: claimOf('from')?.value,
      to: claimOf('to')?.value,
      payday: claimOf('payday')?.value,
      frequency: readRhythm(claimOf('frequency')?.value),
      joined: claimOf('joined')?.value,
      isUnusual: claimOf('unusual') !== undefined,
    },
  ];
}

function sourceOf(own: readonly Payslip[], payer: string): IncomeSource | undefined {
  const whole = wholeOf(own);
  const plain = whole.filter(({ isUnusual }) => !isUnusual);
  // Pay that is as high in every month of a quarter is usual, whatever it is called.
  const counted = plain.length > 0 || monthsOf(whole).length < MIN_MONTHS ? plain : whole;
  const usual = onePerPeriod(usualOf(counted));
  const first = usual[0];
  if (first === undefined) return undefined;
  const months = [...new Set(usual.map(({ month }) => month))].filter((month) => month !== '').sort();
  return {
    ...{ kind: 'salary', payer, months, from: 'payslip', certainty: 'stated' },
    monthlyCents: Math.round(median(usual.map(({ monthlyCents }) => monthlyCents))),
    isRegular: months.length >= MIN_MONTHS,
    ...(usual.every(({ rhythm }) => rhythm === first.rhythm) ? { rhythm: first.rhythm } : {}),
  };
}

const MIN_MONTHS = 3;
/** A month may begin or end on a weekend. */
const EDGE_DAYS = 3;
/** Paydays of two months are farther apart, also where December is paid early. */
const CLOSE_DAYS = 16;

function monthsOf(payslips: readonly Payslip[]): string[] {
  return [...new Set(payslips.map(monthOf))].filter((month) => month !== '');
}

function monthOf({ month, from, to, payday }: Payslip): string {
  return month ?? (from ?? to ?? payday)?.slice(0, 7) ?? '';
}

/** Without those of the month in which the employment began. */
function wholeOf(own: readonly Payslip[]): Payslip[] {
  return own.filter(({ joined, ...payslip }) => {
    const isFirst = joined !== undefined && joined.slice(0, 7) === monthOf({ joined, ...payslip });
    return !isFirst || Number(joined.slice(8)) <= EDGE_DAYS;
  });
}

function usualOf(payslips: readonly Payslip[]): Usual[] {
  const spans = payslips.map(spanOf);
  const seenRhythm = rhythmSeen(payslips);
  return payslips.flatMap((payslip, index): Usual[] => {
    const span = spans[index];
    const isAlone = spans.filter((other) => other === span).length === 1;
    const rhythm = payslip.frequency ?? (span === undefined ? seenRhythm(payslip) : readRhythm(span));
    const isUnclear = payslip.frequency === undefined && isAlone && isAmbiguous(payslip);
    if (rhythm === undefined || isUnclear || !fits(payslip, rhythm, span)) return [];
    const { from, to, payday, netCents } = payslip;
    const month = monthOf(payslip);
    const period = rhythm === 'month' ? month : (from ?? to ?? payday ?? month);
    return [{ period, month, rhythm, monthlyCents: netCents * PER_MONTH[rhythm] }];
  });
}

type Span = Rhythm | 'part';

const WEEKS: Partial<Record<Rhythm, number>> = { week: 7, 'two-weeks': 14, 'four-weeks': 28 };

/** What the days of a payslip are; undefined without a first and a last day. */
function spanOf({ from, to }: Pick<Payslip, 'from' | 'to'>): Span | undefined {
  if (from === undefined || to === undefined) return undefined;
  const days = daysIn(from, to);
  const [first, last, length] = [Number(from.slice(8)), Number(to.slice(8)), lengthOf(to)];
  const isOneMonth = from.slice(0, 7) === to.slice(0, 7);
  if (isOneMonth && first === 1 && last === length) return 'month';
  const weeks = (['week', 'two-weeks', 'four-weeks'] as const).find((rhythm) => WEEKS[rhythm] === days);
  if (weeks) return weeks;
  if (isOneMonth && first <= EDGE_DAYS && length - last < EDGE_DAYS) return 'month';
  // As from the 21st to the 20th.
  if (!isOneMonth && first === last + 1) return 'month';
  const isHalf = isOneMonth && ((first === 1 && last === 15) || (first === 16 && last === length));
  return isHalf ? 'half-month' : 'part';
}

function daysIn(from: string, to: string): number {
  return daysBetween(from, to) + 1;
}

function lengthOf(day: string): number {
  return new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate();
}

/** Whether the days may be the rest of a month, or a month between its weekends. */
function isAmbiguous({ from = '', to = '' }: Payslip): boolean {
  const isRest = !from.endsWith('-01') && to !== '' && Number(to.slice(8)) === lengthOf(to);
  const isFourWeeks = from !== '' && daysIn(from, to) === WEEKS['four-weeks'];
  return spanOf({ from, to }) !== 'month' && (isRest || (isFourWeeks && from.slice(0, 7) === to.slice(0, 7)));
}

/** Whether the days, if there are any, are those of the rhythm. */
function fits({ from, to }: Payslip, rhythm: Rhythm, span: Span | undefined): boolean {
  if (from === undefined || to === undefined || span === rhythm) return true;
  return WEEKS[rhythm] === daysIn(from, to);
}

/** The rhythm of payslips without days: that of their paydays where these are close together, and else the month that each states. */
function rhythmSeen(payslips: readonly Payslip[]): (payslip: Payslip) => Rhythm | undefined {
  const dayOf = ({ payday, to }: Payslip) => payday ?? to;
  const days = [...new Set(payslips.flatMap((one) => dayOf(one) ?? []))].sort();
  const isClose = (one: string) =>
    days.some((other) => other !== one && Math.abs(daysBetween(one, other)) <= CLOSE_DAYS);
  const rhythm = rhythmOfDays(days);
  return (payslip) => {
    const day = dayOf(payslip);
    const isOfMonth = payslip.month !== undefined && (rhythm === undefined || rhythm === 'month');
    if (isOfMonth) return day !== undefined && isClose(day) ? undefined : 'month';
    return day === undefined ? undefined : rhythm;
  };
}

/** Without periods for which payslips state different pay: one of them may be of a bonus. */
function onePerPeriod(usual: readonly Usual[]): Usual[] {
  const periods = [...Map.groupBy(usual, ({ period }) => period).values()];
  return periods.flatMap((own) =>
    new Set(own.map(({ monthlyCents }) => monthlyCents)).size === 1 ? own.slice(0, 1) : [],
  );
}
