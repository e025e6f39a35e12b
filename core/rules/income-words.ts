import type { IncomeKind } from './income-types.ts';

/** Words of bookings, folded: in lower case and without accents. */

const SALARY = wordsOf(
  ...['gehalt', 'lohn', 'bezuge', 'entgelt', 'verdienst', 'salary', 'wages?', 'payroll', 'pay', 'nomina', 'salario'],
  ...['sueldo', 'haberes', 'salaire', 'paie', 'remuneration', 'traitement', 'sou', 'ordenado', 'vencimento'],
  ...['stipendio', 'retribuzione', 'emolumenti', 'salaris', 'loon', 'wynagrodzenie', 'pensja', 'wyplata'],
);
const BENEFIT = wordsOf(
  ...['benefits?', 'unemployment', 'pension', 'rente', 'arbeitslosengeld', 'burgergeld', 'kindergeld', 'elterngeld'],
  ...['prestacion(?:es)?', 'subsidio', 'paro', 'sepe', 'seguridad social', 'allocations?', 'caf', 'retraite'],
  ...['chomage', 'prestacio', 'pensio', 'seguranca social', 'abono', 'reforma', 'jobseekers?', 'universal credit'],
  ...['pensione', 'inps', 'naspi', 'assegno unico', 'uitkering', 'uwv', 'pensioen', 'toeslag', 'kinderbijslag'],
  ...['zus', 'emerytura', 'zasilek', 'swiadczenie'],
);
const REFUND = wordsOf(
  ...['refund', 'ruckzahlung', 'erstattung', 'devolucion', 'reembolso', 'remboursement', 'reembolsament', 'estorno'],
  ...['transfer to savings', 'eigenubertrag', 'traspaso', 'virement interne', 'rimborso', 'storno', 'giroconto'],
  ...['terugbetaling', 'zwrot', 'przelew wlasny'],
);
const INVOICE = wordsOf(
  ...['invoice', 'rechnung', 'honorar', 'factura', 'facture', 'honoraires', 'fatura', 'honorarios', 'fattura'],
  ...['factuur', 'faktura'],
);
const RENT = wordsOf(
  ...['rent', 'miete', 'alquiler', 'renta', 'loyer', 'lloguer', 'arrendamento', 'affitto', 'canone di locazione'],
  ...['huur', 'czynsz', 'najem'],
);
const LOAN = wordsOf(
  ...['loan', 'kredit', 'darlehen', 'prestamo', 'hipoteca', 'pret', 'credit immobilier', 'prestec', 'emprestimo'],
  ...['credito', 'mortgage', 'mutuo', 'prestito', 'finanziamento', 'hypotheek', 'lening', 'pozyczka', 'hipoteka'],
  'rata kredytu',
);
const COMPANY = wordsOf(
  ...['ltd', 'limited', 'plc', 'inc', 'gmbh', 'ag', 'kg', 'ug', 's\\.?l\\.?u?', 's\\.?a\\.?', 'sarl', 'sas', 'eurl'],
  ...['lda', 'b\\.?v', 'n\\.?v', 'oy', 's\\.?r\\.?l', 's\\.?p\\.?a', 'sp\\.? z o\\.? ?o'],
);

function wordsOf(...words: string[]): RegExp {
  return new RegExp(`\\b(?:${words.join('|')})\\b`);
}

export function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, ' ')
    .trim();
}

/** Undefined for what is no income, such as a refund, or a friend's share of a dinner. @param isRegular whether it comes in a rhythm @param isEmployer a payslip names the payer */
export function creditKind(words: string, isRegular: boolean, isEmployer: boolean): IncomeKind | undefined {
  if (REFUND.test(words)) return undefined;
  if (BENEFIT.test(words)) return 'benefit';
  if (isEmployer || SALARY.test(words)) return 'salary';
  // A company that pays the same each month is an employer; a person may be a flatmate or a parent.
  if (COMPANY.test(words)) return isRegular ? 'salary' : 'other';
  return isRegular || isInvoice(words) ? 'other' : undefined;
}

export function isInvoice(words: string): boolean {
  return INVOICE.test(words);
}

export function debitKind(words: string): 'rent' | 'loan' | undefined {
  if (LOAN.test(words)) return 'loan';
  return RENT.test(words) ? 'rent' : undefined;
}

/** Whether both name the same: a distinctive word in common. */
export function namesSame(one: string, other: string): boolean {
  const words = (text: string) =>
    folded(text)
      .split(' ')
      .filter((word) => word.length >= 4 && !COMPANY.test(word));
  const theirs = new Set(words(other));
  return words(one).some((word) => theirs.has(word));
}

/** Whether a person of this name holds the account, alone or with others: every word of the shorter name is in the longer one. */
export function holds(holder: string, person: string): boolean {
  const words = (text: string) =>
    folded(text)
      .split(' ')
      .filter((word) => word.length > 1);
  const theirs = new Set(words(holder));
  const own = words(person);
  const shared = own.filter((word) => theirs.has(word)).length;
  return own.length === 0 || shared === own.length || (theirs.size > 1 && shared === theirs.size);
}

const AND = / (?:and|und|y|et|i|e|&|\/) /;

/** Whether more than one person holds the account. */
export function isJoint(holder: string): boolean {
  return AND.test(` ${holder.toLowerCase()} `) || /[/&,;]/.test(holder);
}
