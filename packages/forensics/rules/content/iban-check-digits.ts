import { ibansIn, type WrittenIban } from '../../content/ids/ibans.ts';
import { asSpecimen, isSpecimen } from '../../content/specimen.ts';
import type { WordLine } from '../../content/words.ts';
import type { Finding, Rule } from '../../rule.ts';
import { type Looked, verdictOnLines } from '../on-text.ts';

/**
 * The check digits of IBANs.
 *
 * How: checks everything with the country, length and form of an IBAN modulo 97. If the check digits are wrong, the IBAN was mistyped or
 * altered; if a valid IBAN in the document differs from it in only a few characters, the finding names that one.
 *
 * Known false positives: the issuer's typing errors; invented IBANs on samples that do not say so. A masked number does not have the form of an IBAN. In OCR
 * text a wrong character may be a misreading, so the finding is context only.
 *
 * Source: ISO 13616-1 (structure, check digits), ISO/IEC 7064 (MOD 97-10); the registry as in `ibantools`.
 */
export const ibanCheckDigits: Rule = {
  name: 'iban-check-digits',
  version: 2,
  title: 'Check digits of account numbers (IBAN)',
  strength: 'medium',
  family: 'content',
  substance: true,
  appliesTo: ['pdf', 'jpeg', 'png'],
  run: (document) => verdictOnLines(document, look),
};

/** If two IBANs differ in at most this many characters, one is probably an altered copy of the other. */
const FEW = 6;

function look(lines: readonly WordLine[]): Looked {
  const ibans = ibansIn(lines);
  const wrong = Map.groupBy(
    ibans.filter(({ holds }) => !holds),
    ({ iban }) => iban,
  );
  const findings = [...wrong.values()].map((places) => {
    const finding = findingOf(places, ibans);
    return places.every((place) => isSpecimen(lines, place)) ? asSpecimen(finding) : finding;
  });
  return {
    findings,
    compared: { count: ibans.length, what: 'IBAN', none: 'No IBAN was recognised.' },
  };
}

function findingOf(places: readonly WrittenIban[], all: readonly WrittenIban[]): Finding {
  const [{ iban, text, page } = { iban: '', text: '', page: 1 }] = places;
  const close = all.find((other) => other.holds && isClose(other.iban, iban));
  return {
    message:
      `The check digits of the IBAN ${text} on page ${page} do not fit the number` +
      `${close === undefined ? '' : `; elsewhere the document has ${close.text}, which is almost the same and fits`}.`,
    evidence: places.map((place) => ({
      page: place.page,
      box: place.box,
      ...(close === undefined ? {} : { before: close.text }),
      after: place.text,
    })),
  };
}

function isClose(one: string, other: string): boolean {
  return one.length === other.length && [...one].filter((character, index) => character !== other[index]).length <= FEW;
}
