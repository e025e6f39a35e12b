import { type ChangedPlace, changedPlaces } from '../../image/changed-places.ts';
import { type Grey, shrunk } from '../../image/likeness.ts';
import { type ReplacedPicture, replacedPictures } from '../../image/replaced-in-pdf.ts';
import type { Box } from '../../model.ts';
import { openRenderer } from '../../pdf/render.ts';
import { structureOf } from '../../pdf/structure.ts';
import { type Finding, notApplicable, type Rule, type Strength, verdictOf } from '../../rule.ts';

/** In pixels a point: about 150 an inch, at which a digit of a scan has twenty pixels. */
const SCALE = 2;

const WHAT: Record<ChangedPlace['kind'], string> = {
  changed: 'shows something else now than in an earlier version of the file',
  removed: 'shows nothing now where it showed something in an earlier version of the file',
  added: 'shows something now that it did not show in an earlier version of the file',
};

/**
 * A scan is a picture on a page. A forger who replaces it with a changed picture and saves "incrementally" leaves the earlier picture in
 * the file (ISO 32000-1, 7.5.6). Both pages are drawn and compared window by window by the pattern of their brightness, so
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
  version: 2,
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
    for (const picture of replaced) findings.push(...(await findingsOf(bytes, picture)));
    return verdictOf(findings, { count: replaced.length, what: 'page' });
  },
};

async function findingsOf(bytes: Uint8Array, { page, pageBefore, end, version }: ReplacedPicture) {
  const before = await drawn(bytes.subarray(0, end), pageBefore);
  const places = changedPlaces(before, await drawn(bytes, page)) ?? [];
  return places.map((place): Finding => {
    const likeness = Math.round(place.likeness * 100) / 100;
    return {
      message: `A part of the picture on page ${page} ${WHAT[place.kind]}.`,
      strength: strengthOf(place),
      evidence: [{ page, box: onPage(place.box), offset: end, details: { version_of_the_file: version, likeness } }],
    };
  });
}

async function drawn(file: Uint8Array, page: number): Promise<Grey> {
  const { pixels } = await (await openRenderer(file)).draw(page, SCALE);
  return shrunk(pixels, pixels.width, pixels.height);
}

function onPage({ x, y, width, height }: Box): Box {
  return { x: x / SCALE, y: y / SCALE, width: width / SCALE, height: height / SCALE };
}

function strengthOf({ kind, clear }: ChangedPlace): Strength {
  if (kind === 'changed') return clear ? 'strong' : 'medium';
  return kind === 'removed' && clear ? 'medium' : 'context';
}
