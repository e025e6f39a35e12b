import { writtenLike } from '../../content/amounts.ts';
import { payoutIn, type WrongPayout } from '../../content/payout.ts';
import { isRedactedAmong, withRedaction } from '../../content/redacted.ts';
import { wordLines } from '../../content/words.ts';
import type { Page } from '../../model.ts';
import type { Finding, Rule } from '../../rule.ts';
import { type Looked, verdictOnEachPage } from '../on-text.ts';

/**
 * Net pay with the figures after it, such as expenses and advances, must be the payout.
 *
 * How: finds net pay as `payslip-arithmetic` does, the payout by its name below it in the same column, and one to five figures between
 * them, one on each line unless the column has a gap there. It is a finding if no choice of them, added or subtracted, gives the payout, and no other figure of the page is the difference.
 * Those who raise gross and net pay tend to forget the payout.
 *
 * Known false positives: a part of the pay that goes to another account and is not shown. If a place among the amounts is blackened, and in
 * OCR text, the finding is context.
 *
 * Source: own reasoning; § 108 GewO and Entgeltbescheinigungsverordnung § 1, which require the payout and what makes it up.
 */
export const payoutArithmetic: Rule = {
  name: 'payout-arithmetic',
  version: 2,
  title: 'Payout of the payslip',
  strength: 'medium',
  family: 'content',
  substance: true,
  appliesTo: ['pdf', 'jpeg', 'png'],
  run: (document) => verdictOnEachPage(document, PAGES, look),
};

const PAGES = 30;

function look(page: Page): Looked {
  const payout = payoutIn(wordLines([page]));
  const compared = {
    count: payout === undefined ? 0 : 1,
    what: 'payout',
    none: 'No payslip with a payout after net pay and figures between them was recognised.',
  };
  const wrong = payout?.wrong;
  if (wrong === undefined) return { findings: [], compared };
  const finding = findingOf(wrong);
  const isRedacted = isRedactedAmong([page], [wrong.net, wrong.payout]);
  return { findings: [isRedacted ? withRedaction(finding) : finding], compared };
}

function findingOf({ net, payout, between, expected }: WrongPayout): Finding {
  const page = net.line.page;
  const right = writtenLike(expected, payout);
  const netThen = writtenLike(Math.abs(net.cents) + Math.abs(payout.cents) - expected, net);
  const figures = between.map(({ text }) => text).join(', ');
  return {
    message: `On page ${page} net pay is ${net.text} and the payout ${payout.text}, but with the figures between them (${figures}) it would be ${right}.`,
    evidence: [
      { page, box: net.box, before: netThen, after: net.text, details: { possibly_this_one: true } },
      { page, box: payout.box, before: right, after: payout.text, details: { possibly_this_one: true } },
    ],
  };
}
