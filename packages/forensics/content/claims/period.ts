import type { Claim } from '../../claims.ts';
import { type Day, datesIn, isoOf, monthNamed } from '../dates.ts';
import { folded } from '../labels.ts';
import { isDatedRow } from '../ledger/rows.ts';
import { boxWithin, type WordLine } from '../words.ts';

/** Days and months of payslips and statements. */

const PERIOD_LABEL =
  /\b(?:abrechnungsmonat|abrechnungszeitraum|lohnmonat|monat|zeitraum|(?:pay|statement|billing) period|period|month|tax period|periodo|mensilita|mese|mes|periode|maand|tijdvak|mois|competencia|okres|miesiac)\b/;
const PAYDAY_LABEL =
  /\b(?:zahltag|auszahlung(?:stag)?|uberweisung|valuta|zahlung|(?:pay(?:ment)?|check|cheque|process) date|paid (?:on|by)|pay day|direct deposit|fecha de (?:pago|abono)|transferencia|date de paiement|paye le|virement|data (?:di )?(?:pagamento|valuta)|bonifico|data de pagamento|betaaldatum|uitbetaald|data wyplaty|przelew)\b/;
const NAMED_MONTH = /(?<![\p{L}\d])(\p{L}{3,10})\.?(?: de| del)?[ \t/-]{1,3}(20\d\d)(?!\d)/gu;
const NUMBERED_MONTH = /(?<![\d./-])(0?[1-9]|1[0-2])[ ]?[/.-][ ]?(20\d\d)(?![\d./-])/g;
const DAYS_A_PERIOD = 400;
const DAY_MS = 86_400_000;

export interface Period {
  from: Claim;
  to: Claim;
}

/** Resolves dates that could be either 3 April or March 4 in the way of the document's other dates. */
export type ReadDay = (text: string) => { day: Day; start: number; end: number }[];

export function dayReader(lines: readonly WordLine[]): ReadDay {
  let monthFirst = 0;
  for (const line of lines)
    for (const { text } of datesIn(line.text)) {
      const [, one = '', two = ''] = /^(\d{1,2})\/ ?(\d{1,2})(?:\/|$)/.exec(text) ?? [];
      if (Number(two) > 12) monthFirst++;
      if (Number(one) > 12) monthFirst--;
    }
  return (text) =>
    datesIn(text).flatMap(({ readings, start, end }) => {
      // A two-digit year is read in both centuries, the current one first.
      const current = readings.filter(({ year }) => year === readings[0]?.year);
      const day = (monthFirst > 0 ? current[1] : undefined) ?? current[0];
      return day === undefined ? [] : [{ day, start, end }];
    });
}

/** The period that a statement names outside the booking rows: two full dates on one line. */
export function periodOf(lines: readonly WordLine[], read: ReadDay, hasAmount: (line: WordLine) => boolean) {
  for (const line of lines) {
    if (hasAmount(line) || (isDatedRow(line) && !PERIOD_LABEL.test(folded(line.text)))) continue;
    const days = read(line.text).filter(({ day }) => day.year !== undefined);
    const [first, second] = days;
    if (first === undefined || second === undefined || days.length > 2) continue;
    const [from, to] = [isoOf(first.day), isoOf(second.day)];
    const length = (Date.parse(to) - Date.parse(from)) / DAY_MS;
    if (length < 1 || length > DAYS_A_PERIOD) continue;
    return { from: claimAt('from', from, line, first), to: claimAt('to', to, line, second) };
  }
  return undefined;
}

/** The month of a payslip: the one beside a label, or else the only one above its figures. */
export function monthOf(lines: readonly WordLine[], read: ReadDay, figures: number): Claim | undefined {
  const labelled = lines.flatMap((line) => (PERIOD_LABEL.test(folded(line.text)) ? monthsIn(line, read) : []));
  const above = lines.slice(0, figures).flatMap((line) => monthsIn(line, () => []));
  const found = labelled.length > 0 ? labelled : above;
  return new Set(found.map(({ value }) => value)).size === 1 ? found[0] : undefined;
}

/** The payday that a payslip states. */
export function paydayOf(lines: readonly WordLine[], read: ReadDay): Claim | undefined {
  const found = lines.flatMap((line) => {
    if (!PAYDAY_LABEL.test(folded(line.text))) return [];
    const [first] = read(line.text).filter(({ day }) => day.year !== undefined);
    return first === undefined ? [] : [claimAt('payday', isoOf(first.day), line, first)];
  });
  return new Set(found.map(({ value }) => value)).size === 1 ? found[0] : undefined;
}

function monthsIn(line: WordLine, read: ReadDay): Claim[] {
  const month = (number: number, year: string, match: RegExpExecArray) =>
    claimAt('month', `${year}-${String(number).padStart(2, '0')}`, line, {
      start: match.index,
      end: match.index + match[0].length,
    });
  const named = [...line.text.matchAll(NAMED_MONTH)].flatMap((match) => {
    const number = monthNamed(match[1] ?? '');
    return number === undefined ? [] : [month(number, match[2] ?? '', match)];
  });
  const numbered = [...line.text.matchAll(NUMBERED_MONTH)].map((match) =>
    month(Number(match[1]), match[2] ?? '', match),
  );
  const days = read(line.text).filter(({ day }) => day.year !== undefined);
  const span = days.length === 2 ? days.map((one) => claimAt('month', isoOf(one.day).slice(0, 7), line, one)) : [];
  return [...named, ...numbered, ...span];
}

export function claimAt(
  kind: Claim['kind'],
  value: string,
  line: WordLine,
  { start, end }: { start: number; end: number },
): Claim {
  return { kind, value, text: line.text.slice(start, end), page: line.page, box: boxWithin(line, start, end) };
}
