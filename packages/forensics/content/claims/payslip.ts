import type { Claim, Paper } from '../../claims.ts';
import type { Page } from '../../model.ts';
import { type Amount, amountsIn } from '../amounts.ts';
import { besideLabel } from '../beside.ts';
import { labelledAmounts } from '../labelled-amounts.ts';
import { folded, GROSS, OTHER_PAY } from '../labels.ts';
import { isDatedRow } from '../ledger/rows.ts';
import { type Payslip, payslipOf } from '../payslip.ts';
import { figuresOf, labelOf } from '../payslip-figures.ts';
import { itemsAddingUp } from '../payslip-lists.ts';
import { TITLES } from '../terms/terms.ts';
import { type WordLine, wordLines } from '../words.ts';
import { isOfYear, YEAR_TO_DATE } from '../year-column.ts';
import { EMPLOYER_LABEL, employerWords, isCompany } from './companies.ts';
import { accountClaims } from './payslip-accounts.ts';
import { peopleIn } from './people.ts';
import { claimAt, dayReader, frequencyOf, joinedOf, monthOf, paydayOf, payPeriodOf, periodNumberOf } from './period.ts';

const CORRECTION =
  /\b(?:korrektur|ruckrechnung|nachberechnung|nachzahlung|berichtigt\w*|corrected|correction|adjustment|arrears|atrasos|regularizacion|rectificativa|rappel|rectificatif|regularisation|conguaglio|arretrati|correctie|nabetaling|korekta|wyrownanie|retroativos)\b/;
/** Pay once or twice a year, beside that of a month. */
const EXTRA =
  /\b(?:weihnachts(?:geld|gratifikation|zuwendung)|urlaubs(?:geld|gratifikation)|sonderzahlung|einmal(?:zahlung|bezug|bezuge)|jahres(?:pramie|bonus|sonderzahlung)|tantieme|gratifi[kc]ation|1[34](?:th|\.|e|eme|er|ma|a|o)? ?(?:monats)?(?:gehalt|lohn|bezug|month|salary|mois|mensilita|maand|mes)|(?:annual |christmas |year[- ]end )?bonus|pagas? extra(?:ordinarias?)?|gratificaci(?:on|ones) extraordinarias?|(?:paga|extra) (?:de )?(?:junio|julio|verano|navidad|diciembre|marzo|beneficios)|pagues? extra(?:ordinaries)?|treizieme mois|prime (?:annuelle|exceptionnelle|de (?:fin d'annee|vacances|noel|bilan))|tredicesima|quattordicesima|1[34]ma|gratifica natalizia|premio (?:di risultato|produzione)|subsidio de (?:natal|ferias)|decimo terceiro|vakantie(?:geld|toeslag|bijslag)|eindejaarsuitkering|dertiende maand|trzynast\w+|1[34]-?tka|nagroda (?:roczna|jubileuszowa)|premia (?:roczna|swiateczna))\b/;
/** A share of such pay in every month, or what was saved for it. */
const SAVED =
  /\b(?:prorr?at\w*|prorr|p\.? ?p\.?|parte prop\w*|parte proporcional|rate[oi]|ratei|maturat\w*|opbouw|opgebouwd|reservering|saldo|tegoed|duodecimos?|provision|ruckstellung)\b/;
/** Pay of some days of a month. */
const PART = /\b(?:anteilig\w*|teilmonat\w*|pro[ -]rata|pro-?rated|au prorata|naar rato|\d{1,2} ?\/ ?3[01])\b/;
/** Less of the gross pay leaves net pay nearly as usual. */
const MIN_UNUSUAL = 0.2;
const FIGURES = 80;
/** Lines at the top of a page, among which its title is. */
const TOP = 24;
/** Gross pay with a label of the year. */
const GROSS_OF_YEAR =
  /(?:gross|brutto|bruto|brut|devengado|haberes|devengos|lordo|competenze|total pay|iliquido).{0,40}/;
const OF_YEAR = new RegExp(String.raw`${YEAR_TO_DATE.source}|\b(?:jahr|cumulee?s?|annuel(?:le)?|anual|annuo|anno)\b`);

/** The payslip on a page; undefined if it names neither net pay nor gross pay clearly, or only one of them and no title. */
export async function payslipPaper(page: Page, isRead: boolean): Promise<Paper | undefined> {
  const lines = wordLines([page]);
  const amounts = amountsIn(lines);
  const slip = payslipOf(lines);
  const pay = figuresOf(lines, amounts).filter(
    ({ kind, amount, isFurther, isOfYear: isYears }) =>
      (kind === 'net' || kind === 'paid') && !isFurther && !isYears && !isDatedRow(amount.line),
  );
  const gross = slip?.gross.amount ?? onlyGross(lines, amounts);
  const first = amounts[0];
  // A booking may be called "salary".
  const withAmount = new Set(amounts.map(({ line }) => line));
  const isTitled = lines.slice(0, TOP).some((line) => !withAmount.has(line) && TITLES.payslip.test(folded(line.text)));
  const hasBoth = pay.length > 0 && gross !== undefined;
  if (first === undefined || !(hasBoth || (isTitled && (pay.length > 0 || gross !== undefined)))) return undefined;
  const read = dayReader(lines);
  const figures = Math.max(0, lines.indexOf(first.line));
  const optional = [
    monthOf(lines, read, figures),
    ...payPeriodOf(lines, read, figures),
    periodNumberOf(lines),
    paydayOf(lines, read),
    frequencyOf(lines.filter((line) => !withAmount.has(line))),
    joinedOf(lines, read),
    gross && unusualOf(lines, amounts, gross, slip),
    employerOf(lines, figures),
  ];
  return {
    kind: 'payslip',
    is_read: isRead,
    claims: [
      ...optional.flatMap((claim) => claim ?? []),
      ...pay.map(({ amount }) => amountClaim('net', amount)),
      ...(gross === undefined ? [] : payOfYear(lines, amounts, gross)),
      ...lines.flatMap((line) => correctionIn(line)).slice(0, 1),
      ...accountClaims(lines),
      ...(await peopleIn(lines, read)),
      ...amounts.slice(0, FIGURES).map((amount) => amountClaim('figure', amount)),
    ],
  };
}

export function amountClaim(kind: Claim['kind'], { cents, text, line, box }: Amount): Claim {
  return { kind, value: String(cents), text, page: line.page, box };
}

function onlyGross(lines: readonly WordLine[], amounts: readonly Amount[]): Amount | undefined {
  const found = labelledAmounts(lines, amounts, [{ kind: 'gross', label: GROSS }], OTHER_PAY).map(
    ({ amount }) => amount,
  );
  return new Set(found.map(({ cents }) => cents)).size === 1 ? found[0] : undefined;
}

/** The largest payment that raises or lowers this payslip's pay: once or twice a year, of a part of a month, or for an absence. */
function unusualOf(
  lines: readonly WordLine[],
  amounts: readonly Amount[],
  gross: Amount,
  slip: Payslip | undefined,
): Claim | undefined {
  const items = slip === undefined ? [] : itemsAddingUp(slip.gross.amount, slip.lists);
  const ofMonth = amounts.filter((one) => Math.abs(one.cents) <= gross.cents && !isOfYear(lines, one));
  const payments = items.length > 0 ? items : ofMonth;
  const named = payments.filter((one) => {
    const label = folded(labelOf(one));
    return PART.test(label) || (EXTRA.test(label) && !SAVED.test(label));
  });
  const absences = items.filter(({ cents }) => cents < 0);
  return [named, absences]
    .filter((some) => sizeOf(some) >= MIN_UNUSUAL * gross.cents)
    .flatMap((some) => some.toSorted((one, other) => Math.abs(other.cents) - Math.abs(one.cents)).slice(0, 1))
    .map((one) => amountClaim('unusual', one))[0];
}

function sizeOf(amounts: readonly Amount[]): number {
  return amounts.reduce((cents, one) => cents + Math.abs(one.cents), 0);
}

function payOfYear(lines: readonly WordLine[], amounts: readonly Amount[], gross: Amount): Claim[] {
  const sums = yearToDate(lines, amounts, gross).map((amount) => amountClaim('year_to_date', amount));
  return [amountClaim('gross', gross), ...sums];
}

/** Gross pay since the beginning of the year: under its own label, or in the year-to-date column beside gross pay. */
function yearToDate(lines: readonly WordLine[], amounts: readonly Amount[], gross: Amount): Amount[] {
  const beside = amounts.filter((amount) => amount.line === gross.line && amount !== gross);
  const headed = beside.filter((amount) => isOfYear(lines, amount));
  const named = labelledAmounts(
    lines,
    amounts.filter(({ line }) => line !== gross.line),
    [{ kind: 'gross', label: GROSS_OF_YEAR }],
  ).filter(({ amount }) => OF_YEAR.test(folded(amount.line.text)));
  const found = headed.length > 0 ? headed : named.map(({ amount }) => amount);
  return new Set(found.map(({ cents }) => cents)).size === 1 ? found.slice(0, 1) : [];
}

function correctionIn(line: WordLine): Claim[] {
  const match = CORRECTION.exec(folded(line.text));
  return match === null
    ? []
    : [claimAt('correction', match[0], line, { start: match.index, end: match.index + match[0].length })];
}

/** Named by a label, or a company above the figures. */
function employerOf(lines: readonly WordLine[], figures: number): Claim | undefined {
  const [labelled] = besideLabel(lines.slice(0, figures), EMPLOYER_LABEL, (text) => {
    const match = /^[\s:.]{0,4}(\p{Lu}[^\t:]{2,60})/u.exec(text);
    return match === null
      ? undefined
      : { text: match[1] ?? '', start: match[0].length - (match[1] ?? '').length, end: match[0].length };
  });
  const found = labelled && isCompany(labelled.text) ? labelled : undefined;
  if (found)
    return { kind: 'employer', value: employerWords(found.text), text: found.text, page: found.page, box: found.box };
  for (const line of lines.slice(0, figures))
    for (const cell of line.text.split('\t')) {
      const start = line.text.indexOf(cell);
      if (isCompany(cell) && cell.length <= 80)
        return claimAt('employer', employerWords(cell), line, { start, end: start + cell.length });
    }
  return undefined;
}
