import { isClearlyLater, readPdfDate } from '../../pdf/dates.ts';
import { metadataOf } from '../../pdf/metadata.ts';
import { type Structure, structureOf } from '../../pdf/structure.ts';
import { identifierOf, writerIn } from '../../pdf/writing/writer.ts';
import { type Finding, notApplicable, type Rule, verdictOf } from '../../rule.ts';

/**
 * A file's identifier has two halves: the first is set when the file is made and stays, the second changes with every save (ISO 32000-1,
 * 14.4). Two things are checked. The first half must be the same in all revisions, or a later revision does not derive from the one before
 * it. And if the program that the file names always makes equal halves, and no date indicates a later save, the halves must still be equal;
 * different halves are reported. It is context and decides nothing, because signing services and portals assign new identifiers.
 *
 * Known false positives: programs that assign a new identifier with every save.
 *
 * Source: ISO 32000-1, 14.4; own measurements, see `pdf/writing/producers-writing.ts`.
 */
export const trailerIds: Rule = {
  name: 'trailer-ids',
  version: 2,
  title: 'Identifier of the file',
  strength: 'context',
  family: 'structure',
  substance: false,
  appliesTo: ['pdf'],
  run({ bytes }) {
    const structure = structureOf(bytes);
    if (structure.views.every((view) => identifierOf(view) === undefined))
      return notApplicable('The file carries no identifier.');
    return verdictOf([...grafted(structure), ...savedUnsaid(structure)], {
      count: structure.views.length,
      what: 'identifier',
    });
  },
};

function grafted({ views }: Structure): Finding[] {
  const known = views.flatMap((view) => {
    const halves = identifierOf(view);
    return halves === undefined ? [] : [{ end: view.end, halves }];
  });
  return known.slice(1).flatMap(({ end, halves }, index) => {
    const before = known[index]?.halves ?? halves;
    // Some programs copy the second half of the file they opened into the first half of the file they save.
    if (before.includes(halves[0])) return [];
    const message =
      'A later version of the file carries the identifier of another document than the version before it.';
    return [{ message, evidence: [{ offset: end, before: before[0], after: halves[0] }] }];
  });
}

function savedUnsaid(structure: Structure): Finding[] {
  const first = structure.views[0] ?? structure.current;
  const halves = identifierOf(first);
  const { claimed } = writerIn(structure);
  if (halves === undefined || halves[0] === halves[1] || claimed?.equalHalves !== true) return [];
  const { created, modified } = metadataOf(structure, first);
  const [made, changed] = [created, modified].map((date) => (date === undefined ? undefined : readPdfDate(date)));
  if (made !== undefined && changed !== undefined && (isClearlyLater(changed, made) || changed.time - made.time > 5000))
    return [];
  return [
    {
      message: `The file was saved again after ${claimed.name} made it, although its dates do not show that.`,
      evidence: [{ before: halves[0], after: halves[1] }],
    },
  ];
}
