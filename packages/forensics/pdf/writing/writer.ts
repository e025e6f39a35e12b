import { latin } from '../characters.ts';
import { metadataOf } from '../metadata.ts';
import { entry, listOf, textOf } from '../objects.ts';
import type { Structure } from '../structure.ts';
import type { View } from '../view.ts';
import { OBJECT_MARKS, type ObjectMark, objectHabitsOf } from './object-habits.ts';
import { claimedWriter, type WayOfWriting, writerOf } from './producers-writing.ts';
import { usualStyle } from './style.ts';

/** The program that a file says made it, and how the file is written, both in the first revision. */
export interface Writer {
  /** As stated in the file. */
  producer?: string;
  /** How a program of that name writes, if known. */
  claimed?: WayOfWriting;
  /** The program that writes files this way, if known. */
  seen?: WayOfWriting;
  /** The binary comment of the second line, in hex; empty if there is none. */
  comment: string;
  /** Other differences from how the claimed program writes. */
  differences: Difference[];
}

/** A trait of a file's writing: as the named program writes it, and as it is. */
export interface Difference {
  mark: 'dictionaries' | 'cross-reference' | 'identifier' | 'XMP packet' | ObjectMark;
  usual: string;
  own: string;
}

/** Whether the named program saved the file last, by the comment that marks it as binary. */
export function isUntouched({ claimed, comment }: Writer): boolean {
  return claimed !== undefined && comment.startsWith(claimed.comment);
}

export function writerIn(structure: Structure): Writer {
  const first = structure.views[0] ?? structure.current;
  const { producer, xmp } = metadataOf(structure, first);
  const claimed = producer === undefined ? undefined : claimedWriter(producer);
  const comment = commentOf(structure);
  const style = usualStyle(structure);
  const seen = writerOf(comment, style);
  return {
    comment,
    differences:
      claimed === undefined ? [] : differencesIn(structure, first, claimed, { style, toolkit: xmp?.toolkit }),
    ...(producer === undefined ? {} : { producer }),
    ...(claimed === undefined ? {} : { claimed }),
    ...(seen === undefined ? {} : { seen }),
  };
}

/** XMP libraries that no program in the table uses. */
const FOREIGN_TOOLKIT = /^Adobe XMP Core|^Image::ExifTool/;

function differencesIn(
  structure: Structure,
  view: View,
  claimed: WayOfWriting,
  { style, toolkit }: { style: string | undefined; toolkit: string | undefined },
): Difference[] {
  const differences: Difference[] = [];
  const compare = (mark: Difference['mark'], usual: string | undefined, own: string | undefined) => {
    if (usual !== undefined && own !== undefined && usual !== own) differences.push({ mark, usual, own });
  };
  compare('dictionaries', claimed.style, style);
  compare('cross-reference', claimed.xref, view.sections[0]?.kind);
  compare('identifier', claimed.id, caseOfIdentifier(structure.bytes, view));
  const habits = objectHabitsOf(structure, view);
  for (const mark of OBJECT_MARKS) compare(mark, claimed.objects?.[mark], habits[mark]);
  if (toolkit !== undefined && FOREIGN_TOOLKIT.test(toolkit) && claimed.savesAgain !== true)
    differences.push({ mark: 'XMP packet', usual: `by ${claimed.name}`, own: `by ${toolkit}` });
  return differences;
}

/** Undefined for an identifier that has no letters or is not written in hexadecimal. */
function caseOfIdentifier(bytes: Uint8Array, view: View): 'upper' | 'lower' | undefined {
  const half = textOf(listOf(view.resolve(entry(view.trailer, 'ID')))?.[0]);
  const written = half?.hex === true ? latin(bytes, half.start, Math.min(half.end, half.start + 80)) : '';
  const [upper, lower] = [/[A-F]/.test(written), /[a-f]/.test(written)];
  return upper === lower ? undefined : upper ? 'upper' : 'lower';
}

function commentOf({ bytes, header }: Structure): string {
  const line = Buffer.from(bytes.subarray(header.offset, header.offset + 64));
  const start = line.findIndex((byte) => byte === 10 || byte === 13) + 1;
  const second = line[start] === 10 ? start + 1 : start;
  if (start === 0 || line[second] !== 0x25) return '';
  const rest = line.subarray(second + 1);
  const end = rest.findIndex((byte) => byte < 0x80);
  return rest.subarray(0, end < 0 ? 16 : Math.min(end, 16)).toString('hex');
}

/** The halves of the file's identifier, in hex (ISO 32000-1, 14.4). */
export function identifierOf(view: View): [string, string] | undefined {
  const halves = listOf(view.resolve(entry(view.trailer, 'ID')))?.map((half) => textOf(view.resolve(half)));
  const [first, second] = (halves ?? []).map((half) => half && Buffer.from(half.bytes.subarray(0, 64)).toString('hex'));
  return first && second ? [first, second] : undefined;
}
