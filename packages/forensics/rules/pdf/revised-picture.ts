import { type ChangedPlace, changedPlaces } from '../../image/changed-places.ts';
import { boxOnPage } from '../../image/in-pdf.ts';
import { greyOf } from '../../image/pdf-grey.ts';
import { type ReplacedPicture, replacedPictures } from '../../image/replaced-in-pdf.ts';
import { type Structure, structureOf } from '../../pdf/structure.ts';
import { type Finding, notApplicable, type Rule, type Strength, verdictOf } from '../../rule.ts';

const WHAT: Record<ChangedPlace['kind'], string> = {
  changed: 'shows something else now than in an earlier version of the file',
  removed: 'shows nothing now where it showed something in an earlier version of the file',
  added: 'shows something now that it did not show in an earlier version of the file',
};

/**
 * A scan is a picture on a page. A forger who replaces it with a changed picture and saves "incrementally" leaves the earlier picture in
 * the file (ISO 32000-1, 7.5.6). Both are decoded, scaled to one size, and compared window by window by the pattern of their brightness, so
 * that recompression, scaling, greyscale and lighter paper make no difference. It is a finding if nearly everything in the two is alike
 * and, in a few places, something disappeared and something else appeared. Content that only disappeared (punch holes and specks are
 * cleaned away) is medium, content that only appeared (a stamp, a signature, black bars) is context; unclear cases are one step weaker.
 * Pictures that differ in many places were straightened, cleaned or split, or are unrelated: the rule is silent.
 *
 * Known false positives: a person who replaced the first scan with a corrected one, in a program that saves incrementally.
 *
 * Source: ISO 32000-1, 7.5.6 and 8.9; own reasoning.
 */
export const revisedPicture: Rule = {
  name: 'revised-picture',
  version: 1,
  title: 'Pictures of earlier versions of the file',
  strength: 'strong',
  family: 'structure',
  substance: true,
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const structure = structureOf(bytes);
    if (structure.views.length < 2) return notApplicable('The file holds no earlier version of itself.');
    const replaced = replacedPictures(structure).filter(({ divided }) => !divided);
    if (replaced.length === 0) return notApplicable('No picture of an earlier version was replaced by another.');
    const findings: Finding[] = [];
    for (const picture of replaced) findings.push(...(await findingsOf(structure, picture)));
    return verdictOf(findings, { count: replaced.length, what: 'picture' });
  },
};

async function findingsOf(structure: Structure, { page, before, after, view, version }: ReplacedPicture) {
  const earlier = greyOf(structure, view, before);
  const later = earlier && greyOf(structure, structure.current, after);
  if (earlier === undefined || later === undefined) return [];
  const findings: Finding[] = [];
  for (const place of changedPlaces(earlier, later) ?? []) {
    const box = await boxOnPage(structure.bytes, { page, width: later.width, height: later.height }, place.box);
    const likeness = Math.round(place.likeness * 100) / 100;
    findings.push({
      message: `A part of the picture on page ${page} ${WHAT[place.kind]}.`,
      strength: strengthOf(place),
      evidence: [{ page, ...(box && { box }), offset: view.end, details: { version_of_the_file: version, likeness } }],
    });
  }
  return findings;
}

function strengthOf({ kind, clear }: ChangedPlace): Strength {
  if (kind === 'changed') return clear ? 'strong' : 'medium';
  return kind === 'removed' && clear ? 'medium' : 'context';
}
