import { latin } from '../characters.ts';
import type { PdfObject } from '../objects.ts';
import type { Structure } from '../structure.ts';

const LOOKED_AT = 400;
const OBJECTS = 2000;
const FEWEST = 4;
const MAX_SHARE = 0.6;
const SPACE = '[\\s\\0]{0,4}';
const DICTIONARY = new RegExp(`^\\d{1,10}[\\s\\0]{1,4}\\d{1,5}[\\s\\0]{1,4}obj(${SPACE})<<(${SPACE})`);
/** An entry whose value is a name. */
const NAMED = new RegExp(`/[^\\s\\0()<>[\\]{}/%]{1,60}(${SPACE})/[^\\s\\0()<>[\\]{}/%]`);

/**
 * How the dictionary of an object is written, as in `obj\n<</Type␣/X`: the format leaves spaces and line breaks to the program (ISO
 * 32000-1, 7.2.2). Undefined if the object is no dictionary, or is in an object stream.
 */
function styleOf(bytes: Uint8Array, { offset, end, container }: PdfObject): string | undefined {
  if (container !== undefined) return undefined;
  const text = latin(bytes, offset, Math.min(end, offset + LOOKED_AT));
  const [all, head = '', open = ''] = DICTIONARY.exec(text) ?? [];
  if (all === undefined) return undefined;
  const named = NAMED.exec(text.slice(all.length));
  return `obj${shown(head)}<<${shown(open)}${named === null ? '' : `/Type${shown(named[1] ?? '')}/X`}`;
}

function shown(gap: string): string {
  return JSON.stringify(gap).slice(1, -1).replaceAll(' ', '␣');
}

/** The style of most dictionaries that contain a name, in the first revision. */
export function usualStyle(structure: Structure): string | undefined {
  const styles = firstObjects(structure).flatMap((object) => styleOf(structure.bytes, object) ?? []);
  const named = styles.filter((style) => style.endsWith('/X'));
  const [most] = [...Map.groupBy(named, (style) => style)].sort(([, one], [, other]) => other.length - one.length);
  return most !== undefined && named.length >= FEWEST && most[1].length >= MAX_SHARE * named.length
    ? most[0]
    : undefined;
}

function firstObjects({ objects, views, current }: Structure): PdfObject[] {
  const end = (views[0] ?? current).end;
  return objects.slice(0, OBJECTS).filter(({ offset }) => offset < end);
}
