import { latin } from '../characters.ts';
import { entry, nameOf, type PdfObject } from '../objects.ts';
import type { Structure } from '../structure.ts';

const LOOKED_AT = 400;
const OBJECTS = 2000;
const FEWEST = 4;
const MAX_SHARE = 0.6;
const USUAL = 4;
const FEW_SHARE = 0.25;
const LISTED = 20;
const SPACE = '[\\s\\0]{0,4}';
const DICTIONARY = new RegExp(`^\\d{1,10}[\\s\\0]{1,4}\\d{1,5}[\\s\\0]{1,4}obj(${SPACE})<<(${SPACE})`);
/** An entry whose value is a name. */
const NAMED = new RegExp(`/[^\\s\\0()<>[\\]{}/%]{1,60}(${SPACE})/[^\\s\\0()<>[\\]{}/%]`);

/** Objects that are written differently from the others of their type. */
export interface OtherStyle {
  type: string;
  objects: PdfObject[];
  own: string;
  usual: string;
}

/**
 * How the dictionary of an object is written, as in `obj\n<</Type␣/X`: the format leaves spaces and line breaks to the program (ISO
 * 32000-1, 7.2.2). Undefined if the object is no dictionary, or is in an object stream.
 */
export function styleOf(bytes: Uint8Array, { offset, end, container }: PdfObject): string | undefined {
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

/** Pages and fonts that are written differently from the others, and therefore not by the program that wrote the rest of the file. */
export function otherStyles(structure: Structure): OtherStyle[] {
  const byType = Map.groupBy(firstObjects(structure), ({ value }) => nameOf(entry(value, 'Type')) ?? '');
  return ['Page', 'Font'].flatMap((type) => {
    const styles = Map.groupBy(byType.get(type) ?? [], (object) => styleOf(structure.bytes, object) ?? '');
    styles.delete('');
    const [usual, own, ...others] = [...styles].sort(([, one], [, other]) => other.length - one.length);
    if (usual === undefined || own === undefined || others.length > 0 || usual[1].length < USUAL) return [];
    if (own[1].length > FEW_SHARE * (usual[1].length + own[1].length)) return [];
    return [{ type, objects: own[1].slice(0, LISTED), own: own[0], usual: usual[0] }];
  });
}

function firstObjects({ objects, views, current }: Structure): PdfObject[] {
  const end = (views[0] ?? current).end;
  return objects.slice(0, OBJECTS).filter(({ offset }) => offset < end);
}
