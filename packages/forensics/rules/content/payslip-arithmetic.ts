import { type Amount, writtenLike } from '../../content/amounts.ts';
import { payslipOf } from '../../content/payslip.ts';
import { checkSums, type PayslipFault } from '../../content/payslip-faults.ts';
import { textOf } from '../../content/read.ts';
import { isRedactedAmong, withRedaction } from '../../content/redacted.ts';
import { weighed } from '../../content/reread.ts';
import { wordLines } from '../../content/words.ts';
import type { Document } from '../../model.ts';
import type { Evidence, Finding, Rule, Strength, Verdict } from '../../rule.ts';
import { notApplicable, verdictOf } from '../../rule.ts';

/**
 * Gross pay minus deductions must be net pay, and each total must be the sum of its lines.
 *
 * How: finds the totals by their names in several languages, and their lines by column. A finding is strong if two sums agree on which
 * figure is wrong (lines and difference, or a difference between totals that their lines confirm), and medium if only one sum fails. If a
 * name may refer to several figures and no choice of them adds up, the rule is silent.
 *
 * Known false positives: pay that is neither gross nor deducted and appears nowhere on the page. If an amount on the page (expenses, a tax
 * taken from the net), or the sum or difference of two, explains the difference, there is no finding; if net pay is too low, lines of gross
 * pay do, because benefits in kind, meal cards and tips are part of it and not paid in money. Nor is there a finding below one unit of the
 * currency, which may be rounding. If a place among the amounts is blackened, the finding is context. In OCR text a wrong digit may be a
 * misreading: a strong finding becomes medium if two more readings agree, and context otherwise.
 *
 * Source: own reasoning; payslip layouts required by national law (§ 108 GewO, art. R3243-1 Code du travail, Orden ESS/2098/2014,
 * Employment Rights Act 1996 section 8).
 */
export const payslipArithmetic: Rule = {
  name: 'payslip-arithmetic',
  version: 5,
  title: 'Sums of the payslip',
  strength: 'strong',
  family: 'content',
  substance: true,
  appliesTo: ['pdf', 'jpeg', 'png'],
  run,
};

const PAGES = 30;
const SUSPECTS = 6;
const UNCLEAR = 'The payslip’s figures can be read in more than one way, so its sums were not checked.';

async function run(document: Document): Promise<Verdict> {
  const { pages, isRead } = await textOf(document);
  const payslips = pages.slice(0, PAGES).flatMap((page) => {
    const payslip = payslipOf(wordLines([page]));
    return payslip === undefined ? [] : [{ payslip, isRedacted: isRedactedAmong([page], payslip.amounts) }];
  });
  if (payslips.length === 0) return notApplicable('No payslip with gross pay, deductions and net pay was recognised.');
  let holding = 0;
  const findings = payslips.flatMap(({ payslip, isRedacted }) => {
    const checked = checkSums(payslip);
    holding += checked.holding;
    const found = checked.faults.map((fault) => findingOf(fault, isRead));
    return isRedacted ? found.map(withRedaction) : found;
  });
  const weighty = isRead ? await weighed(document, pages, findings) : findings;
  return verdictOf(weighty, { count: holding, what: 'sum', none: UNCLEAR });
}

function findingOf(fault: PayslipFault, isRead: boolean): Finding {
  const { amount, expected, orElse, isCertain, because } = fault;
  const right = asShown(expected, amount);
  const total = { ...placeOf(amount), before: right, after: amount.text };
  const others = orElse.map((value) => ({ ...total, before: asShown(value, amount) }));
  // If OCR missed a line, the sum of the lines is too small.
  const strength: Strength = isCertain && !(isRead && because === 'items') ? 'strong' : 'medium';
  const suspects = fault.suspects.slice(0, SUSPECTS).map((suspect) => ({
    ...placeOf(suspect.amount),
    before: asShown(suspect.expected, suspect.amount),
    after: suspect.amount.text,
    details: { possibly_this_one: true },
  }));
  const where = `on page ${amount.line.page}`;
  if (because === 'items') {
    const message = `The lines that make up ${amount.text} ${where} add up to ${right}, so one of them is wrong.`;
    return { message, evidence: [...suspects, total], strength };
  }
  const isOneOf = suspects.length > 0 ? ', so one of these is wrong' : '';
  const message =
    because === 'difference'
      ? `Net pay ${where} reads ${amount.text}; the other figures require ${[right, ...others.map(({ before }) => before)].join(' or ')}${isOneOf}.`
      : `${amount.text} is stated ${where}; its own lines and the other totals both require ${right}.`;
  return { message, evidence: [total, ...others, ...suspects], strength };
}

/** A list of deductions may show them as negative amounts. */
function asShown(expected: number, amount: Amount): string {
  return writtenLike(amount.cents < 0 ? -expected : expected, amount);
}

function placeOf({ line, box }: Amount): Evidence {
  return { page: line.page, box };
}
