import { type Claim, OF_COMPANY, PAID_INTO } from '../../claims.ts';
import { besideLabel } from '../beside.ts';
import { ibansIn, type WrittenIban } from '../ids/ibans.ts';
import { folded } from '../labels.ts';
import type { WordLine } from '../words.ts';
import { isCompany } from './companies.ts';
import { EMPLOYEE_LABEL, HOLDER_LABEL } from './people.ts';

const PAYMENT =
  /\b(?:auszahl\w*|ausbezahlt|uberweis\w*|uberwiesen|zahlbetrag|zahlung\w*|zahlweg|gutschrift|paid|pay(?:ment|able)|credited|deposit|transfer(?:red|encia)?|bacs|virement|vire|versement|verse|paiement|pago|pagado|abono|ingreso|domiciliacion|bonifico|accredit\w*|pagament\w*|uitbetaa?l\w*|overgemaakt|overschrijving|betaal\w*|przelew\w*|wyplat\w*|ihre? (?:konto|bank\w*|iban)|your (?:account|bank))\b/;
const OWN_ACCOUNT = new RegExp([PAYMENT, EMPLOYEE_LABEL, HOLDER_LABEL].map(({ source }) => `(?:${source})`).join('|'));
/** What a company states beside its account. */
const IMPRINT =
  /\b(?:geschaftsfuhr\w*|vorstand|amtsgericht|registergericht|handelsregister|hr[ab] ?\d|ust-?id|steuernummer der|mwst|registered (?:office|in)|company (?:no|number|registration)|vat (?:no|number|reg)|siren|siret|rcs|tva|capital (?:social|de)|registro mercantil|cif|partita iva|p\. ?iva|kvk|btw|krs|nip|regon|nipc|www\.|tel(?:\.|efon|ephone)?|fax|e-?mail)\b/;
/** How far after a label the account begins, in characters. */
const REACH = 60;
/** In heights of a line. */
const LINE_DISTANCE = 1.8;
const LABEL_DISTANCE = 3;

/** The accounts on a payslip, those of its letterhead and footer included. */
export function accountClaims(lines: readonly WordLine[]): Claim[] {
  return ibansIn(lines).flatMap((account) => {
    const { iban, holds, text, page, box } = account;
    const where = whereIs(account, lines);
    return holds ? [{ kind: 'iban' as const, value: iban, text, page, box, ...(where && { words: where }) }] : [];
  });
}

function whereIs(account: WrittenIban, lines: readonly WordLine[]): string | undefined {
  const near = cellsAround(account, lines);
  if (near.some((cell) => IMPRINT.test(folded(cell)))) return OF_COMPANY;
  if (isPaidInto(account, lines)) return PAID_INTO;
  return near.some(isCompany) ? OF_COMPANY : undefined;
}

/** Whether a label of the payment or the employee is before it or directly above it. */
function isPaidInto({ text: account, page, box }: WrittenIban, lines: readonly WordLine[]): boolean {
  const above = lines.filter((line) => {
    const distance = box.y - line.box.y;
    return line.page === page && distance > -box.height / 2 && distance < LABEL_DISTANCE * box.height;
  });
  const found = besideLabel(above, OWN_ACCOUNT, (text) => {
    const start = text.slice(0, REACH + account.length).indexOf(account);
    return start < 0 ? undefined : { text: account, start, end: start + account.length };
  });
  return found.length > 0;
}

/** On its line, and on those directly above and below. */
function cellsAround({ page, box }: WrittenIban, lines: readonly WordLine[]): string[] {
  return lines
    .filter(
      (line) =>
        line.page === page && Math.abs(line.box.y - box.y) < LINE_DISTANCE * Math.max(line.box.height, box.height),
    )
    .flatMap((line) => line.text.split('\t'));
}
