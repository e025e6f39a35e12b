import { createHash } from 'node:crypto';
import type { Page } from '../model.ts';
import { amountsIn } from './amounts.ts';
import { datesIn, isoOf } from './dates.ts';
import { wordLines } from './words.ts';

/** With fewer amounts, or fewer distinct days beside them, two honest documents may match by chance. */
const MIN_AMOUNTS = 12;
const MIN_DAYS = 5;

/**
 * The days and amounts of a list of bookings, in reading order, as a SHA-256 in hex. It stays the same when a statement is reused under
 * another name and account number, however it is drawn. Undefined if there are too few to tell two statements apart. A payslip, whose
 * figures two employees may share, has too few days.
 */
export function figuresFingerprint(pages: readonly Page[]): string | undefined {
  const lines = wordLines(pages);
  const amounts = Map.groupBy(amountsIn(lines), ({ line }) => line);
  const figures: string[] = [];
  const days = new Set<string>();
  const sizes = new Set<number>();
  for (const [line, inLine] of amounts) {
    const [reading] = datesIn(line.text)[0]?.readings ?? [];
    // A line without its own date is a heading or a total.
    if (reading === undefined) continue;
    const day = isoOf({ month: reading.month, day: reading.day });
    days.add(day);
    for (const { cents } of inLine) sizes.add(Math.abs(cents));
    figures.push(`${day} ${inLine.map(({ cents }) => Math.abs(cents)).join(' ')}`);
  }
  if (sizes.size < MIN_AMOUNTS || days.size < MIN_DAYS) return undefined;
  return createHash('sha256').update(figures.join('\n')).digest('hex');
}
