import { type Amount, writtenLike } from '../../content/amounts.ts';
import { payslipOf } from '../../content/payslip.ts';
import { type PayslipFault, payslipFaults } from '../../content/payslip-faults.ts';
import { textOf } from '../../content/read.ts';
import { isRedactedAmong, withRedaction } from '../../content/redacted.ts';
import { weighed } from '../../content/reread.ts';
import { wordLines } from '../../content/words.ts';
import type { Document } from '../../model.ts';
import type { Evidence, Finding, Rule, Strength, Verdict } from '../../rule.ts';
import { notApplicable, verdictOf } from '../../rule.ts';

/**
 * Gross pay less deductions gives net pay, and each of the totals is the sum of its lines.
 *
 * How: the totals are found by their names in several languages, their lines by the column they stand in. It is strong when two sums agree on
 * which figure is off (lines and difference, or a difference of two totals that are each borne out by their lines), medium when only one sum
 * fails. Where several figures may be meant by a name, and no choice of them comes out, nothing is said.
 *
 * Known false positives: pay that is neither gross nor deducted and stands nowhere on the page. What stands there (expenses, benefits in kind, a tax
 * taken from the net) explains a difference, alone or two of them together, and then there is no finding; nor is there below one unit of
 * the currency, which may be rounding. Where a place among the amounts is blackened, a difference is for people. In text read from a picture a wrong digit may be the reader's: what would be strong is medium at most, when two
 * more readings agree.
 *
 * Source: own reasoning; the layouts that national law asks of payslips (§ 108 GewO, art. R3243-1 Code du travail, Orden ESS/2098/2014,
 * Employment Rights Act 1996 section 8).
 */
export const payslipArithmetic: Rule = {
  name: 'payslip-arithmetic',
  version: 2,
  title: 'Sums of the payslip',
  strength: 'strong',
  family: 'content',
  appliesTo: ['pdf', 'jpeg', 'png'],
  run,
};

const PAGES = 30;
const SUSPECTS = 6;

async function run(document: Document): Promise<Verdict> {
  const { pages, isRead } = await textOf(document);
  const payslips = pages.slice(0, PAGES).flatMap((page) => {
    const payslip = payslipOf(wordLines([page]));
    return payslip === undefined ? [] : [{ payslip, isRedacted: isRedactedAmong([page], payslip.amounts) }];
  });
  if (payslips.length === 0) return notApplicable('No payslip with gross pay, deductions and net pay was recognised.');
  const findings = payslips.flatMap(({ payslip, isRedacted }) => {
    const found = payslipFaults(payslip).map((fault) => findingOf(fault, isRead));
    return isRedacted ? found.map(withRedaction) : found;
  });
  return verdictOf(isRead ? await weighed(document, pages, findings) : findings);
}

function findingOf(fault: PayslipFault, isRead: boolean): Finding {
  const { amount, expected, isCertain, because } = fault;
  const right = asShown(expected, amount);
  const total = { ...placeOf(amount), before: right, after: amount.text };
  // A line that the reader of a picture missed would leave the sum of the lines short.
  const strength: Strength = isCertain && !(isRead && because === 'items') ? 'strong' : 'medium';
  const suspects = fault.suspects.slice(0, SUSPECTS).map((suspect) => ({
    ...placeOf(suspect.amount),
    before: asShown(suspect.expected, suspect.amount),
    after: suspect.amount.text,
    details: { possibly_this_one: true },
  }));
  const where = `on page ${amount.line.page}`;
  if (because === 'items') {
    const message = `The lines that make up ${amount.text} ${where} add up to ${right}, so that one of them is off.`;
    return { message, evidence: [...suspects, total], strength };
  }
  const source =
    because === 'difference' ? 'gross pay less deductions gives' : 'its own lines and the other totals both give';
  const message = `${amount.text} stands ${where} where ${source} ${right}${suspects.length > 0 ? ', so that one of these is off' : ''}.`;
  return { message, evidence: [total, ...suspects], strength };
}

/** A list of deductions may show them below zero. */
function asShown(expected: number, amount: Amount): string {
  return writtenLike(amount.cents < 0 ? -expected : expected, amount);
}

function placeOf({ line, box }: Amount): Evidence {
  return { page: line.page, box };
}
