import { isDay } from '../../content/dates.ts';
import { type Span, wouldHold, type Zone, type ZoneCheck, zonesIn } from '../../content/ids/mrz.ts';
import { contradictionsOf } from '../../content/printed-identity.ts';
import { textOf } from '../../content/read.ts';
import { forPeople, type PartOfPage, readsAlike, seenOnPicture, weighed } from '../../content/reread.ts';
import { boxWithin, type WordLine, wordLines } from '../../content/words.ts';
import type { Document, Page } from '../../model.ts';
import type { Evidence, Finding, Rule, Verdict } from '../../rule.ts';
import { notApplicable, verdictOf } from '../../rule.ts';

/**
 * The machine-readable zone of a passport, identity card or visa: its check digits, its dates, and whether the printed text agrees.
 *
 * How: recomputes each check digit from its field. A wrong one in digital text is strong. A value printed beside a label (date of birth,
 * date of expiry, number, surname) is compared only if the print contains the zone's value nowhere.
 *
 * In OCR text a wrong digit may be a misreading. A finding is then medium only if two more readings agree, at least two other check digits
 * of the zone are correct, and no single common confusion (0 and O, 1 and 7, 3 and 8 …) would make all of them correct. A printed date is
 * medium if two more readings agree on it and every check digit of the zone is correct. Everything else is context.
 *
 * Known false positives: documents of a few issuers with wrong digits; specimens. Not checked: the last digit of the old French card, and
 * the check digits of visas beyond the first three, which ICAO leaves open. Expiry before birth is undecidable, because years have two
 * digits.
 *
 * Source: ICAO 9303 parts 3 (4.9, check digits; 6, spelling), 4, 5, 6 and 7.
 */
export const mrzCheckDigits: Rule = {
  name: 'mrz-check-digits',
  version: 1,
  title: 'Machine-readable zone of the identity document',
  strength: 'strong',
  family: 'content',
  substance: true,
  appliesTo: ['pdf', 'jpeg', 'png'],
  run,
};

const OTHERS_THAT_HOLD = 2;
/** Sets of characters that OCR confuses. */
const CONFUSED = ['0ODQ', '1I7LT', '2Z7', '38B', '4A', '5S6', '6GB', '8B6', '9G4', 'UV', 'KX', 'MN', 'CG', 'EF'];

async function run(document: Document): Promise<Verdict> {
  const { pages, isRead } = await textOf(document);
  const lines = wordLines(pages);
  const zones = await zonesIn(lines, isRead);
  if (zones.length === 0) return notApplicable('No machine-readable zone was recognised.');
  const findings: Finding[] = [];
  for (const zone of zones) {
    const said = [...wrongChecks(zone).map((check) => digitFinding(zone, check)), ...dateFindings(zone)];
    const prints = printFindings(zone, lines);
    if (!isRead) findings.push(...said, ...prints);
    else findings.push(...(await readFindings(document, pages, zone, prints)));
  }
  const digits = zones.reduce((sum, { checks }) => sum + checks.length, 0);
  return verdictOf(findings, { count: digits, what: 'check digit' });
}

async function readFindings(
  document: Document,
  pages: readonly Page[],
  zone: Zone,
  prints: Finding[],
): Promise<Finding[]> {
  const wrong = wrongChecks(zone);
  const findings = [...forPeople(pages, dateFindings(zone))];
  for (const check of wrong) {
    const isSure = isUnlikelyMisread(zone, check) && (await readsAlike(document, pages, partsOf(zone, check)));
    findings.push(seenOnPicture({ ...digitFinding(zone, check), strength: isSure ? 'medium' : 'context' }, pages));
  }
  // If every check digit is correct, OCR read the zone correctly.
  const weighedPrints = wrong.length === 0 ? await weighed(document, pages, prints) : forPeople(pages, prints);
  return [...findings, ...weighedPrints];
}

function wrongChecks({ checks }: Zone): ZoneCheck[] {
  const wrong = checks.filter(({ seen, expected }) => seen !== expected);
  // The last digit also covers the fields, so it adds nothing when one of theirs is wrong.
  return wrong.length > 1 ? wrong.filter(({ name }) => name !== 'whole zone') : wrong;
}

function digitFinding(zone: Zone, check: ZoneCheck): Finding {
  return {
    message: `The check digit of the ${check.name} in the machine-readable zone is ${check.seen}; the printed characters require ${check.expected}.`,
    evidence: [
      { ...placeOf(zone, check.digit), before: check.expected, after: check.seen, details: { field: check.name } },
      ...(check.name === 'whole zone' ? [] : [{ ...placeOf(zone, check.field), after: check.value }]),
    ],
  };
}

/** The field and its check digit, which follows it directly; for the whole zone, the line up to its last digit. */
function partsOf(zone: Zone, { name, field, digit }: ZoneCheck): PartOfPage[] {
  const span = name === 'whole zone' ? { ...digit, start: 0 } : { ...field, end: digit.end };
  const { page = 1, box } = placeOf(zone, span);
  return box === undefined ? [] : [{ page, box, text: zone.lines[span.line]?.slice(span.start, span.end) ?? '' }];
}

function isUnlikelyMisread(zone: Zone, check: ZoneCheck): boolean {
  const others = zone.checks.filter(({ seen, expected }) => seen === expected).length;
  return check.name !== 'whole zone' && others >= OTHERS_THAT_HOLD && !isLikelyMisread(zone, check);
}

/** Whether confusing one character with a similar one would explain every wrong digit. */
function isLikelyMisread(zone: Zone, { field, digit }: ZoneCheck): boolean {
  return [field, digit].some(({ line, start, end }) =>
    [...(zone.lines[line]?.slice(start, end) ?? '')].some((character, index) =>
      CONFUSED.filter((set) => set.includes(character)).some((set) =>
        [...set].some((other) => other !== character && wouldHold(zone, line, start + index, other)),
      ),
    ),
  );
}

/** ICAO 9303 part 3, 4.8: unknown parts of a date of birth are fillers; some states write 00. */
function dateFindings(zone: Zone): Finding[] {
  return zone.checks
    .filter(({ name, value }) => name.startsWith('date of') && /^\d{6}$/.test(value) && !/00/.test(value.slice(2)))
    .filter(({ value }) => !isDay({ month: Number(value.slice(2, 4)), day: Number(value.slice(4)) }))
    .map(({ name, value, field }) => ({
      message: `The ${name} in the machine-readable zone reads ${value}, which is not a calendar date.`,
      evidence: [{ ...placeOf(zone, field), after: value, details: { field: name } }],
    }));
}

function printFindings(zone: Zone, lines: readonly WordLine[]): Finding[] {
  return contradictionsOf(zone, lines).map(({ what, inZone, inPrint, page, box }) => ({
    message: `The ${what} reads ${inPrint} in the print and ${inZone} in the machine-readable zone below it.`,
    evidence: [{ page, box, before: inZone, after: inPrint, details: { field: what } }],
    // Names have more spellings than this rule knows.
    strength: what.startsWith('date') ? 'strong' : what === 'surname' ? 'context' : 'medium',
  }));
}

/** A line of the zone is the line of the document without the spaces between its characters. */
function placeOf({ sources }: Zone, { line, start, end }: Span): Evidence {
  const source = sources[line];
  if (source === undefined) return {};
  const places = [...source.text].flatMap((character, index) => (/\s/.test(character) ? [] : [index]));
  const box = boxWithin(source, places[start] ?? 0, (places[end - 1] ?? source.text.length - 1) + 1);
  return { page: source.page, box };
}
