import { writtenLike } from '../../content/amounts.ts';
import { type WrongProduct, wrongProducts } from '../../content/contributions.ts';
import { isRedactedAmong } from '../../content/redacted.ts';
import type { WordLine } from '../../content/words.ts';
import type { Page } from '../../model.ts';
import type { Finding, Rule } from '../../rule.ts';
import { type Looked, verdictOnLines } from '../on-text.ts';

/**
 * Payslip contributions: basis times rate must equal the amount.
 *
 * How: recalculates rows that have a basis, a percentage rate and an amount in the same columns. A row that is off by more than rounding is
 * a finding if at least three times as many rows are consistent whose amounts are large enough for that to mean something. Forgers who change an amount and all the sums tend to forget the rates.
 *
 * Known false positives: corrections of earlier months; capped contributions whose row shows the uncapped basis. In OCR text a wrong digit
 * may be a misreading, so the finding is context only, as it is when a place among the amounts is blackened.
 *
 * Source: payslip layouts required by national law (art. R3243-1 Code du travail, Orden ESS/2098/2014).
 */
export const contributionRates: Rule = {
  name: 'contribution-rates',
  version: 2,
  title: 'Rates of contributions',
  strength: 'medium',
  family: 'content',
  substance: true,
  appliesTo: ['pdf', 'jpeg', 'png'],
  run: (document) => verdictOnLines(document, look),
};

function look(lines: readonly WordLine[], pages: Page[]): Looked {
  const { wrong, compared } = wrongProducts(lines);
  const findings = wrong.map(findingOf);
  const isRedacted = isRedactedAmong(
    pages,
    wrong.map(({ amount }) => amount),
  );
  return {
    findings: isRedacted ? findings.map((finding) => ({ ...finding, strength: 'context' })) : findings,
    compared: { count: compared, what: 'row', none: 'No row of a payslip has a basis, a rate and an amount.' },
  };
}

function findingOf({ basis, rate, amount, expected }: WrongProduct): Finding {
  const right = writtenLike(amount.cents < 0 ? -expected : expected, amount);
  const page = amount.line.page;
  return {
    message: `Page ${page} shows ${amount.text}, but ${rate} % of ${basis.text} is ${right}; the rows around it are correct.`,
    evidence: [
      { page, box: amount.box, before: right, after: amount.text, details: { possibly_this_one: true } },
      { page, box: basis.box, after: basis.text, details: { possibly_this_one: true } },
    ],
  };
}
