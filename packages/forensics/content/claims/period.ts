import { type Claim, PAY_FREQUENCIES, type PayFrequency } from '../../claims.ts';
import { besideLabel } from '../beside.ts';
import { type Day, datesIn, isoOf, monthNamed } from '../dates.ts';
import { folded } from '../labels.ts';
import { isDatedRow } from '../ledger/rows.ts';
import { TITLES } from '../terms/terms.ts';
import { boxWithin, type WordLine } from '../words.ts';

/** Days and months of payslips and statements. */

const PERIOD_LABEL =
  /\b(?:abrechnungsmonat|abrechnungszeitraum|lohnmonat|monat|zeitraum|(?:pay|statement|billing) period|period|month|tax period|periodo|mensilita|mese|mes|periode|maand|tijdvak|mois|competencia|okres|miesiac)\b/;
const PAYDAY_LABEL =
  /\b(?:zahltag|auszahlung(?:stag)?|uberweisung|valuta|zahlung|(?:pay(?:ment)?|check|cheque|process) date|paid (?:on|by)|pay day|direct deposit|fecha de (?:pago|abono)|transferencia|date de paiement|paye le|virement|data (?:di )?(?:pagamento|valuta)|bonifico|data de pagamento|betaaldatum|uitbetaald|data wyplaty|przelew)\b/;
/** A week or another numbered period; hours a week are none. */
const NUMBERED_PERIOD =
  /(?<!(?:per|hours?|hrs|std|heures|horas|ore) ?|\/ ?)\b(?:tax |pay |payroll )?(?:(?<week>week|wk|kw|kalenderwoche|semana|semaine|settimana|vecka|tydzien)|period|periode|periodo)(?: ?(?:no|nr|number|num|numero|n))?[.:#]{0,2}\s{0,3}(?<number>\d{1,2})(?![\d.,:/%-])/g;
/** Before how often the payslip pays. */
const FREQUENCY_LABEL =
  /\b(?:(?:pay(?:ment|roll)?|salary|wage|payslip|loon) ?(?:frequency|period|interval|cycle|basis|group|run|schedule)|frequency|period|abrechnungs(?:art|turnus|rhythmus|zeitraum)|zahlungsweise|periodicidad(?: de pago)?|periodicite(?: de paie)?|periode(?: de paie)?|periodicita|periodicidade|periodicitat|periodo(?: de (?:liquidacion|pago|pagamento))?|(?:loon)?tijdvak|verloningsperiode|verloning|periode|okres(?: rozliczeniowy)?)\b/;
const FREQUENCY: Readonly<Record<PayFrequency, string>> = {
  'four-weeks':
    '(?:four|4|vier)[ -]?(?:weekly|weeks?|wekelijks|weken|wochentlich|wochen)|lunar|cuatrisemanal|quadrisettimanale|toutes les (?:4|quatre) semaines',
  'two-weeks':
    'fortnight(?:ly)?|bi-?weekly|(?:two|2|twee|zwei)[ -]?(?:weekly|weeks?|wekelijks|weken|wochentlich|wochen)|14-?tagig|catorcenal|toutes les (?:2|deux) semaines|co dwa tygodnie',
  'half-month':
    'semi-?monthly|half-?monthly|bimensuel(?:le)?|(?:1a|2a|1o|2o|primera|segunda|prima|seconda|primeira|premiere|deuxieme)? ?(?:quincenal|quincena|quinzenal|quinzena|quinzaine|quindicinale|quindicina)|halbmonatlich|polmiesieczn\\w*',
  week: 'weekly|week(?! ?(?:no|nr)?[.:]? ?\\d)|wochentlich|woche|wochenlohn|semanal|hebdomadaire|hebdo|settimanale|setmanal|wekelijks|tygodniow\\w*',
  month:
    'monthly|calendar month|monatlich|monat|mensual|mensuel(?:le)?|mensile|mensal|mensualitat|maandelijks|maand|miesieczn\\w*',
};
/** Names that stand for a way of being paid without a label, and words that end a period. */
const PAID_BY: Readonly<Record<PayFrequency, RegExp>> = {
  'four-weeks':
    /\b(?:(?:four|4)[ -]weekly|vierwekelijks|vierwochenlohn|(?:four|4) weeks? end(?:ing|ed|s)?|(?:4|vier)[ -]?weken(?:periode|loon)?)\b/,
  'two-weeks':
    /\b(?:fortnightly|fortnight end(?:ing|ed|s)?|bi-?weekly|(?:two|2)[ -]weekly|(?:two|2) weeks? end(?:ing|ed|s)?|tweewekelijks|catorcenal|(?:2|twee)[ -]?weken(?:periode|loon)?)\b/,
  'half-month': /\b(?:semi-?monthly|quincena|quincenal|quinzena|quinzenal|quinzaine|quindicina|quindicinale)\b/,
  week: /\b(?:week(?:ly)? (?:pay|wages?|payslip|paid|end(?:ing|ed|s)?)|paid weekly|w\/e|wochenlohn|weekloon|kw|kalenderwoche)\b/,
  month:
    /\b(?:monthly (?:pay|salary|payslip|paid)|paid monthly|(?:tax )?(?:month|mth) ?(?:no|nr|number)?[.:]? {0,3}(?:0?[1-9]|1[0-2])(?![\d.,:/%-])|(?:nomina|recibo) mensual|bulletin mensuel|cedolino mensile)\b/,
};
const BEGINS_WITH_FREQUENCY = new RegExp(
  `^([\\s:.(-]{0,8})(${PAY_FREQUENCIES.map((value) => FREQUENCY[value]).join('|')})(?![\\p{L}\\d])`,
  'u',
);
const WHOLE = PAY_FREQUENCIES.map((value) => ({ value, words: new RegExp(`^(?:${FREQUENCY[value]})$`) }));
/** Before the day on which the employment began. */
const JOINED_LABEL =
  /\b(?:eintritt(?:s(?:datum|tag))?|(?:date|day) (?:of )?(?:joined|joining|hire)|joined|hire date|(?:employment )?start date|date d'(?:entree|embauche)|fecha (?:de )?(?:alta|ingreso)|data (?:di )?assunzione|data (?:de )?admissao|data d'alta|(?:datum )?in dienst(?:treding)?(?: sinds)?|data zatrudnienia)\b/;
/** Before the last day of a period. */
const PERIOD_END = /\b(?:(?:week|fortnight|pay|period) end(?:ing|ed|s)?\b|w\/e\b)/;
const TO =
  '(?=[^a-z–-]*[a-z–-])(?:[ \\t:–-]|to|until|till|bis|zum|au|al?|tot|met|en|t/m|do|ate|tom|til|el|period|end|date){1,9}';
/** Between the first and the last day of a period. */
const BETWEEN_DAYS = new RegExp(`^${TO}$`);
/** Before the last day of a month, as in "del 1 al 28 de febrero de 2025". */
const FIRST_OF_MONTH = new RegExp(`(?<![\\d.,/-])(\\d{1,2})(?:[.]|o|st|nd|rd|th)?${TO}$`);
const NAMED_MONTH = /(?<![\p{L}\d])(\p{L}{3,10})\.?(?: de| del)?[ \t/-]{1,3}(20\d\d)(?!\d)/gu;
const NUMBERED_MONTH = /(?<![\d./-])(0?[1-9]|1[0-2])[ ]?[/.-][ ]?(20\d\d)(?![\d./-])/g;
const LAST_WEEK = 53;
/** Longer than half a month, which some employers pay. */
const MIN_DAYS_A_MONTH = 17;
/** Five weeks. */
const MAX_DAYS_A_MONTH = 35;
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

/** The days of a payslip: from the first to the last, or the last alone. */
export function payPeriodOf(lines: readonly WordLine[], read: ReadDay, figures: number): Claim[] {
  const spans = lines.flatMap((line, index) => spanIn(line, read, index < figures));
  const found = spans.length > 0 ? spans : lines.flatMap((line) => endIn(line, read));
  return new Set(found.map((claims) => claims.map(({ value }) => value).join())).size === 1 ? (found[0] ?? []) : [];
}

/** Two dates with a word such as "to" between them, or beside a label. Only the last needs a year. */
function spanIn(line: WordLine, read: ReadDay, isAbove: boolean): [from: Claim, to: Claim][] {
  const text = folded(line.text);
  const isLabelled = PERIOD_LABEL.test(text);
  const days = isLabelled || isAbove ? read(line.text) : [];
  return days.flatMap((last, index): [from: Claim, to: Claim][] => {
    const first = days[index - 1] ?? dayBefore(last, text);
    if (first === undefined || last.day.year === undefined) return [];
    const between = text.slice(first.end, last.start);
    const isBeside = isLabelled && days.length === 2 && /^\s+$/.test(between);
    if (!isBeside && !BETWEEN_DAYS.test(between)) return [];
    const year = first.day.year ?? last.day.year - (first.day.month > last.day.month ? 1 : 0);
    const [from, to] = [
      claimAt('from', isoOf({ ...first.day, year }), line, first),
      claimAt('to', isoOf(last.day), line, last),
    ];
    return from.value < to.value && daysOf(from, to) <= MAX_DAYS_A_MONTH ? [[from, to]] : [];
  });
}

/** The first day, without a month of its own. */
function dayBefore({ day, start }: ReturnType<ReadDay>[number], text: string): ReturnType<ReadDay>[number] | undefined {
  const match = FIRST_OF_MONTH.exec(text.slice(0, start));
  if (match === null) return undefined;
  const number = match[1] ?? '';
  return { day: { ...day, day: Number(number) }, start: match.index, end: match.index + number.length };
}

function endIn(line: WordLine, read: ReadDay): [to: Claim][] {
  const label = PERIOD_END.exec(folded(line.text));
  const days =
    label === null ? [] : read(line.text).filter(({ day, start }) => day.year !== undefined && start > label.index);
  return days.slice(0, 1).map((one) => [claimAt('to', isoOf(one.day), line, one)]);
}

function daysOf(from: Claim, to: Claim): number {
  return (Date.parse(to.value) - Date.parse(from.value)) / DAY_MS + 1;
}

/** The number of a payslip's week or other period. */
export function periodNumberOf(lines: readonly WordLine[]): Claim | undefined {
  return onlyOne(lines.flatMap((line) => numbersIn(line)).map(({ claim }) => claim));
}

function numbersIn(line: WordLine): { claim: Claim; isWeek: boolean }[] {
  return [...folded(line.text).matchAll(NUMBERED_PERIOD)].flatMap((match) => {
    const { number = '', week } = match.groups ?? {};
    const end = match.index + match[0].length;
    // As in "1 February" or "40 hours"; a tab begins another column.
    if (Number(number) > LAST_WEEK || /^ ?[\p{L}(]/u.test(line.text.slice(end))) return [];
    const claim = claimAt('period', String(Number(number)), line, { start: end - number.length, end });
    return [{ claim, isWeek: week !== undefined }];
  });
}

/**
 * The month whose pay a payslip is of: that of its days, the one beside a label or in the title, or else the only one above its figures. None if it states a
 * week or a few days.
 */
export function monthOf(lines: readonly WordLine[], read: ReadDay, figures: number): Claim | undefined {
  if (lines.some((line) => numbersIn(line).some(({ isWeek }) => isWeek))) return undefined;
  const [from, to] = payPeriodOf(lines, read, figures);
  if (from !== undefined && to !== undefined) {
    if (daysOf(from, to) < MIN_DAYS_A_MONTH) return undefined;
    const month = from.value.slice(0, 7);
    if (to.value.startsWith(month)) return { ...from, kind: 'month', value: month };
  }
  const labelled = lines.flatMap((line) => (PERIOD_LABEL.test(folded(line.text)) ? monthsIn(line) : []));
  const top = lines.slice(0, figures);
  const titled = top.filter(({ text }) => TITLES.payslip.test(folded(text))).flatMap((line) => monthsIn(line));
  const above = top.flatMap((line) => monthsIn(line));
  return onlyOne([labelled, titled, above].find((months) => months.length > 0) ?? []);
}

function onlyOne(claims: readonly Claim[]): Claim | undefined {
  return new Set(claims.map(({ value }) => value)).size === 1 ? claims[0] : undefined;
}

/** The payday that a payslip states. */
export function paydayOf(lines: readonly WordLine[], read: ReadDay): Claim | undefined {
  const found = lines.flatMap((line) => {
    const label = PAYDAY_LABEL.exec(folded(line.text));
    const days = label === null ? [] : read(line.text).filter(({ day }) => day.year !== undefined);
    const first = days.find(({ start }) => start > (label?.index ?? 0)) ?? days[0];
    return first === undefined ? [] : [claimAt('payday', isoOf(first.day), line, first)];
  });
  return onlyOne(found);
}

/** How often a payslip says that it pays; undefined if it says nothing, or several ways. @param lines those without figures */
export function frequencyOf(lines: readonly WordLine[]): Claim | undefined {
  const labelled = besideLabel(lines, FREQUENCY_LABEL, (text) => {
    const match = BEGINS_WITH_FREQUENCY.exec(folded(text));
    const [found = '', before = '', words = ''] = match ?? [];
    return match === null ? undefined : { text: words, start: before.length, end: found.length };
  }).flatMap(({ text, page, box }): Claim[] => {
    const known = WHOLE.find(({ words }) => words.test(folded(text)));
    return known === undefined ? [] : [{ kind: 'frequency', value: known.value, text, page, box }];
  });
  const named = lines.flatMap((line) =>
    PAY_FREQUENCIES.flatMap((value) => {
      const match = PAID_BY[value].exec(folded(line.text));
      return match === null
        ? []
        : [claimAt('frequency', value, line, { start: match.index, end: match.index + match[0].length })];
    }).slice(0, 1),
  );
  return onlyOne(labelled.length > 0 ? labelled : named);
}

/** The day on which the employment began. */
export function joinedOf(lines: readonly WordLine[], read: ReadDay): Claim | undefined {
  return onlyOne(
    lines.flatMap((line) => {
      const label = JOINED_LABEL.exec(folded(line.text));
      const days = label === null ? [] : read(line.text);
      const [day] = days.filter(({ day: { year }, start }) => year !== undefined && start > (label?.index ?? 0));
      return day === undefined ? [] : [claimAt('joined', isoOf(day.day), line, day)];
    }),
  );
}

/** Months that are not parts of dates. */
function monthsIn(line: WordLine): Claim[] {
  const month = (number: number, year: string, match: RegExpExecArray) =>
    claimAt('month', `${year}-${String(number).padStart(2, '0')}`, line, {
      start: match.index,
      end: match.index + match[0].length,
    });
  const named = [...line.text.matchAll(NAMED_MONTH)].flatMap((match) => {
    const number = monthNamed(match[1] ?? '');
    const isDate = /\d(?:st|nd|rd|th|er)?[.º]?(?: de)? $/.test(line.text.slice(0, match.index));
    return number === undefined || isDate ? [] : [month(number, match[2] ?? '', match)];
  });
  const numbered = [...line.text.matchAll(NUMBERED_MONTH)].map((match) =>
    month(Number(match[1]), match[2] ?? '', match),
  );
  return [...named, ...numbered];
}

export function claimAt(
  kind: Claim['kind'],
  value: string,
  line: WordLine,
  { start, end }: { start: number; end: number },
): Claim {
  return { kind, value, text: line.text.slice(start, end), page: line.page, box: boxWithin(line, start, end) };
}
