import { payTerm } from './terms/terms.ts';

/** The terms for figures in statements and payslips, in the supported languages, without accents. Those of payslips are in `terms/`. */

/** Lower case without accents, character by character, so that offsets stay the same; the form in which the labels are written. */
export function folded(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  return Array.from({ length: text.length }, (_, index) => foldedCharacter(text.charAt(index))).join('');
}

function foldedCharacter(character: string): string {
  if (/\s/.test(character)) return ' ';
  if (character <= '\u007f') return character.toLowerCase();
  return other[character] ?? character.normalize('NFD').charAt(0).toLowerCase();
}

const other: Record<string, string> = { ł: 'l', Ł: 'l', ø: 'o', Ø: 'o', '°': 'o', º: 'o', '’': "'" };

/** The balance at the start of a list of transactions. */
export const OPENING =
  /\b(?:opening balance|start(?:ing)? balance|previous balance|beginning balance|balance at start|alter (?:konto)?(?:saldo|stand)|alter kontostand|anfangs(?:saldo|bestand|kontostand)|saldo alt|solde (?:initial|precedent|anterieur|de depart|debut)|ancien solde|saldo (?:inicial|anterior|iniziale|precedente|poczatkowe|d[ei] apertura)|saldo inicial|begin ?saldo|vorig saldo|oud saldo|ingaende (?:saldo|balans)|primosaldo|startsaldo|inngaende saldo|stan poczatkowy)\b/;

/** A balance carried over from the previous page, or to the next. */
export const CARRIED =
  /\b(?:(?:balance )?(?:brought|carried) forward|balance [bc]\/[fd]|saldovortrag|ubertrag|report|a reporter|riporto|suma anterior|transporte|transport|z przeniesienia)\b/;

/** A balance of a day, as in "solde au 31.12.". */
export const BALANCE_AT =
  /\b(?:saldo|solde|balance|kontostand)(?: (?:crediteur|debiteur|final|inicial|initial))?,? (?:am|au|al|a|as of|as at|on|per|op|na dzien|pr\.?|em|den|del) ?\d/;

/** The balance at the end of a list of transactions. */
export const CLOSING =
  /\b(?:closing balance|end(?:ing)? balance|new balance|final balance|balance at end|neuer (?:konto)?(?:saldo|stand)|neuer kontostand|end(?:saldo|bestand|kontostand)|saldo neu|schlusssaldo|abschlusssaldo|(?:nouveau|solde) (?:solde|final|de cloture|fin)|solde final|saldo (?:final|finale|actual|attuale|koncowe|d[ei] c(?:ierre|hiusura))|eindsaldo|nieuw saldo|utgaende (?:saldo|balans)|ultimosaldo|slutsaldo|utgaende saldo|stan koncowy)\b/;

/** Words of the heading of a balance column. */
export const BALANCE = /\b(?:balance|saldo|kontostand|solde|stand|stan konta|saldo po|saldo nach)\b/;

/** Words of the heading of a column of dates. */
export const DATE =
  /\b(?:date|datum|data|fecha|dato|buchung(?:stag)?|valuta|wertstellung|booked|posted|bokforingsdag)\b/;

/** The sum of a column of bookings. */
export const TOTAL = /\b(?:totals?|totale?s?|totaux|summen?|gesamt|suma|sumy|totaal|totalt)\b/;

const CREDITS =
  '(?:credits?|paid in|money in|deposits?|haben|gutschrift(?:en)?|eingange?|zugang|abonos?|haber|ingresos?|avere|accrediti|entrate|creditos?|entradas?|bij|bijschrijving(?:en)?|uznan(?:ia)?|wplyw(?:y|ow)|insattning(?:ar)?|ind|inn)';
const DEBITS =
  '(?:debits?|paid out|money out|withdrawals?|soll|lastschrift(?:en)?|belastung(?:en)?|ausgange?|abgang|cargos?|debe|gastos?|dare|addebiti|uscite|debitos?|saidas?|af|afschrijving(?:en)?|obciazen(?:ia)?|wyplat(?:y)?|uttag|ud|ut)';

/** Headings of the column of credits. */
export const CREDIT_COLUMN = new RegExp(`\\b${CREDITS}\\b`);

/** Headings of the column of debits. */
export const DEBIT_COLUMN = new RegExp(`\\b${DEBITS}\\b`);

export const TOTAL_CREDITS = allOf(CREDITS, 'deposits', 'in');

export const TOTAL_DEBITS = allOf(DEBITS, 'withdrawals', 'out');

function allOf(names: string, english: string, way: string): RegExp {
  const all = '(?:totals?|totale?s?|totaux|summen?|gesamt|suma|sumy|totaal|totalt|summa|sum)';
  return new RegExp(
    `^(?:${all}(?:(?: [a-z]+){0,3} ${names}| ${way})\\b|${names} (?:${all}|insgesamt)\\b|${english} and (?:other )?[a-z]|(?:money|paid) ${way}\\b)`,
  );
}

export const GROSS = payTerm('gross');

/** Deductions: total, tax or insurance. */
export const DEDUCTIONS = payTerm('deductions');

export const NET = payTerm('net');

/** Deductions that rise faster than pay. */
export const TAX =
  /tax|steuer|\b(?:lst|kist|soli?z?|solidar\w*|paye|impots?|prelevement|irpf|irs|retencion|imposta|irpef|addizional\w*|loonheffing|belasting|podatek|zaliczka|imposto)\b/;

/** Labels for the amount paid other than net pay. */
export const PAID = payTerm('paid');

/** Similarly named figures that belong to other sums: taxable pay, pay before tax, year to date, an earlier month. */
export const OTHER_PAY =
  /taxable|tax-free|ni(?:able)? |pensionable|steuer-?brutto|sv-?brutto|imposable|imponibile|imponible|avant impot|fiscal|social\b|ytd|\btd\b|to date|year|kumul|jahres|cumul|anual|anno|rok\b|jaar|\bper (?:hour|day)|hourly|last month|previous|vormonat|precedent|anterior|vorige|poprzedni/;

/** Headings over a list of payments or deductions. */
export const PAY_HEADING =
  /\b(?:earnings|payments?|deductions?|description|amount|units?|rate|hours|bezuge|abzuge|lohnart|bezeichnung|betrag|designation|libelle|rubrique|retenue|montant|gains?|devengos|deducciones|concepto|importe|competenze|trattenute|ritenute|descrizione|voce|importo|vencimentos|descontos|abonos|descricao|valor|omschrijving|bedrag|inhouding(?:en)?|skladnik|kwota)\b/;
