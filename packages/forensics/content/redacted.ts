import type { Box, Page } from '../model.ts';
import type { Finding } from '../rule.ts';
import type { Amount } from './amounts.ts';

/** In points: the blackened line may be the first or last of a list. */
const A_LINE = 30;
const REASON = 'Part of the page is blackened there, which may hide what is missing.';

/** Whether a blackened place is in a column of amounts, between the first and the last amount or right next to them. */
export function isRedactedAmong(pages: readonly Page[], amounts: readonly Amount[]): boolean {
  return pages.some(({ number, redactions = [] }) => {
    const own = amounts.filter(({ line }) => line.page === number).map(({ box }) => box);
    if (own.length === 0 || redactions.length === 0) return false;
    const top = Math.min(...own.map(({ y }) => y)) - A_LINE;
    const bottom = Math.max(...own.map(({ y, height }) => y + height)) + A_LINE;
    return redactions.some(
      (bar) => bar.y < bottom && bar.y + bar.height > top && own.some((amount) => shareColumn(bar, amount)),
    );
  });
}

/** Context only: a sum with an illegible figure contradicts nothing. */
export function withRedaction(finding: Finding): Finding {
  return { ...finding, message: `${finding.message} ${REASON}`, strength: 'context' };
}

function shareColumn(one: Box, other: Box): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width;
}
