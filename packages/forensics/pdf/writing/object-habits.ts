import { dictionaryOf, entry, nameOf, numberOf, type PdfObject, referenceOf, textOf } from '../objects.ts';
import type { Structure } from '../structure.ts';
import type { View } from '../view.ts';

/** How a program writes the objects of its files; undefined where its files differ, or leave no choice. */
export interface ObjectHabits {
  /** The first key in dictionaries of pages. */
  'first key of pages'?: string;
  'lengths of streams'?: 'in the stream' | 'in objects of their own';
  /** The form of Producer. */
  strings?: 'literal' | 'hexadecimal';
  'order of objects'?: 'by number' | 'otherwise';
  /** In cross-reference streams (ISO 32000-1, 7.4.4.4). */
  predictor?: 'none' | 'PNG';
}

export type ObjectMark = keyof ObjectHabits;

export const OBJECT_MARKS: readonly ObjectMark[] = [
  'first key of pages',
  'lengths of streams',
  'strings',
  'order of objects',
  'predictor',
];

const LOOKED_AT = 2000;
const PAGES = 20;
/** Fewer objects may be in order by chance. */
const FEWEST = 6;
const PNG = 10;

/** Covers the file as it was first saved. */
export function objectHabitsOf({ objects, encrypted }: Structure, view: View): ObjectHabits {
  const written = objects.slice(0, LOOKED_AT).filter(({ offset, container }) => offset < view.end && !container);
  const producer = textOf(view.get(view.dictionary(view.trailer, 'Info'), 'Producer'));
  return {
    ...given('first key of pages', firstKeyOf(view)),
    ...given('lengths of streams', lengthsIn(written)),
    ...given('strings', producer === undefined || encrypted ? undefined : producer.hex ? 'hexadecimal' : 'literal'),
    ...given('order of objects', orderOf(written)),
    ...given('predictor', predictorIn(written)),
  };
}

function given<M extends ObjectMark>(mark: M, value: ObjectHabits[M]): ObjectHabits {
  return value === undefined ? {} : { [mark]: value };
}

function firstKeyOf(view: View): string | undefined {
  const pages = view.pages().slice(0, PAGES);
  return shared(pages.map(({ value }) => dictionaryOf(value)?.entries.keys().next().value));
}

function lengthsIn(written: readonly PdfObject[]): ObjectHabits['lengths of streams'] {
  const streams = written.filter(({ value, data }) => data !== undefined && !isOfReading(value));
  return shared(
    streams.map(({ value }) =>
      referenceOf(entry(value, 'Length')) === undefined ? 'in the stream' : 'in objects of their own',
    ),
  );
}

/** Their lengths are always direct (7.5.8.2). */
function isOfReading(value: PdfObject['value']): boolean {
  return ['XRef', 'ObjStm'].includes(nameOf(entry(value, 'Type')) ?? '');
}

function orderOf(written: readonly PdfObject[]): ObjectHabits['order of objects'] {
  if (written.length < FEWEST) return undefined;
  return written.every(({ number }, index) => number > (written[index - 1]?.number ?? -1)) ? 'by number' : 'otherwise';
}

function predictorIn(written: readonly PdfObject[]): ObjectHabits['predictor'] {
  const section = written.find(({ value }) => nameOf(entry(value, 'Type')) === 'XRef');
  if (section === undefined) return undefined;
  return (numberOf(entry(entry(section.value, 'DecodeParms'), 'Predictor')) ?? 1) < PNG ? 'none' : 'PNG';
}

function shared<T>(values: readonly T[]): T | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}
