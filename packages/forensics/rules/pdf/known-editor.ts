import { metadataOf } from '../../pdf/metadata.ts';
import { programNamed, type Trade } from '../../pdf/producers.ts';
import { structureOf } from '../../pdf/structure.ts';
import { type Finding, notApplicable, passed, type Rule, type Strength, verdictOf } from '../../rule.ts';

const WEIGHT: Record<Trade, { strength: Strength; does: string }> = {
  editor: { strength: 'medium', does: 'which is made to change what the pages of a finished document say' },
  graphics: { strength: 'medium', does: 'which is made to draw and to change pictures, not to write such documents' },
  service: { strength: 'context', does: 'which puts files together, compresses or converts them' },
};

/**
 * The programs that a file names in its information dictionary and its XMP packet, in each of its revisions, are looked up
 * in a table. Programs that print, scan, sign, write letters or make documents for companies are no finding; websites that
 * merge and compress files are reported for people, although they can edit too, because most of their users do not.
 *
 * Known false positives: an employer who writes payslips in a drawing program, and a person who opened a file in an editor only
 * to fill in a form or to turn a page.
 *
 * Source: names as they are written by the programs, gathered in `pdf/producers.ts`.
 */
export const knownEditor: Rule = {
  name: 'known-editor',
  version: 1,
  title: 'Programs that edit documents',
  strength: 'medium',
  family: 'structure',
  appliesTo: ['pdf'],
  run({ bytes }) {
    const structure = structureOf(bytes);
    const named = new Map<string, Set<string>>();
    for (const view of structure.views) {
      const { producer, creator, xmp } = metadataOf(structure, view);
      const agents = xmp?.history.map(({ agent }) => agent) ?? [];
      for (const [where, text] of [
        ['Producer', producer],
        ['Creator', creator],
        ['XMP Producer', xmp?.producer],
        ['XMP CreatorTool', xmp?.creatorTool],
        ...agents.map((agent) => ['XMP history', agent]),
      ]) {
        if (text && where) named.set(text, (named.get(text) ?? new Set()).add(where));
      }
    }
    if (named.size === 0) return notApplicable('The file names no program.');
    const findings = [...named].flatMap(([text, places]) => findingAbout(text, [...places].join(', ')) ?? []);
    return findings.length === 0 ? passed : verdictOf(findings);
  },
};

function findingAbout(text: string, places: string): Finding | undefined {
  const program = programNamed(text);
  if (program === undefined) return undefined;
  const { strength, does } = WEIGHT[program.trade];
  return {
    message: `The file names ${program.name}, ${does}.`,
    strength,
    evidence: [{ details: { named: text, where: places } }],
  };
}
