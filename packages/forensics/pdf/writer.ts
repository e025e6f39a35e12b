import { metadataOf } from './metadata.ts';
import { entry, listOf, textOf } from './objects.ts';
import { claimedWriter, type WayOfWriting, writerOf } from './producers-writing.ts';
import type { Structure } from './structure.ts';
import type { View } from './view.ts';

/** Who a file says it was made with, and how it is written, both as it was first saved. */
export interface Writer {
  /** As the file says; absent when it says nothing. */
  producer?: string;
  /** How a program of that name writes, where it is known. */
  claimed?: WayOfWriting;
  /** Who writes as the file is written, where it is known. */
  seen?: WayOfWriting;
  /** The binary comment of the second line, in hex; empty when there is none. */
  comment: string;
}

export function writerIn(structure: Structure): Writer {
  const first = structure.views[0] ?? structure.current;
  const { producer } = metadataOf(structure, first);
  const claimed = producer === undefined ? undefined : claimedWriter(producer);
  const comment = commentOf(structure);
  const seen = writerOf(comment);
  return {
    comment,
    ...(producer === undefined ? {} : { producer }),
    ...(claimed === undefined ? {} : { claimed }),
    ...(seen === undefined ? {} : { seen }),
  };
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
