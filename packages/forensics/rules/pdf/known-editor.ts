import { programNamed, type Trade } from '../../pdf/producers.ts';
import { type NamedText, programsNamed } from '../../pdf/programs-named.ts';
import { structureOf } from '../../pdf/structure.ts';
import { type Finding, notApplicable, type Rule, verdictOf } from '../../rule.ts';

const MADE: Record<Trade, string> = {
  editor: 'which is made to change what the pages of a finished document say',
  graphics: 'which is made to draw and to change pictures',
  service: 'which puts files together, compresses or converts them',
};

/**
 * Looks up the programs that a file names in its information dictionary and its XMP packet, in each of its revisions: programs that edit
 * pages, that draw, and that merge, compress, convert or sign files. Their names accuse no one, because people use them to fill in a form,
 * to turn a page or to send a smaller file. But a file that an editor or a drawing program saved counts as a copy (`copied-document.ts`).
 *
 * Source: names as the programs write them, collected in `pdf/producers.ts`.
 */
export const knownEditor: Rule = {
  name: 'known-editor',
  version: 3,
  title: 'Programs that edit or draw documents',
  strength: 'context',
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
  if (program === undefined) return [];
  const message = `The file names ${program.name}, ${MADE[program.trade]}.`;
  return [{ message, evidence: [{ details: { named: text, where } }] }];
}
