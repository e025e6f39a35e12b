import { type Amount, amountsIn, writtenLike } from '../../content/amounts.ts';
import type { Booking, Step } from '../../content/ledger/chain.ts';
import { comesOut, ledgerFaults } from '../../content/ledger/faults.ts';
import { ledgerFinding } from '../../content/ledger/finding.ts';
import { ledgerOf } from '../../content/ledger/ledger.ts';
import { isDatedRow } from '../../content/ledger/rows.ts';
import { type Fault, type Statement, statementsOf } from '../../content/ledger/statement.ts';
import { textOf } from '../../content/read.ts';
import { isRedactedAmong, withRedaction } from '../../content/redacted.ts';
import { weighed } from '../../content/reread.ts';
import { wordLines } from '../../content/words.ts';
import type { Document, Page } from '../../model.ts';
import type { Evidence, Finding, Rule, Verdict } from '../../rule.ts';
import { notApplicable, verdictOf } from '../../rule.ts';

/**
 * A running balance is checked row by row: the balance before and what is booked give the balance after.
 *
 * How: columns are found by geometry, and which of them holds balances, credits and debits by what adds up; no heading is needed,
 * and the newest row may stand first. A row that fails means something only where nearly all others add up. A row that breaks
 * the chain on its own has a changed amount (or one before it a changed balance and amount); a balance that fits neither its row nor
 * the next is changed itself. Then the sums are checked: the stated totals paid in and out, and from the opening balance to the closing one. Where a
 * statement has only those two balances, a failing sum is at most medium.
 *
 * Known false positives: a bank's own error; a row whose amount is drawn as a picture. Rows with an honest explanation are left
 * out: another account or another list begins, pages are missing, a fee or a foreign amount makes up the difference, a figure could not be
 * read, a row is blackened (then it is for people). In text read from a picture a wrong digit may be the reader's: it is medium at most, when two more readings agree.
 *
 * Source: own reasoning; double-entry arithmetic.
 */
export const statementArithmetic: Rule = {
  name: 'statement-arithmetic',
  version: 2,
  title: 'Running balance of the statement',
  strength: 'strong',
  family: 'content',
  appliesTo: ['pdf', 'jpeg', 'png'],
  run,
};

async function run(document: Document): Promise<Verdict> {
  const { pages, isRead } = await textOf(document);
  const statements = statementsOf(pages);
  const sums = sumFindings(pages, statements);
  if (statements.length === 0 && sums === undefined) {
    return notApplicable('No list of bookings whose balances come out was recognised.');
  }
  const found = (fault: Fault) => (isRedactedIn(pages, fault) ? withRedaction(findingOf(fault)) : findingOf(fault));
  const findings = [...statements.flatMap(({ faults }) => faults.map(found)), ...(sums ?? [])];
  return verdictOf(isRead ? await weighed(document, pages, findings) : findings);
}

/** Undefined where opening and closing balance and the bookings between them are not understood, or do not come out for a reason that is not. */
function sumFindings(pages: readonly Page[], statements: readonly Statement[]): Finding[] | undefined {
  const [statement] = statements;
  if (statements.length > 1 || (statement !== undefined && statement.bookings === undefined)) return undefined;
  const lines = wordLines(pages);
  const amounts = amountsIn(lines);
  const ledger = ledgerOf(lines, amounts, statement?.bookings);
  if (ledger === undefined) return undefined;
  const faults = ledgerFaults(ledger, amounts);
  const findings = faults.map(ledgerFinding);
  if (faults.length === 0 && !comesOut(ledger)) return undefined;
  return isRedactedAmong(pages, amounts) ? findings.map(withRedaction) : findings;
}

/** Between two balances a booking may be blackened; a balance that both its neighbours contradict is off all the same. */
function isRedactedIn(pages: readonly Page[], fault: Fault): boolean {
  if (fault.kind === 'balance') return false;
  const { from, to, booked } = fault.step;
  return isRedactedAmong(pages, [from, to, ...booked.map(({ amount }) => amount)]);
}

function findingOf(fault: Fault): Finding {
  if (fault.kind === 'balance') return balanceFinding(fault.balance, fault.expected);
  const { step, earlier } = fault;
  const [booking] = step.booked;
  return booking !== undefined && step.booked.length === 1 ? bookingFinding(step, booking, earlier) : sumFinding(step);
}

function balanceFinding(balance: Amount, expected: number): Finding {
  const right = writtenLike(expected, balance);
  return {
    message: `The balance ${balance.text} on page ${balance.line.page} fits neither the rows before it nor those after it; both lead to ${right}.`,
    evidence: [evidenceOf(balance, right)],
  };
}

function bookingFinding(step: Step, booking: Booking, earlier: Step | undefined): Finding {
  const { from, to } = step;
  const { amount } = booking;
  const own = evidenceOf(amount, asShown(booking, booking.cents + step.error));
  const before = earlierEvidence(step, earlier);
  const end = { ...placeOf(to), after: to.text };
  const evidence = isLikelierBefore(step, booking, earlier) ? [...before, own, end] : [own, ...before, end];
  const message =
    `On page ${amount.line.page} the balance goes from ${from.text} to ${to.text}, which takes ${own.before ?? ''} between them; ` +
    `${amount.text} stands there${evidence[0] === own ? '' : ', so that the balance or the amount in the row before may be the one that is off'}.`;
  return { message, evidence };
}

/** Several bookings before the next balance: the wrong one is unknown, and without a date in each row some may not have been read. */
function sumFinding({ booked, from, to, error }: Step): Finding {
  const right = writtenLike(to.cents - error, to);
  const bookings = booked.map((booking) => ({
    ...evidenceOf(booking.amount, asShown(booking, booking.cents + error)),
    details: { possibly_this_one: true },
  }));
  return {
    message: `On page ${to.line.page} the ${booked.length} bookings after the balance ${from.text} lead to ${right}; ${to.text} stands there.`,
    strength: booked.every(({ amount }) => isDatedRow(amount.line)) ? 'strong' : 'medium',
    evidence: [...bookings, evidenceOf(to, right)],
  };
}

/** The break also comes about when the balance before, and mostly the amount in its row, were changed together. */
function earlierEvidence({ from, error }: Step, earlier: Step | undefined): Evidence[] {
  const evidence = [evidenceOf(from, writtenLike(from.cents + error, from))];
  const [booking] = earlier?.booked ?? [];
  if (earlier === undefined || booking === undefined || earlier.booked.length > 1) return evidence;
  return [evidenceOf(booking.amount, asShown(booking, booking.cents + error)), ...evidence];
}

/** Money that came in is what is made more of: a credit right before a debit that does not fit. */
function isLikelierBefore({ error }: Step, { cents }: Booking, earlier: Step | undefined): boolean {
  const [before] = earlier?.booked ?? [];
  return cents < 0 && error < 0 && before !== undefined && before.cents > 0 && before.cents + error > 0;
}

/** A column of debits shows them without a sign. */
function asShown({ amount, cents }: Booking, expected: number): string {
  return writtenLike(cents < 0 === amount.cents < 0 ? expected : -expected, amount);
}

function evidenceOf(amount: Amount, before: string): Evidence {
  return { ...placeOf(amount), before, after: amount.text };
}

function placeOf({ line, box }: Amount): Evidence {
  return { page: line.page, box };
}
