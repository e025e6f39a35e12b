import { DRAWING_PROGRAM } from '../../named-rules.ts';
import { programNamed } from '../../pdf/producers.ts';
import { type NamedText, programsNamed } from '../../pdf/programs-named.ts';
import { structureOf } from '../../pdf/structure.ts';
import { type Finding, notApplicable, type Rule, verdictOf } from '../../rule.ts';

/**
 * Drawing and picture programs that a file names. Such a program can change a document, and its exports contain text in fonts, fragments
 * and places unlike those of letters and payroll software. Medium content findings in such an export may therefore have this one cause, so
 * they do not add up with this finding to `tampered` (`conclude.ts`).
 *
 * Known false positives: an employer who writes payslips in a drawing program.
 *
 * Source: names as the programs write them, collected in `pdf/producers.ts`.
 */
export const drawingProgram: Rule = {
  name: DRAWING_PROGRAM,
  version: 2,
  title: 'Programs that draw',
  strength: 'medium',
  family: 'structure',
  substance: false,
  appliesTo: ['pdf'],
  run({ bytes }) {
    const named = programsNamed(structureOf(bytes));
    if (named.length === 0) return notApplicable('The file names no program.');
    return verdictOf(named.flatMap(findingAbout), { count: named.length, what: 'name' });
  },
};

function findingAbout({ text, where }: NamedText): Finding[] {
  const program = programNamed(text);
  if (program?.trade !== 'graphics') return [];
  const message = `The file names ${program.name}, which is made to draw and to change pictures, not to write such documents.`;
  return [{ message, evidence: [{ details: { named: text, where } }] }];
}
