import type { Box, Page } from '../model.ts';
import type { Finding } from '../rule.ts';
import type { Amount } from './amounts.ts';

/** In points: the first line of a list, or its last one, may be the blackened one. */
const A_LINE = 30;
const REASON = 'Part of the page is blackened there, which may hide what is missing.';

/** Whether a blackened place stands among amounts: between the first of them and the last, or next to them, and in one of their columns. */
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

/** For people: a sum in which a figure cannot be seen contradicts nothing. */
export function withRedaction(finding: Finding): Finding {
  return { ...finding, message: `${finding.message} ${REASON}`, strength: 'context' };
}

function shareColumn(one: Box, other: Box): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width;
}
