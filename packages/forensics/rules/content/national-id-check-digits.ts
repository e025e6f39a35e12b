import { isWrong, validations } from '../../content/ids/national-ids.ts';
import { type Candidate, numbersByPlace } from '../../content/ids/national-numbers.ts';
import { asSpecimen, isSpecimen } from '../../content/specimen.ts';
import type { WordLine } from '../../content/words.ts';
import type { Finding, Rule } from '../../rule.ts';
import { type Looked, verdictOnLines } from '../on-text.ts';

/**
 * The check digits of numbers that states issue to people and companies, for tax, insurance or registration.
 *
 * How: checks only what is directly beside a label of the country and has the country's format. It is a finding if none of the numbers that
 * the label may mean has valid check digits, and at least one has no other fault.
 *
 * Known false positives: the issuer's typing errors; provisional numbers; invented numbers on samples that do not say so. In OCR text a wrong digit may be a
 * misreading, so the finding is context only.
 *
 * Source: the authorities' own rules, as `stdnum` cites them for each number, and those that it lacks.
 */
export const nationalIdCheckDigits: Rule = {
  name: 'national-id-check-digits',
  version: 4,
  title: 'Check digits of tax, VAT and social security numbers',
  strength: 'medium',
  family: 'content',
  substance: true,
  appliesTo: ['pdf', 'jpeg', 'png'],
  run: (document) => verdictOnLines(document, look),
};

async function look(lines: readonly WordLine[]): Promise<Looked> {
  const places = numbersByPlace(lines);
  const findings: Finding[] = [];
  for (const candidates of places) {
    if (await areWrong(candidates))
      findings.push(...candidates.slice(0, 1).map((candidate) => aboutNumber(candidate, lines)));
  }
  const none = 'No tax, VAT or insurance number with check digits was recognised.';
  return { findings, compared: { count: places.length, what: 'number', none } };
}

/** Whether no reading of the number is valid, and at least one fails on its check digits alone. */
async function areWrong(candidates: readonly Candidate[]): Promise<boolean> {
  let isOneWrong = false;
  for (const { id, place } of candidates)
    for await (const validation of validations(id, place.text)) {
      if (validation.isValid) return false;
      isOneWrong ||= isWrong(validation);
    }
  return isOneWrong;
}

function aboutNumber(candidate: Candidate, lines: readonly WordLine[]): Finding {
  const finding = findingOf(candidate);
  return isSpecimen(lines, candidate.place) ? asSpecimen(finding) : finding;
}

function findingOf({ id, place }: Candidate): Finding {
  const { text, page, box } = place;
  return {
    message: `The check digits of the ${id.name} ${text} on page ${page} do not fit the number.`,
    evidence: [{ page, box, after: text }],
  };
}
