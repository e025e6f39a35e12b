import { programNamed, type Trade } from '../../pdf/producers.ts';
import { programsNamed } from '../../pdf/programs-named.ts';
import { structureOf } from '../../pdf/structure.ts';
import { type Finding, notApplicable, type Rule, type Strength, verdictOf } from '../../rule.ts';

const WEIGHT: Record<Exclude<Trade, 'graphics'>, { strength: Strength; does: string }> = {
  editor: { strength: 'medium', does: 'which is made to change what the pages of a finished document say' },
  service: { strength: 'context', does: 'which puts files together, compresses or converts them' },
};

/**
 * Looks up the programs that a file names in its information dictionary and its XMP packet, in each of its revisions. Programs made to edit
 * pages are medium. Programs and websites that merge, compress, convert or sign files are context, although some can edit too, because most
 * of their users do not. Programs that are not in the table are no finding.
 *
 * Known false positives: a person who opened a file in an editor only to fill in a form or rotate a page.
 *
 * Source: names as the programs write them, collected in `pdf/producers.ts`.
 */
export const knownEditor: Rule = {
  name: 'known-editor',
  version: 2,
  title: 'Programs that edit documents',
  strength: 'medium',
  family: 'structure',
  substance: false,
  appliesTo: ['pdf'],
  run({ bytes }) {
    const named = programsNamed(structureOf(bytes));
    if (named.length === 0) return notApplicable('The file names no program.');
    return verdictOf(
      named.flatMap(({ text, where }) => findingAbout(text, where) ?? []),
      { count: named.length, what: 'name' },
    );
  },
};

function findingAbout(text: string, places: string): Finding | undefined {
  const program = programNamed(text);
  if (program === undefined || program.trade === 'graphics') return undefined;
  const { strength, does } = WEIGHT[program.trade];
  return {
    message: `The file names ${program.name}, ${does}.`,
    strength,
    evidence: [{ details: { named: text, where: places } }],
  };
}
