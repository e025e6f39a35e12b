import { type Amount, amountsIn, writtenLike } from '../../content/amounts.ts';
import type { Booking, Step } from '../../content/ledger/chain.ts';
import { comesOut, ledgerFaults } from '../../content/ledger/faults.ts';
import { ledgerFinding } from '../../content/ledger/finding.ts';
import { ledgerOf } from '../../content/ledger/ledger.ts';
import { isDatedRow } from '../../content/ledger/rows.ts';
import type { Balance } from '../../content/ledger/spans.ts';
import { type Fault, type Statement, statementsOf } from '../../content/ledger/statement.ts';
import { textOf } from '../../content/read.ts';
import { isRedactedAmong, withRedaction } from '../../content/redacted.ts';
import { weighed } from '../../content/reread.ts';
import { wordLines } from '../../content/words.ts';
import type { Document, Page } from '../../model.ts';
import type { Evidence, Finding, Rule, Verdict } from '../../rule.ts';
import { notApplicable, verdictOf } from '../../rule.ts';

/**
 * A running balance must add up row by row: the previous balance and the booking give the next balance.
 *
 * How: finds columns by geometry, and identifies balances, credits and debits by what adds up; it needs no headings, and rows may be newest
 * first. A failing row counts only if nearly all others add up. If a single row breaks the chain, its amount was changed (or the balance
 * and the amount before it); a balance that fits neither its own row nor the next was itself changed. Then the sums are checked: the stated
 * totals paid in and out, and the path from the opening to the closing balance. If a statement has only those two balances, a failing sum
 * is at most medium. A balance without a minus beside it may be negative: many issuers print that in red or with a mark in another column.
 *
 * Known false positives: an error of the bank; a row whose amount is drawn as a picture. Rows with an honest explanation are skipped:
 * another account or list begins, pages are missing, a fee or a foreign amount accounts for the difference, or a figure could not be read.
 * If a row is blackened, the finding is context. In OCR text a wrong digit may be a misreading: a strong finding becomes medium if two more
 * readings agree, and context otherwise.
 *
 * Source: own reasoning; double-entry arithmetic.
 */
export const statementArithmetic: Rule = {
  name: 'statement-arithmetic',
  version: 4,
  title: 'Running balance of the statement',
  strength: 'strong',
  family: 'content',
  substance: true,
  appliesTo: ['pdf', 'jpeg', 'png'],
  run,
};

async function run(document: Document): Promise<Verdict> {
  const { pages, isRead } = await textOf(document);
  const statements = statementsOf(pages);
  const balanced = sumFindings(pages, statements);
  if (statements.length === 0 && balanced === undefined) {
    return notApplicable('No list of bookings whose balances come out was recognised.');
  }
  const found = (fault: Fault) => (isRedactedIn(pages, fault) ? withRedaction(findingOf(fault)) : findingOf(fault));
  const findings = [...statements.flatMap(({ faults }) => faults.map(found)), ...(balanced ?? [])];
  const sums = statements.length + (balanced === undefined ? 0 : 1);
  return verdictOf(isRead ? await weighed(document, pages, findings) : findings, {
    count: sums,
    what: 'list of bookings',
    many: 'lists of bookings',
  });
}

/** Undefined if the balances and the bookings between them are not understood, or if they do not add up and the cause is unknown. */
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

/** A booking between two balances may be blackened; a balance that both its neighbours contradict is wrong regardless. */
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
    message: `The balance ${balance.text} on page ${balance.line.page} fits neither the rows before it nor those after it; both give ${right}.`,
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
    `On page ${amount.line.page} the balance goes from ${withSign(from)} to ${withSign(to)}, which requires ${own.before ?? ''} between them; ` +
    `the row shows ${amount.text}${evidence[0] === own ? '' : ', so the balance or the amount in the row before may be the wrong one'}.`;
  return { message, evidence };
}

/** Several bookings before the next balance: it is unknown which is wrong, and unless each row has a date, some may have been missed. */
function sumFinding({ booked, from, to, error }: Step): Finding {
  const right = writtenLike(to.cents - error, to);
  const bookings = booked.map((booking) => ({
    ...evidenceOf(booking.amount, asShown(booking, booking.cents + error)),
    details: { possibly_this_one: true },
  }));
  return {
    message: `On page ${to.line.page} the ${booked.length} transactions after the balance ${withSign(from)} give ${right}; the statement shows ${to.text}.`,
    strength: booked.every(({ amount }) => isDatedRow(amount.line)) ? 'strong' : 'medium',
    evidence: [...bookings, evidenceOf(to, right)],
  };
}

/** The minus of a balance may stand elsewhere, or be a colour. */
function withSign({ text, cents, isOpen }: Balance): string {
  return isOpen && cents < 0 ? `-${text}` : text;
}

/** The same break results if the previous balance was changed, usually together with the amount in its row. */
function earlierEvidence({ from, error }: Step, earlier: Step | undefined): Evidence[] {
  const evidence = [evidenceOf(from, writtenLike(from.cents + error, from))];
  const [booking] = earlier?.booked ?? [];
  if (earlier === undefined || booking === undefined || earlier.booked.length > 1) return evidence;
  return [evidenceOf(booking.amount, asShown(booking, booking.cents + error)), ...evidence];
}

/** Forgers inflate income: a credit right before a debit that does not fit is the likelier one. */
function isLikelierBefore({ error }: Step, { cents }: Booking, earlier: Step | undefined): boolean {
  const [before] = earlier?.booked ?? [];
  return cents < 0 && error < 0 && before !== undefined && before.cents > 0 && before.cents + error > 0;
}

/** A debit column shows its amounts without a sign. */
function asShown({ amount, cents }: Booking, expected: number): string {
  return writtenLike(cents < 0 === amount.cents < 0 ? expected : -expected, amount);
}

function evidenceOf(amount: Amount, before: string): Evidence {
  return { ...placeOf(amount), before, after: amount.text };
}

function placeOf({ line, box }: Amount): Evidence {
  return { page: line.page, box };
}
