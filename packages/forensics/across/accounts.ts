import { type Claim, OF_COMPANY, PAID_INTO } from '../claims.ts';
import type { Finding } from '../rule.ts';
import { cents, daysBetween, mayBePaid } from './money.ts';
import { at, between, type CrossRule, claimOf, claimsOf, type OwnedPaper, ofKind, pairsOf } from './paper.ts';

/** IBANs have 18 to 34 characters: so few differences mean an altered number, not another account. */
const FEW = 4;
/** Other account numbers are not comparable with one. */
const IBAN = /^[A-Z]{2}\d{2}/;

/**
 * The account that a payslip names is the account whose statement shows the pay.
 *
 * How: a finding when the net pay arrives on an account that the payslip does not name, although it names one beside a label of the payment
 * or of the employee, or when two IBANs differ in only a few characters. An applicant may have several accounts, so another account alone
 * says nothing; nor do those of the employer, in letterheads and footers.
 *
 * Known false positives: the account was changed after the payslip was printed.
 *
 * Source: own reasoning.
 */
export const ibans: CrossRule = {
  name: 'one-account',
  version: 2,
  title: 'IBANs',
  strength: 'medium',
  run(papers) {
    const [payslips, statements] = [ofKind(papers, 'payslip'), ofKind(papers, 'statement')].map((own) =>
      own.filter((paper) => claimOf(paper, 'iban')),
    );
    if (!payslips?.length || !statements?.length) return undefined;
    return payslips.flatMap((payslip) => statements.flatMap((statement) => accountDiffers(payslip, statement)));
  },
};

function accountDiffers(payslip: OwnedPaper, statement: OwnedPaper): Finding[] {
  const named = claimsOf(payslip, 'iban');
  const theirs = claimsOf(statement, 'iban').filter(({ value }) => IBAN.test(value));
  if (named.some(({ value }) => theirs.some((iban) => iban.value === value))) return [];
  const own = named.filter(({ words }) => words !== OF_COMPANY);
  const close = own.flatMap((one) => theirs.flatMap((other) => (isClose(one, other) ? [{ one, other }] : [])))[0];
  const credit = claimsOf(statement, 'credit').find((one) => isNetOf(payslip, one));
  const [one, other] = [close?.one ?? own.find(({ words }) => words === PAID_INTO), close?.other ?? theirs[0]];
  if (one === undefined || other === undefined || (close === undefined && credit === undefined)) return [];
  const why = close ? ', which is almost the same' : `, which shows a credit of ${credit?.text}`;
  const message = `${payslip.name} is paid into ${one.text}; ${statement.name} is for ${other.text}${why}.`;
  const places = [at(payslip, one, other.text), at(statement, other, one.text)];
  return [between([payslip, statement], { message, evidence: credit ? [...places, at(statement, credit)] : places })];
}

function isNetOf(payslip: OwnedPaper, credit: Claim): boolean {
  return mayBePaid({ ...payslip, claims: claimsOf(payslip, 'net') }, cents(credit));
}

function isClose({ value: one }: Claim, { value: other }: Claim): boolean {
  return one.length === other.length && [...one].filter((character, index) => character !== other[index]).length <= FEW;
}

/**
 * A statement's opening balance is the closing balance of the previous statement.
 *
 * How: compares two statements of one account with consecutive dates or numbers; a gap or an overlap proves nothing.
 *
 * Known false positives: none known.
 *
 * Source: double-entry arithmetic.
 */
export const balances: CrossRule = {
  name: 'balances-continue',
  version: 2,
  title: 'Opening balance against the previous closing balance',
  strength: 'strong',
  run(papers) {
    const statements = ofKind(papers, 'statement').filter((one) => claimOf(one, 'opening') || claimOf(one, 'closing'));
    const next = pairsOf(statements).flatMap(([one, other]) => [[one, other] as const, [other, one] as const]);
    const following = next.filter(([one, other]) => follows(one, other));
    if (following.length === 0) return undefined;
    return following.flatMap(([one, other]) => {
      const [closing, opening] = [claimOf(one, 'closing'), claimOf(other, 'opening')];
      if (!closing || !opening || Math.abs(cents(closing)) === Math.abs(cents(opening))) return [];
      const message = `${one.name} closes with ${closing.text}; ${other.name}, which continues from there, opens with ${opening.text}.`;
      return [
        between([one, other], {
          message,
          evidence: [at(one, closing, opening.text), at(other, opening, closing.text)],
        }),
      ];
    });
  },
};

function follows(one: OwnedPaper, other: OwnedPaper): boolean {
  if (!isSameAccount(one, other)) return false;
  const [end, start] = [claimOf(one, 'to'), claimOf(other, 'from')];
  if (end === undefined || start === undefined || end.words !== undefined || start.words !== undefined) return false;
  const gap = daysBetween(end.value, start.value);
  return gap === 1 || (gap > 0 && gap <= 7 && areNumberedInRow(one, other));
}

function areNumberedInRow(one: OwnedPaper, other: OwnedPaper): boolean {
  const [first, second] = [claimOf(one, 'number')?.value, claimOf(other, 'number')?.value];
  if (first === undefined || second === undefined) return false;
  return first.slice(0, 4) === second.slice(0, 4) && Number(second.slice(5)) - Number(first.slice(5)) === 1;
}

export function isSameAccount(one: OwnedPaper, other: OwnedPaper): boolean {
  return claimsOf(one, 'iban').some(({ value }) => claimsOf(other, 'iban').some((iban) => iban.value === value));
}
