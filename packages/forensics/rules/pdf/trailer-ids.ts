import { isClearlyLater, readPdfDate } from '../../pdf/dates.ts';
import { metadataOf } from '../../pdf/metadata.ts';
import { type Structure, structureOf } from '../../pdf/structure.ts';
import { identifierOf, writerIn } from '../../pdf/writer.ts';
import { type Finding, notApplicable, type Rule, verdictOf } from '../../rule.ts';

/**
 * A file carries an identifier of two halves: the first is given when it is made and stays, the second changes whenever it is
 * saved (ISO 32000-1, 14.4). Two things are looked at. The first half must be the same in all revisions, or what was saved
 * later did not grow out of what stood there. And where the program that the file names makes both halves alike, and
 * nothing says that the file was saved since, the halves must be alike still; saved by a program known to save other
 * people's files, that is context only.
 *
 * Known false positives: programs that give a new identifier whenever they save.
 *
 * Source: ISO 32000-1, 14.4; own measurements, see `pdf/producers-writing.ts`.
 */
export const trailerIds: Rule = {
  name: 'trailer-ids',
  version: 1,
  title: 'Identifier of the file',
  strength: 'medium',
  family: 'structure',
  appliesTo: ['pdf'],
  run({ bytes }) {
    const structure = structureOf(bytes);
    if (structure.views.every((view) => identifierOf(view) === undefined))
      return notApplicable('The file carries no identifier.');
    return verdictOf([...grafted(structure), ...savedUnsaid(structure)]);
  },
};

function grafted({ views }: Structure): Finding[] {
  const known = views.flatMap((view) => {
    const halves = identifierOf(view);
    return halves === undefined ? [] : [{ end: view.end, halves }];
  });
  return known.slice(1).flatMap(({ end, halves }, index) => {
    const before = known[index]?.halves ?? halves;
    // Some programs take the second half of what they opened for the first of what they save.
    if (before.includes(halves[0])) return [];
    const message =
      'A later version of the file carries the identifier of another document than the version before it.';
    return [{ message, evidence: [{ offset: end, before: before[0], after: halves[0] }] }];
  });
}

function savedUnsaid(structure: Structure): Finding[] {
  const first = structure.views[0] ?? structure.current;
  const halves = identifierOf(first);
  const { claimed, seen } = writerIn(structure);
  if (halves === undefined || halves[0] === halves[1] || claimed?.equalHalves !== true) return [];
  const { created, modified } = metadataOf(structure, first);
  const [made, changed] = [created, modified].map((date) => (date === undefined ? undefined : readPdfDate(date)));
  if (made !== undefined && changed !== undefined && (isClearlyLater(changed, made) || changed.time - made.time > 5000))
    return [];
  return [
    {
      message: `The file was saved again after ${claimed.name} had made it, though its dates say nothing of it.`,
      strength: seen === undefined || seen.savesAgain === true ? 'context' : 'medium',
      evidence: [{ before: halves[0], after: halves[1] }],
    },
  ];
}
