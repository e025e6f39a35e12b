import { writtenLike } from '../../content/amounts.ts';
import { type Row, wrongProducts } from '../../content/contributions.ts';
import type { RaisedPay } from '../../content/legal-pay.ts';
import { legalFaults, type UnlawfulRow } from '../../content/legal-rates.ts';
import { isRedactedAmong } from '../../content/redacted.ts';
import { type WordLine, wordLines } from '../../content/words.ts';
import type { Page } from '../../model.ts';
import type { Evidence, Finding, Rule } from '../../rule.ts';
import { type Looked, verdictOnLines } from '../on-text.ts';

/**
 * Payslip contributions: basis times rate must equal the amount, and contributions whose rate law fixes must be of the pay.
 *
 * How: recalculates rows that have a basis, a percentage rate and an amount. A row that is off by more than rounding is a finding if at least
 * three times as many rows of its columns are consistent whose amounts are large enough for that to mean something, and one of them has its
 * basis, or one that gives its amount (otherwise it may be a share of the pay of hours), or if its rate is that of law in the payslip's month
 * (`content/rates`) and no other lawful rate or basis gives the amount. Where contributions at two legal rates, or one and its printed basis,
 * are of the same pay, and gross pay is more, gross pay is the finding. Forgers who change pay and all the sums tend to forget the rates.
 *
 * Never judged: months and rates that the tables lack, pay up to a limit below which other rules hold, and payslips with words for which other rates or
 * bases are lawful (marginal employment, apprentices, several employers, corrections). What may lawfully make contributions smaller does: ceilings, exempt payments other
 * than the largest, pay converted into benefits, and any one or two figures that are the difference.
 *
 * Known false positives: capped contributions whose row shows the uncapped basis, in months that the tables lack. In OCR text a wrong digit
 * may be a misreading, so the finding is context only, as it is when a place among the amounts is blackened.
 *
 * Source: payslip layouts required by national law (art. R3243-1 Code du travail, Orden ESS/2098/2014); for the rates, see the tables.
 */
export const contributionRates: Rule = {
  name: 'contribution-rates',
  version: 5,
  title: 'Rates of contributions',
  strength: 'medium',
  family: 'content',
  substance: true,
  appliesTo: ['pdf', 'jpeg', 'png'],
  run: (document) => verdictOnLines(document, look),
};

const PAGES = 30;

function look(lines: readonly WordLine[], pages: Page[]): Looked {
  const { wrong, compared } = wrongProducts(lines);
  const legal = pages.slice(0, PAGES).map((page) => legalFaults(wordLines([page])));
  const unlawful = legal
    .flatMap(({ rows }) => rows)
    .filter(({ row }) => !wrong.some(({ amount }) => amount === row.amount));
  const found = [
    ...wrong.map((row) => ({ finding: findingOf(row), amount: row.amount })),
    ...unlawful.map((one) => ({ finding: unlawfulFinding(one), amount: one.row.amount })),
    ...legal.flatMap(({ raised }) =>
      raised === undefined ? [] : [{ finding: raisedFinding(raised), amount: raised.gross }],
    ),
  ];
  const isRedacted = isRedactedAmong(
    pages,
    found.map(({ amount }) => amount),
  );
  const findings = found.map(({ finding }) => finding);
  const count = compared + legal.reduce((sum, one) => sum + one.compared, 0);
  return {
    findings: isRedacted ? findings.map((finding) => ({ ...finding, strength: 'context' })) : findings,
    compared: { count, what: 'contribution', none: 'No row of a payslip has a basis, a rate and an amount.' },
  };
}

function findingOf(row: Row): Finding {
  const { basis, rate, amount } = row;
  const right = expectedIn(row);
  const page = amount.line.page;
  return {
    message: `Page ${page} shows ${amount.text}, but ${rate} % of ${basis.text} is ${right}; the rows around it are correct.`,
    evidence: evidenceOf(row),
  };
}

function unlawfulFinding({ contribution, month, row }: UnlawfulRow): Finding {
  const { basis, rate, amount } = row;
  return {
    message: `Page ${amount.line.page} shows ${amount.text} for ${contribution}; by the law of ${month} it is ${rate} % of ${basis.text}, which is ${expectedIn(row)}.`,
    evidence: evidenceOf(row),
  };
}

function raisedFinding({ gross, expected, taken, month }: RaisedPay): Finding {
  const { page } = gross.line;
  const right = writtenLike(expected, gross);
  const parts = taken.map(({ contribution, amount, percent }) => `${amount.text} for ${contribution} (${percent} %)`);
  return {
    message: `Gross pay on page ${page} reads ${gross.text}; by the law of ${month}, ${parts.join(' and ')} ${parts.length > 1 ? 'are' : 'is'} taken from ${right}.`,
    evidence: [
      { page, box: gross.box, before: right, after: gross.text },
      ...taken.map(({ amount }) => ({
        page,
        box: amount.box,
        after: amount.text,
        details: { possibly_this_one: true },
      })),
    ],
  };
}

function evidenceOf(row: Row): Evidence[] {
  const { basis, amount } = row;
  const { page } = amount.line;
  return [
    { page, box: amount.box, before: expectedIn(row), after: amount.text, details: { possibly_this_one: true } },
    { page, box: basis.box, after: basis.text, details: { possibly_this_one: true } },
  ];
}

function expectedIn({ amount, expected }: Row): string {
  return writtenLike(amount.cents < 0 ? -expected : expected, amount);
}
