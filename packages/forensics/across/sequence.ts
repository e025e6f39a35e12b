import type { Claim, ClaimKind } from '../claims.ts';
import { distinctWords, mayName } from '../content/claims/companies.ts';
import type { Finding } from '../rule.ts';
import { isSameAccount } from './accounts.ts';
import { cents, daysBetween, isMonth, nextMonth, ROUNDING } from './money.ts';
import { at, between, type CrossRule, claimOf, claimsOf, type OwnedPaper, ofKind, pairsOf } from './paper.ts';

/** In days: a payday of the next month is as far away. */
const FOUR_WEEKS = 28;

/**
 * One payslip for each month or other period, with one personnel number; statement numbers that increase with the dates.
 *
 * How: finds two payslips of one employer that state one month, the same days, or one week and payday with different pay, unless one is
 * marked as a correction or states other days, another week or a payday near that of the other; different personnel numbers; a later
 * statement with a lower number in the same year, or one number for different days.
 *
 * Known false positives: a bonus with a payslip of its own in the month; a personnel number after a change of the payroll program.
 *
 * Source: own reasoning.
 */
export const sequence: CrossRule = {
  name: 'months-and-numbers',
  version: 3,
  title: 'Months and sequence numbers',
  strength: 'medium',
  run(papers) {
    const payslips = pairsOf(ofKind(papers, 'payslip')).filter(([one, other]) => isSameEmployer(one, other));
    const statements = pairsOf(ofKind(papers, 'statement')).filter(([one, other]) => isSameAccount(one, other));
    if (payslips.length + statements.length === 0) return undefined;
    return [
      ...payslips.flatMap(([one, other]) => [...twoOfAPeriod(one, other), ...twoStaffNumbers(one, other)]),
      ...statements.flatMap(([one, other]) => numbersOutOfOrder(one, other)),
    ];
  },
};

function isSameEmployer(one: OwnedPaper, other: OwnedPaper): boolean {
  const [own, theirs] = [claimOf(one, 'employer'), claimOf(other, 'employer')];
  if (own === undefined || theirs === undefined) {
    const [number, same] = [claimOf(one, 'staff'), claimOf(other, 'staff')];
    return number !== undefined && number.value === same?.value;
  }
  return distinctWords(own.text).join(' ') === distinctWords(theirs.text).join(' ') || mayName(own.text, theirs.text);
}

/** Two payslips of one period with different net pay. Context if they have no figure in common, because one is then a bonus. */
function twoOfAPeriod(one: OwnedPaper, other: OwnedPaper): Finding[] {
  const period = samePeriod(one, other);
  const [net, theirs] = [claimOf(one, 'net'), claimOf(other, 'net')];
  if (!period || !net || !theirs || net.value === theirs.value) return [];
  if ([one, other].some((paper) => claimOf(paper, 'correction'))) return [];
  const figures = new Set(claimsOf(other, 'figure').map(({ value }) => value));
  const shared = claimsOf(one, 'figure').filter(({ value }) => figures.has(value)).length;
  const message = `${one.name} and ${other.name} are both for ${period}, with ${net.text} and ${theirs.text} paid out.`;
  const evidence = [at(one, net, theirs.text), at(other, theirs, net.text)];
  return [between([one, other], { message, evidence, ...(shared === 0 ? { strength: 'context' as const } : {}) })];
}

/** As printed: the month, days or number that both state, if neither states other days, another number or a payday of another pay. */
function samePeriod(one: OwnedPaper, other: OwnedPaper): string | undefined {
  const both = (kind: ClaimKind) => {
    const [own, theirs] = [claimOf(one, kind), claimOf(other, kind)];
    return own && theirs ? { text: own.text, isSame: own.value === theirs.value } : undefined;
  };
  const [month, from, to, number, payday] = (['month', 'from', 'to', 'period', 'payday'] as const).map(both);
  const isOther = [month, from, to, number].some((stated) => stated?.isSame === false) || arePaidApart(one, other);
  if (isOther) return undefined;
  if (month) return month.text;
  if (to) return from ? `${from.text} to ${to.text}` : `the period to ${to.text}`;
  return number && payday ? `period ${number.text}, paid on ${payday.text}` : undefined;
}

/** Whether they have paydays in one month or less than four weeks apart, as pay of weeks has. */
function arePaidApart(one: OwnedPaper, other: OwnedPaper): boolean {
  const [own, theirs] = [claimOf(one, 'payday')?.value, claimOf(other, 'payday')?.value];
  if (own === undefined || theirs === undefined || own === theirs) return false;
  return own.slice(0, 7) === theirs.slice(0, 7) || Math.abs(daysBetween(own, theirs)) < FOUR_WEEKS;
}

function twoStaffNumbers(one: OwnedPaper, other: OwnedPaper): Finding[] {
  const [own, theirs] = [claimOf(one, 'staff'), claimOf(other, 'staff')];
  if (!own || !theirs || bare(own) === bare(theirs)) return [];
  const message = `The personnel number reads ${own.text} in ${one.name} and ${theirs.text} in ${other.name}.`;
  return [between([one, other], { message, evidence: [at(one, own, theirs.text), at(other, theirs, own.text)] })];
}

function bare({ value }: Claim): string {
  return value.replace(/^0+/, '');
}

function numbersOutOfOrder(one: OwnedPaper, other: OwnedPaper): Finding[] {
  const [first, second] = [claimOf(one, 'number'), claimOf(other, 'number')];
  const [from, start] = [claimOf(one, 'from')?.value, claimOf(other, 'from')?.value];
  if (!first || !second || from === undefined || start === undefined || from === start) return [];
  if (first.value.slice(0, 4) !== second.value.slice(0, 4)) return [];
  const isRising = from < start === first.value < second.value && first.value !== second.value;
  if (isRising) return [];
  const message = `${one.name} is number ${first.text} and begins on ${from}; ${other.name} is number ${second.text} and begins on ${start}.`;
  return [between([one, other], { message, evidence: [at(one, first), at(other, second)] })];
}

/**
 * Gross pay since January is the previous month's total plus this month's gross pay.
 *
 * How: compares payslips of one employer for consecutive months of one year. A total that equals the month's gross pay begins a tax year.
 * Corrections, and differences that equal a printed figure, are skipped.
 *
 * Known false positives: pay that is corrected in the total only.
 *
 * Source: own reasoning.
 */
export const yearToDate: CrossRule = {
  name: 'year-to-date',
  version: 3,
  title: 'Pay since January against the months',
  strength: 'medium',
  run(papers) {
    const payslips = ofKind(papers, 'payslip').filter((one) => claimOf(one, 'year_to_date') && claimOf(one, 'gross'));
    const pairs = pairsOf(payslips).flatMap(([one, other]) => [[one, other] as const, [other, one] as const]);
    const following = pairs.filter(([one, other]) => isNextMonth(one, other) && isSameEmployer(one, other));
    return following.length === 0 ? undefined : following.flatMap(([one, other]) => sumDiffers(one, other));
  },
};

function isNextMonth(one: OwnedPaper, other: OwnedPaper): boolean {
  const [month, next] = [claimOf(one, 'month')?.value ?? '', claimOf(other, 'month')?.value];
  return isMonth(month) && nextMonth(month) === next && month.slice(0, 4) === next.slice(0, 4);
}

function sumDiffers(one: OwnedPaper, other: OwnedPaper): Finding[] {
  const [before, after, gross] = [
    claimOf(one, 'year_to_date'),
    claimOf(other, 'year_to_date'),
    claimOf(other, 'gross'),
  ];
  if (!before || !after || !gross) return [];
  const miss = cents(after) - cents(before) - cents(gross);
  // The total restarts when a tax year begins here.
  if (Math.abs(cents(after) - cents(gross)) <= ROUNDING) return [];
  const figures = [...claimsOf(one, 'figure'), ...claimsOf(other, 'figure')].map(cents);
  const isExplained = figures.some((figure) => Math.abs(Math.abs(miss) - Math.abs(figure)) <= 1);
  const isCorrected = [one, other].some((paper) => claimOf(paper, 'correction'));
  if (Math.abs(miss) <= ROUNDING || isExplained || isCorrected) return [];
  const message = `${one.name} has ${before.text} since January and ${other.name} ${after.text}; the month between them has ${gross.text}, which does not account for the difference.`;
  return [between([one, other], { message, evidence: [at(one, before), at(other, gross), at(other, after)] })];
}
