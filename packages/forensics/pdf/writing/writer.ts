import { entry, listOf, textOf } from '../objects.ts';
import type { Structure } from '../structure.ts';
import type { View } from '../view.ts';
import { writerOf } from './producers-writing.ts';
import { usualStyle } from './style.ts';

/** The program that writes files like this one, if known, whatever the file says. */
export function writerIn(structure: Structure): string | undefined {
  return writerOf(commentOf(structure), usualStyle(structure))?.name;
}

/** The binary comment of the second line, in hex; empty if there is none. */
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
