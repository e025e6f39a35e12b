import { metadataOf } from './metadata.ts';
import type { Structure } from './structure.ts';

/** A program's name as a file states it. */
export interface NamedText {
  text: string;
  /** The entries that contain it, as in "Producer, XMP history". */
  where: string;
}

/** The programs named in the information dictionary and the XMP packet of any revision. */
export function programsNamed(structure: Structure): NamedText[] {
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
  return [...named].map(([text, places]) => ({ text, where: [...places].join(', ') }));
}
