import { isRedactedAmong, withRedaction } from '../../content/redacted.ts';
import { wordLines } from '../../content/words.ts';
import { type MonthOfYear, shareOf, sharesIn, type WrongShare } from '../../content/year-shares.ts';
import type { Page } from '../../model.ts';
import type { Evidence, Finding, Rule } from '../../rule.ts';
import { type Looked, verdictOnEachPage } from '../on-text.ts';

/**
 * Pay of the month against pay since the beginning of the year, on one payslip.
 *
 * How: finds the payslip's sums as `payslip-arithmetic` does, and beside them the column headed as the year's. A finding is pay that
 * is more in the month than in the year, or that rose alone: its share in the year is larger, by 8 % or more, for both the largest payment
 * and gross pay, than that of each of three or more deductions. Tax and contributions follow pay, with a ceiling for contributions, but
 * not for tax. Tax alone proves nothing: it rises faster than pay, so that one month with more pay lowers the share of every later one. Those who raise pay and its sums tend to forget the year.
 *
 * Known false positives: a rise in the month in which tax falls for another reason, of pay above the ceilings; corrections that took back
 * earlier pay. If a place among the amounts is blackened, and in OCR text, the finding is context.
 *
 * Source: own reasoning.
 */
export const yearShares: Rule = {
  name: 'year-shares',
  version: 2,
  title: 'Pay of the month within the year',
  strength: 'medium',
  family: 'content',
  substance: true,
  appliesTo: ['pdf', 'jpeg', 'png'],
  run: (document) => verdictOnEachPage(document, PAGES, look),
};

const PAGES = 30;

function look(page: Page): Looked {
  const { wrong, compared: count } = sharesIn(wordLines([page]));
  const compared = {
    count,
    what: 'figure with that of the year',
    many: 'figures with those of the year',
    none: 'No payslip with figures since the beginning of the year was recognised.',
  };
  if (wrong === undefined) return { findings: [], compared };
  const finding = findingOf(wrong);
  const isRedacted = isRedactedAmong([page], [wrong.pay.month, wrong.pay.year]);
  return { findings: [isRedacted ? withRedaction(finding) : finding], compared };
}

function findingOf(wrong: WrongShare): Finding {
  const { month, year } = wrong.pay;
  const on = `on page ${month.line.page}`;
  if (wrong.kind === 'more than the year')
    return {
      message: `Pay of ${month.text} in the month ${on} is more than the ${year.text} since the beginning of the year.`,
      evidence: evidenceOf(wrong.pay),
    };
  return {
    message: `Pay of ${month.text} ${on} is ${percent(wrong.pay)} of the year’s, but no deduction is more than ${percent(wrong.highest)} of its own: pay rose, and nothing that depends on it did.`,
    evidence: [wrong.pay, wrong.gross, wrong.highest].flatMap(evidenceOf),
  };
}

function evidenceOf({ month, year }: MonthOfYear): Evidence[] {
  const { page } = month.line;
  return [
    { page, box: month.box, after: month.text, details: { possibly_this_one: true } },
    { page, box: year.box, after: year.text, details: { possibly_this_one: true } },
  ];
}

function percent(pay: MonthOfYear): string {
  return `${(100 * shareOf(pay)).toFixed(1)} %`;
}
