import { besideLabel, type Labelled, type Part } from '../../content/beside.ts';
import { NATIONAL_IDS, type NationalId } from '../../content/national-ids.ts';
import { textOf } from '../../content/read.ts';
import { forPeople } from '../../content/reread.ts';
import { type WordLine, wordLines } from '../../content/words.ts';
import type { Document } from '../../model.ts';
import type { Finding, Rule, Verdict } from '../../rule.ts';
import { notApplicable, verdictOf } from '../../rule.ts';

/**
 * The check digits of numbers that states give to persons, for tax, insurance or registration.
 *
 * How: only what stands right beside a label of the country's and has the country's form is computed. It is a finding when none of the numbers that
 * the label may mean has such check digits, and the check digits alone are what is wrong.
 *
 * Known false positives: the issuer's typing errors; provisional numbers; invented numbers on samples. In text read
 * from a picture a wrong digit may be the reader's, and the finding is for people only.
 *
 * Source: the authorities' own rules, as `stdnum` cites them for each number.
 */
export const nationalIdCheckDigits: Rule = {
  name: 'national-id-check-digits',
  version: 1,
  title: 'Check digits of tax and social security numbers',
  strength: 'medium',
  family: 'content',
  appliesTo: ['pdf', 'jpeg', 'png'],
  run,
};

/** Between a label and its number. */
const BETWEEN = /^[^\p{L}\d]{0,12}(?:(?:no?|nr|nummer|numero|n[º°]|number)[^\p{L}\d]{0,6})?$/iu;

interface Candidate {
  id: NationalId;
  place: Labelled;
}

async function run(document: Document): Promise<Verdict> {
  const { pages, isRead } = await textOf(document);
  const lines = wordLines(pages);
  const places = Map.groupBy(
    NATIONAL_IDS.flatMap((id) => candidatesOf(id, lines)),
    keyOf,
  );
  if (places.size === 0) return notApplicable('No number of a person with check digits was recognised.');
  const findings: Finding[] = [];
  for (const candidates of places.values()) {
    if (await isWrong(candidates)) findings.push(...candidates.slice(0, 1).map(findingOf));
  }
  return verdictOf(isRead ? forPeople(pages, findings) : findings);
}

function candidatesOf(id: NationalId, lines: readonly WordLine[]): Candidate[] {
  const form = new RegExp(`(?<![\\p{L}\\d])(?:${id.form.source})(?![\\p{L}\\d*]|[-./ ]?\\d)`, 'u');
  const find = (text: string): Part | undefined => {
    const match = form.exec(text);
    if (match === null || !BETWEEN.test(text.slice(0, match.index))) return undefined;
    return { text: match[0], start: match.index, end: match.index + match[0].length };
  };
  return besideLabel(lines, id.label, find).map((place) => ({ id, place }));
}

function keyOf({ place }: Candidate): string {
  return `${place.page} ${place.box.x} ${place.box.y} ${place.text}`;
}

/** No reading of it holds, and by no reading is anything else wrong with it. */
async function isWrong(candidates: readonly Candidate[]): Promise<boolean> {
  let isChecksum = false;
  for (const { id, place } of candidates) {
    for (const load of id.validators) {
      const { isValid, error } = (await load()).validate(place.text);
      if (isValid) return false;
      isChecksum ||= error?.name === 'InvalidChecksum';
    }
  }
  return isChecksum;
}

function findingOf({ id, place }: Candidate): Finding {
  const { text, page, box } = place;
  return {
    message: `The check digits of the ${id.name} ${text} on page ${page} do not fit the number.`,
    evidence: [{ page, box, after: text }],
  };
}
