import { cached } from '../../cached.ts';
import { Unreadable } from '../../model.ts';
import { dictionaryOf, entry, nameOf, type Value } from '../objects.ts';
import { type Structure, structureOf } from '../structure.ts';

/** How a font that the pages use is written into the file. */
export interface FontObject {
  /** Its name without the subset prefix. */
  font: string;
  /** The kind of its program, and whether it is embedded. */
  program: string;
  encoding: string;
  /** The keys of its dictionary in order, without those that depend on font and text. */
  keys: string;
  /** The form of the name by which pages refer to it, as in "F#" and "@-#" for one with the font's name. */
  named: string;
}

/** What speaks for a font added by another program than the one that made the file. */
export type Added = 'written otherwise' | 'of another kind';

const PAGES = 100;
const FORMS = 200;
const NESTED = 3;
const FONTS = 300;
const OPTIONAL = ['Encoding', 'ToUnicode', 'Widths', 'FirstChar', 'LastChar', 'FontDescriptor'];
const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3'];

/** The fonts of pages and of the forms that they draw; none if our own reader cannot read the file. */
export const fontObjectsOf = cached((bytes: Uint8Array): FontObject[] => {
  try {
    return fontObjectsIn(structureOf(bytes));
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
});

function fontObjectsIn({ current }: Structure): FontObject[] {
  const found = new Map<string, FontObject>();
  let forms = 0;
  const read = (resources: Value | undefined, depth: number) => {
    for (const [name, value] of current.dictionary(resources, 'Font')?.entries ?? []) {
      const key = `${name} ${JSON.stringify(value)}`;
      if (found.size < FONTS && !found.has(key)) found.set(key, fontObject(name, value));
    }
    if (depth === NESTED) return;
    for (const drawn of current.dictionary(resources, 'XObject')?.entries.values() ?? [])
      if (forms < FORMS && nameOf(current.get(drawn, 'Subtype')) === 'Form') {
        forms++;
        read(current.get(drawn, 'Resources'), depth + 1);
      }
  };
  const fontObject = (name: string, value: Value): FontObject => {
    const font = (nameOf(current.get(value, 'BaseFont')) ?? '').replace(/^[A-Z]{6}\+/, '');
    const descriptor = current.get(current.list(value, 'DescendantFonts')[0] ?? value, 'FontDescriptor');
    const isEmbedded = PROGRAMS.some((key) => entry(descriptor, key) !== undefined);
    const encoding = current.get(value, 'Encoding');
    const keys = [...(dictionaryOf(current.resolve(value))?.entries.keys() ?? [])];
    return {
      font,
      program: `${nameOf(current.get(value, 'Subtype'))} ${isEmbedded ? 'embedded' : 'by name'}`,
      encoding: nameOf(encoding) ?? typeof encoding,
      keys: keys.filter((key) => !OPTIONAL.includes(key)).join(' '),
      named: (font === '' ? name : name.replace(font, '@')).replace(/\d+/g, '#'),
    };
  };
  for (const page of current.pages().slice(0, PAGES)) read(current.inherited(page, 'Resources'), 0);
  return [...found.values()];
}

/**
 * Whether a font was added: it is written otherwise than the usual font although both have programs of one kind, or no font of the file is
 * of its kind. Other fonts may have been added by an archive or for a watermark. Of two copies of one font, it is the one that differs.
 */
export function howAdded(font: string, usual: string, objects: readonly FontObject[]): Added | undefined {
  const [own, theirs] = [font, usual].map((name) => objects.filter((one) => one.font === name));
  if (own === undefined || theirs === undefined || own.length === 0) return undefined;
  const isOdd = (one: FontObject) => {
    const comparable = theirs.filter((other) => other !== one && other.program === one.program);
    return comparable.length > 0 && !comparable.some((other) => one.keys === other.keys && one.named === other.named);
  };
  if (font === usual ? own.some(isOdd) : own.every(isOdd)) return 'written otherwise';
  const isOfItsKind = (one: FontObject, other: FontObject) =>
    one.program === other.program && one.encoding === other.encoding;
  const others = objects.filter(({ font: name }) => name !== font);
  return others.length > 0 && own.every((one) => !others.some((other) => isOfItsKind(one, other)))
    ? 'of another kind'
    : undefined;
}
