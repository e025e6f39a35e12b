import type { WordLine } from './words.ts';

const MARK = /\b(?:SPECIMEN|Specimen|ESP[EÉ]CIMEN|SP[EÉ]CIMEN|MUSTERMANN|UTOPIA)\b/u;
/** Fewer digits in a row occur in real numbers. */
const MIN_ROW = 7;
const ROWS = ['0123456789012345678', '9876543210987654321'];
const REASON = 'It is a specimen: official samples carry invented numbers.';

/** Whether a number is one of official samples: its page says so, or one digit repeats, or the digits count up or down. */
export function isSpecimen(lines: readonly WordLine[], { text, page }: { text: string; page: number }): boolean {
  const digits = text.replace(/\D/g, '');
  const isRow = Array.from({ length: digits.length }, (_, at) => digits.slice(at, at + MIN_ROW))
    .filter(({ length }) => length === MIN_ROW)
    .some((part) => ROWS.some((row) => row.includes(part)) || new Set(part).size === 1);
  return isRow || lines.some((line) => line.page === page && MARK.test(line.text));
}

/** A finding about a specimen is context. */
export function asSpecimen<Found extends { message: string }>(finding: Found): Found & { strength: 'context' } {
  return { ...finding, message: `${finding.message} ${REASON}`, strength: 'context' };
}
