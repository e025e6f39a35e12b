import type { Look } from '../analysis.ts';
import type { Paper } from '../claims.ts';
import { dayReader } from '../content/claims/period.ts';
import { isoOf, monthNamed } from '../content/dates.ts';
import { zonesIn } from '../content/ids/mrz.ts';
import { wordLines } from '../content/words.ts';
import type { Page } from '../model.ts';

const NAMED_MONTH = /(?<![\p{L}\d])(\p{L}{3,10})\.?(?: de| del)?[ \t/-]{1,3}(20\d\d)(?!\d)/gu;
const NUMBERED_MONTH = /(?<![\d./-])(0?[1-9]|1[0-2])[ ]?[/.-][ ]?(20\d\d)(?![\d./-])/g;
const MAX_DATES = 5_000;

/**
 * The newest day that a document is about: the end of its period, of its month, or else the newest day that it names. A day in the future
 * is a deadline, not the document's.
 */
export function newestDay(papers: readonly Paper[], pages: readonly Page[], today: string): string | undefined {
  const claimed = papers.flatMap(({ claims }) =>
    claims.flatMap(({ kind, value }) => (kind === 'to' ? [value] : kind === 'month' ? [endOfMonth(value)] : [])),
  );
  const [latest] = [...claimed.filter((day) => day.slice(0, 7) <= today.slice(0, 7))].sort().reverse();
  if (latest !== undefined) return latest;
  const lines = wordLines(pages);
  const read = dayReader(lines);
  const named = lines.flatMap(({ text }) => [
    ...read(text).flatMap(({ day }) => (day.year === undefined ? [] : [isoOf(day)])),
    ...[...text.matchAll(NAMED_MONTH)].flatMap(([, name = '', year = '']) => {
      const month = monthNamed(name);
      return month === undefined ? [] : [endOfMonth(`${year}-${String(month).padStart(2, '0')}`)];
    }),
    ...[...text.matchAll(NUMBERED_MONTH)].map(([, month = '', year = '']) =>
      endOfMonth(`${year}-${month.padStart(2, '0')}`),
    ),
  ]);
  return named
    .slice(0, MAX_DATES)
    .filter((day) => day.slice(0, 7) <= today.slice(0, 7))
    .sort()
    .at(-1);
}

/** When an identity document ends, by its machine-readable zone whose check digit is right. */
export async function expiryOf(pages: readonly Page[], isRead: boolean): Promise<string | undefined> {
  const [zone] = await zonesIn(wordLines(pages), isRead);
  const check = zone?.checks.find(({ name }) => name === 'date of expiry');
  if (!check || check.seen !== check.expected || !/^\d{6}$/.test(check.value)) return undefined;
  return check.value.replace(/(..)(..)(..)/, '20$1-$2-$3');
}

/** How many separate documents of a kind a file holds, such as three payslips. */
export function countOf(look: Look | undefined, papers: readonly Paper[]): number {
  if (look !== 'payslip' && look !== 'bank_statement') return 1;
  const wanted = papers.filter(({ kind }) => kind === (look === 'payslip' ? 'payslip' : 'statement'));
  const ofTime = wanted.map(({ claims }) => claims.find(({ kind }) => kind === 'month' || kind === 'to')?.value ?? '');
  return Math.max(1, new Set(ofTime).size);
}

function endOfMonth(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, number ?? 1, 0)).toISOString().slice(0, 10);
}
