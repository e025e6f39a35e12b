import { styleText } from 'node:util';
import { list } from '../../../bin/admin/cli/output.ts';
import { isKept, type Mark, type Result, rounded } from './result.ts';

export function printResult({ title, rows, note }: Result): void {
  console.log(styleText('underline', title));
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  console.log(`${list(rows, { columns, empty: 'nothing', note }).text}\n`);
}

/** @returns whether all were kept */
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
