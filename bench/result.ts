import { styleText } from 'node:util';
import { list, type Row } from '../bin/admin/cli/output.ts';
import type { Config } from '../core/settings/config.ts';

export type DatabaseName = Config['database']['dialect'];

/** The result of a measurement. */
export interface Result {
  title: string;
  rows: Row[];
  marks: Mark[];
  /** What a reader must know about the method. */
  note?: string;
}

/** A promise with its figure: at least, or at most, the limit. */
export interface Mark {
  database: DatabaseName;
  promise: string;
  value: number;
  limit: { least: number } | { most: number };
  unit?: string;
}

export function printResult({ title, rows, note }: Result): void {
  console.log(styleText('underline', title));
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  console.log(`${list(rows, { columns, empty: 'nothing', note }).text}\n`);
}

/**
 * @returns whether all promises were kept
 */
export function printMarks(marks: readonly Mark[]): boolean {
  for (const mark of marks) {
    const { database, promise, value, limit, unit = '' } = mark;
    const verdict = isKept(mark) ? styleText('green', '✔') : styleText('red', '✘');
    const bound = 'least' in limit ? `at least ${rounded(limit.least)}` : `at most ${rounded(limit.most)}`;
    console.log(`${verdict} ${database}: ${promise}: ${rounded(value)}${unit && ` ${unit}`} (${bound})`);
  }
  const broken = marks.filter((mark) => !isKept(mark)).length;
  if (marks.length === 0) console.log('Of what was measured, nothing was promised.');
  else console.log(broken === 0 ? 'Every promise was kept.' : `${broken} promises were not kept.`);
  return broken === 0;
}

function isKept({ value, limit }: Mark): boolean {
  return 'least' in limit ? value >= limit.least : value <= limit.most;
}

export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

/** NaN when there are no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return (low + high) / 2;
}

/** By the nearest-rank method; infinite when there are no values. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.POSITIVE_INFINITY;
}
