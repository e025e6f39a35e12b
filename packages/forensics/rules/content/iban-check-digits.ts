import { ibansIn, type WrittenIban } from '../../content/ibans.ts';
import { textOf } from '../../content/read.ts';
import { forPeople } from '../../content/reread.ts';
import { wordLines } from '../../content/words.ts';
import type { Document } from '../../model.ts';
import type { Finding, Rule, Verdict } from '../../rule.ts';
import { notApplicable, verdictOf } from '../../rule.ts';

/**
 * The check digits of IBANs.
 *
 * How: what has the country, the length and the form of an IBAN is computed modulo 97. One whose check digits do not hold was mistyped or had
 * digits changed; where another of the document that holds differs from it in a few characters, that one is named.
 *
 * Known false positives: the issuer's typing errors; invented IBANs on samples. What is masked is no IBAN by its form.
 * In text read from a picture a wrong character may be the reader's, and the finding is for people only.
 *
 * Source: ISO 13616-1 (structure, check digits), ISO/IEC 7064 (MOD 97-10); the registry as in `ibantools`.
 */
export const ibanCheckDigits: Rule = {
  name: 'iban-check-digits',
  version: 1,
  title: 'Check digits of account numbers (IBAN)',
  strength: 'medium',
  family: 'content',
  appliesTo: ['pdf', 'jpeg', 'png'],
  run,
};

/** Of two IBANs that differ in no more characters, one is likely to be the other, changed. */
const FEW = 6;

async function run(document: Document): Promise<Verdict> {
  const { pages, isRead } = await textOf(document);
  const ibans = ibansIn(wordLines(pages));
  if (ibans.length === 0) return notApplicable('No IBAN was recognised.');
  const wrong = Map.groupBy(
    ibans.filter(({ holds }) => !holds),
    ({ iban }) => iban,
  );
  const findings = [...wrong.values()].map((places) => findingOf(places, ibans));
  return verdictOf(isRead ? forPeople(pages, findings) : findings);
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
