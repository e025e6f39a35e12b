import type { Evidence, Finding } from '../../rule.ts';
import { type Amount, writtenLike } from '../amounts.ts';
import type { LedgerFault } from './faults.ts';

/** A sum that fails, for a caseworker. */
export function ledgerFinding(fault: LedgerFault): Finding {
  const { stated, expected, off, suspects } = fault;
  const right = writtenLike(expected, stated);
  const total = { ...placeOf(stated), before: right, after: stated.text };
  const bookings = suspects.map(({ amount, expected: wanted }) => ({
    ...placeOf(amount),
    before: writtenLike(wanted, amount),
    after: amount.text,
    details: { possibly_this_one: true },
  }));
  return {
    message: messageOf(fault, right),
    evidence: off === 'stated' ? [total, ...bookings] : [...bookings, total],
    strength: fault.isCertain ? 'strong' : 'medium',
  };
}

function messageOf({ stated, what, off }: LedgerFault, right: string): string {
  const where = `on page ${stated.line.page}`;
  if (what === 'closing balance' && off === 'either') {
    return `The opening balance and all transactions add up to ${right}; the closing balance ${where} reads ${stated.text}.`;
  }
  if (what === 'closing balance') {
    return `The opening balance and the totals paid in and out add up to ${right}; the closing balance ${where} reads ${stated.text}.`;
  }
  const sum = `The transactions ${what} add up to ${right}; the statement says ${stated.text} ${where}`;
  return off === 'stated'
    ? `${sum}, and its balances confirm the transactions.`
    : `${sum}, and its balances confirm that total, so a transaction is wrong.`;
}

function placeOf({ line, box }: Amount): Evidence {
  return { page: line.page, box };
}
