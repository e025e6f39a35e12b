import { knownBanks, type OtherBank, otherBanks } from '../../content/ids/bank-names.ts';
import type { WordLine } from '../../content/words.ts';
import type { Finding, Rule } from '../../rule.ts';
import { type Looked, verdictOnLines } from '../on-text.ts';

/**
 * The bank of an IBAN must be the bank that the document names.
 *
 * How: IBANs of six countries contain the bank's code. A finding needs the code of a known bank that the document never names, and exactly
 * one other known bank of the country: beside the IBAN, or in the letterhead of a statement without other IBANs. Brands and acquired banks
 * count as their parent bank.
 *
 * Known false positives: banks that take over accounts and keep the codes; a bank's payslip for its own employee, which names the bank
 * beside the employee's account. In OCR text a wrong digit may be a misreading, so the finding is context only.
 *
 * Source: `content/ids/bank-codes.ts`, compiled by hand; it names the registers to check it against.
 */
export const bankNames: Rule = {
  name: 'bank-names',
  version: 1,
  title: 'Banks of account numbers (IBAN)',
  strength: 'medium',
  family: 'content',
  substance: true,
  appliesTo: ['pdf', 'jpeg', 'png'],
  run: (document) => verdictOnLines(document, look),
};

function look(lines: readonly WordLine[]): Looked {
  return {
    findings: otherBanks(lines).map(findingOf),
    compared: { count: knownBanks(lines).length, what: 'IBAN', none: 'No IBAN of a known bank was recognised.' },
  };
}

function findingOf({ iban, bank, named, line }: OtherBank): Finding {
  return {
    message: `The IBAN ${iban.text} on page ${iban.page} is one of ${bank.name}, while the document names ${named.name}.`,
    evidence: [
      {
        page: iban.page,
        box: iban.box,
        before: `an IBAN of ${named.name}`,
        after: iban.text,
        details: { bank: bank.name },
      },
      { page: line.page, box: line.box, after: line.text },
    ],
  };
}
