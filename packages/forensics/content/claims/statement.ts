import type { Claim, Paper } from '../../claims.ts';
import type { Page } from '../../model.ts';
import { type Amount, amountsIn } from '../amounts.ts';
import { besideLabel } from '../beside.ts';
import { isoOf } from '../dates.ts';
import { ibansIn } from '../ids/ibans.ts';
import { type LabelledAmount, type LabelOf, labelledAmounts } from '../labelled-amounts.ts';
import { BALANCE_AT, CARRIED, CLOSING, folded, OPENING } from '../labels.ts';
import { isDatedRow } from '../ledger/rows.ts';
import { statementsOf } from '../ledger/statement.ts';
import { type WordLine, wordLines } from '../words.ts';
import { bookingsOf, creditsOf, periodOfBookings } from './bookings.ts';
import { amountClaim } from './payslip.ts';
import { peopleIn } from './people.ts';
import { claimAt, dayReader, type Period, periodOf, type ReadDay } from './period.ts';

const NUMBER =
  /\b(?:konto)?(?:auszug|statement|extracto|releve|estratto(?: conto)?|rekeningafschrift|afschrift|wyciag|extrato)(?: [a-z]+){0,3} ?(?:nr|no|number|num|numero|n)?[.:]{0,2} ?(\d{1,3}) ?\/ ?(20\d\d|\d\d)(?!\d|\/)/;
const ACCOUNT_LABEL =
  /\b(?:account (?:number|no)|acct|kontonummer|konto-?nr|numero de cuenta|numero de compte|numero conto|rekeningnummer|numer rachunku)\b/;
const BALANCES: readonly LabelOf<'opening' | 'closing' | 'dated'>[] = [
  { kind: 'opening', label: OPENING },
  { kind: 'closing', label: CLOSING },
  { kind: 'dated', label: BALANCE_AT },
];
const MIN_ROWS = 3;
const DAY_MS = 86_400_000;

/** The statement on the pages; undefined if it has too few bookings, or no balances. */
export async function statementPaper(pages: readonly Page[], isRead: boolean): Promise<Paper | undefined> {
  const lines = wordLines(pages);
  const amounts = amountsIn(lines);
  const withAmount = new Set(amounts.map(({ line }) => line));
  const statements = statementsOf(pages);
  const bookings = bookingsOf(statements, lines, amounts);
  const named = labelledAmounts(lines, amounts, BALANCES, CARRIED);
  if (bookings.length < MIN_ROWS || (statements.length === 0 && named.length === 0)) return undefined;
  const read = dayReader(lines);
  const booked = new Set(bookings.map(({ amount }) => amount.line));
  const head = lines.slice(
    0,
    lines.findIndex((line) => booked.has(line) || (isDatedRow(line) && withAmount.has(line))),
  );
  const period = periodOf(lines, read, (line) => withAmount.has(line)) ?? periodOfBookings(lines, bookings, read);
  const carried = labelledAmounts(head, amounts, [{ kind: 'opening' as const, label: CARRIED }]);
  const ofAccount = balancesOf(named);
  const balance = (kind: 'opening' | 'closing') => {
    const labelled = ofAccount.filter((one) => one.kind === kind);
    const dated = named.filter((one) => one.kind === 'dated' && kind === endOf(one.amount, read, period));
    const found = labelled.length > 0 ? labelled : dated.length > 0 ? dated : kind === 'opening' ? carried : [];
    return onlyOne(found.map(({ amount }) => amount)).map((amount) => amountClaim(kind, amount));
  };
  return {
    kind: 'statement',
    is_read: isRead,
    claims: [
      ...(period === undefined ? [] : [period.from, period.to]),
      ...head.flatMap(numberIn).slice(0, 1),
      ...balance('opening'),
      ...balance('closing'),
      ...accountNumbers(head),
      ...ibansIn(head).flatMap(({ iban, holds, ...place }) =>
        holds ? [{ kind: 'iban' as const, value: iban, ...place }] : [],
      ),
      ...(await peopleIn(head, read)),
      ...creditsOf(lines, bookings, period, read),
    ],
  };
}

type Balance = LabelledAmount<'opening' | 'closing' | 'dated'>;

/** If a statement has several lists with balances of their own: the balances of the whole time for one account's months, else of the first account. */
function balancesOf(named: readonly Balance[]): readonly Balance[] {
  const labelled = named.filter(({ kind }) => kind !== 'dated');
  const isListed = labelled.every(({ kind }, index) => kind === (index % 2 === 0 ? 'opening' : 'closing'));
  if (!isListed) return labelled;
  const isOne = labelled.slice(1, -1).every(({ kind, amount }, index) => {
    const next = labelled[index + 2];
    return kind === 'opening' || amount.cents === next?.amount.cents;
  });
  return isOne ? [...labelled.slice(0, 1), ...labelled.slice(1).slice(-1)] : labelled.slice(0, 2);
}

/** Which end of the period a balance of a day is of. */
function endOf({ line }: Amount, read: ReadDay, period: Period | undefined): 'opening' | 'closing' | undefined {
  const [first] = read(line.text);
  if (first?.day.year === undefined || period === undefined) return undefined;
  const day = isoOf(first.day);
  if (day === period.to.value) return 'closing';
  const before = (Date.parse(period.from.value) - Date.parse(day)) / DAY_MS;
  return before === 0 || before === 1 ? 'opening' : undefined;
}

/** For accounts without an IBAN. */
function accountNumbers(head: readonly WordLine[]): Claim[] {
  return besideLabel(head, ACCOUNT_LABEL, (text) => {
    const match = /^[\s:.#]{0,6}(\d[\d -]{5,18}\d)(?![\p{L}\d,./])/u.exec(text);
    const number = match?.[1];
    return match && number ? { text: number, start: match[0].length - number.length, end: match[0].length } : undefined;
  })
    .slice(0, 1)
    .map(({ text, page, box }) => ({ kind: 'iban', value: text.replace(/\D/g, ''), text, page, box }));
}

function numberIn(line: WordLine): Claim[] {
  const match = NUMBER.exec(folded(line.text));
  if (match === null) return [];
  const [, number = '', year = ''] = match;
  const value = `${year.length === 2 ? '20' : ''}${year}-${number.padStart(3, '0')}`;
  return [claimAt('number', value, line, { start: match.index, end: match.index + match[0].length })];
}

function onlyOne(amounts: readonly Amount[]): Amount[] {
  return new Set(amounts.map(({ cents }) => cents)).size === 1 ? amounts.slice(0, 1) : [];
}
