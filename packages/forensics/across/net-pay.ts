import { type Claim, PAID_INTO } from '../claims.ts';
import { companyIn, isCompany, mayName } from '../content/claims/companies.ts';
import type { Finding } from '../rule.ts';
import { cents, covers, creditsIn, isLikePay, isSalary, mayBePaid, payWindow, ROUNDING } from './money.ts';
import { at, between, type CrossRule, claimOf, claimsOf, type OwnedPaper, ofKind } from './paper.ts';

/**
 * The net pay of each payslip must arrive on the account if a statement covers the days around the payday.
 *
 * How: searches for a credit of the amount, also paid in parts or together with another payslip of the month, such as a bonus.
 * If none fits, a credit described as salary, or naming the employer, contradicts the payslip on days when only this month's pay can
 * have arrived. Without any credit on those days, the pay is missing if the payslip names the account and the payday.
 *
 * Known false positives: a part paid to another account, an advance, a garnishment that the payslip does not show.
 *
 * Source: own reasoning.
 */
export const netPay: CrossRule = {
  name: 'net-pay-credited',
  version: 3,
  title: 'Net pay against the credit on the statement',
  strength: 'medium',
  run(papers) {
    const payslips = ofKind(papers, 'payslip').filter((one) => payWindow(one) && claimOf(one, 'net'));
    const statements = ofKind(papers, 'statement').filter((one) => claimOf(one, 'from'));
    if (payslips.length === 0 || statements.length === 0) return undefined;
    return payslips.flatMap((payslip) => compare(payslip, payslips, statements));
  },
};

/** Limits how many payslips of one month, and how many parts of one pay, are examined together. */
const OTHERS = 3;
const PARTS = 40;

function compare(payslip: OwnedPaper, payslips: readonly OwnedPaper[], statements: readonly OwnedPaper[]): Finding[] {
  const window = payWindow(payslip);
  const net = claimOf(payslip, 'net');
  if (window === undefined || net === undefined) return [];
  const all = statements.flatMap((statement) => claimsOf(statement, 'credit').map((credit) => ({ statement, credit })));
  const near = statements.flatMap((statement) => creditsIn(statement, window).map((credit) => ({ statement, credit })));
  if (all.some(({ credit }) => isPaidWith(payslip, payslips, cents(credit))) || isPaidInParts(payslip, near)) return [];
  const employer = claimOf(payslip, 'employer');
  const salaries = near.filter(
    ({ credit }) =>
      isSalary(credit, employer) && isLikePay(credit, net) && !payslips.some((other) => isPayOf(other, credit)),
  );
  // The nearest amount is the most likely to have been changed.
  const [found] = salaries.sort((one, other) => missOf(one.credit, net) - missOf(other.credit, net));
  if (found !== undefined) return [differs(payslip, net, found)];
  return missing(payslip, net, statements, near.length);
}

/** Another month's pay that was paid within the same days. */
function isPayOf(payslip: OwnedPaper, credit: Claim): boolean {
  const window = payWindow(payslip);
  return (
    window !== undefined &&
    creditsIn({ ...payslip, claims: [credit] }, window).length > 0 &&
    mayBePaid(payslip, cents(credit))
  );
}

function differs(
  payslip: OwnedPaper,
  net: Claim,
  { statement, credit }: { statement: OwnedPaper; credit: Claim },
): Finding {
  const isOther = !mayShareAccount(payslip, statement);
  return between([payslip, statement], {
    message:
      `${payslip.name} says that ${net.text} is paid out; ${statement.name} shows a credit of ${credit.text} on ${credit.day ?? 'that day'}` +
      `${isOther ? ', on a different account from the one on the payslip' : ''}.`,
    evidence: [at(payslip, net, credit.text), at(statement, credit, net.text)],
    ...(isOther ? { strength: 'context' as const } : {}),
  });
}

/** The payslip names this account, but the statement shows no credit around the payday. */
function missing(payslip: OwnedPaper, net: Claim, statements: readonly OwnedPaper[], near: number): Finding[] {
  const window = payWindow(payslip);
  const payday = claimOf(payslip, 'payday');
  const statement = statements.find((one) => window && covers(one, window) && namesAccountOf(payslip, one));
  const end = statement && claimOf(statement, 'to');
  if (statement === undefined || end === undefined || payday === undefined || near > 0) return [];
  const message = `${payslip.name} says that ${net.text} is paid to this account on ${payday.text}; ${statement.name} shows no credit around that day.`;
  return [between([payslip, statement], { message, evidence: [at(payslip, net), at(statement, end)] })];
}

/** Alone, or in one sum with another payslip of its month, because a bonus may have its own payslip. */
function isPaidWith(payslip: OwnedPaper, payslips: readonly OwnedPaper[], credit: number): boolean {
  if (mayBePaid(payslip, credit)) return true;
  const month = claimOf(payslip, 'month')?.value;
  const others = payslips.filter(
    (one) => one !== payslip && month !== undefined && claimOf(one, 'month')?.value === month,
  );
  const alone = { ...payslip, claims: nets(payslip) };
  return others.slice(0, OTHERS).some((other) => nets(other).some((net) => mayBePaid(alone, credit - cents(net))));
}

function isPaidInParts(payslip: OwnedPaper, near: readonly { credit: Claim }[]): boolean {
  const parts = near.map(({ credit }) => cents(credit)).slice(0, PARTS);
  return parts.some((one, index) =>
    parts.slice(index + 1).some((other) => mayBePaid({ ...payslip, claims: nets(payslip) }, one + other)),
  );
}

function nets(payslip: OwnedPaper): Claim[] {
  return claimsOf(payslip, 'net');
}

function missOf(credit: Claim, net: Claim): number {
  return Math.abs(cents(credit) - cents(net));
}

/** False if the payslip names the account into which it is paid, and the statement is for another one. */
function mayShareAccount(payslip: OwnedPaper, statement: OwnedPaper): boolean {
  const own = claimsOf(payslip, 'iban').filter(({ words }) => words === PAID_INTO);
  return own.length === 0 || claimsOf(statement, 'iban').length === 0 || namesAccountOf(payslip, statement);
}

function namesAccountOf(one: OwnedPaper, other: OwnedPaper): boolean {
  return claimsOf(one, 'iban').some(({ value }) => claimsOf(other, 'iban').some((iban) => iban.value === value));
}

/**
 * The payer of the salary must be the employer on the payslip.
 *
 * How: checks only credits of exactly the net pay whose text names a company with its legal form, if the payslip does too. A word, the
 * beginning of a word or the initials in common are enough, so trading names pass; so do companies that pay on behalf of others.
 *
 * Known false positives: a payslip of a subsidiary whose parent, with another name, pays.
 *
 * Source: own reasoning.
 */
export const payer: CrossRule = {
  name: 'employer-pays',
  version: 2,
  title: 'Employer against who pays the salary in',
  strength: 'medium',
  run(papers) {
    const payslips = ofKind(papers, 'payslip').filter((one) => claimOf(one, 'employer'));
    const statements = ofKind(papers, 'statement');
    const pairs = payslips.flatMap((payslip) =>
      statements.flatMap((statement) =>
        paidCredits(payslip, statement).map((credit) => ({ payslip, statement, credit })),
      ),
    );
    if (pairs.length === 0) return undefined;
    return pairs.flatMap(({ payslip, statement, credit }) => {
      const employer = claimOf(payslip, 'employer');
      const other = companyIn(credit.words ?? '');
      if (employer === undefined || other === undefined || !isCompany(employer.text)) return [];
      if (mayName(credit.words ?? '', employer.text)) return [];
      const message = `${payslip.name} names ${employer.text} as the employer; the salary on ${statement.name} comes from ${other}.`;
      return [
        between([payslip, statement], {
          message,
          evidence: [at(payslip, employer), at(statement, { ...credit, text: credit.words ?? credit.text })],
        }),
      ];
    });
  },
};

function paidCredits(payslip: OwnedPaper, statement: OwnedPaper): Claim[] {
  const amounts = nets(payslip).map(cents);
  const employer = claimOf(payslip, 'employer');
  return claimsOf(statement, 'credit').filter(
    (credit) =>
      amounts.some((net) => Math.abs(net - cents(credit)) <= ROUNDING) &&
      (isSalary(credit, employer) || companyIn(credit.words ?? '') !== undefined),
  );
}
