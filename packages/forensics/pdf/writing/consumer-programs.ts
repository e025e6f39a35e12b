import { metadataOf } from '../metadata.ts';
import type { Structure } from '../structure.ts';
import table from './consumer-programs.json' with { type: 'json' };
import { writerIn } from './writer.ts';

/**
 * Browsers, office programs, PDF printers, and programs that redraw pages of other files into new ones, by their names in Producer, Creator
 * and XMP, and by their way of writing (`ways-of-writing.json`), because names can be removed. Excludes libraries that only programs of
 * issuers use. Payroll programs use some of these, too: they are treated alike.
 */
const PROGRAMS = table.map(({ name, named, writing }) => ({
  name,
  named: named === undefined ? undefined : new RegExp(named, 'iu'),
  writing,
}));

/** The consumer program that made a file, with what shows it: what the file names, or how it is written. */
export function consumerProgramOf(structure: Structure): { name: string; shownBy: string } | undefined {
  const { producer, creator, xmp } = metadataOf(structure);
  const names = [producer, creator, xmp?.producer, xmp?.creatorTool].filter((text) => text !== undefined);
  for (const { name, named } of PROGRAMS) {
    const found = named && names.find((text) => named.test(text));
    if (found !== undefined) return { name, shownBy: found };
  }
  const seen = writerIn(structure);
  const byWriting = PROGRAMS.find(({ writing }) => writing !== undefined && writing === seen);
  return byWriting && { name: byWriting.name, shownBy: 'the way in which it is written' };
}
