import { Unreadable } from '../model.ts';
import { readPdfDate } from './dates.ts';
import { charactersOf, type Dictionary, textOf } from './objects.ts';
import { type Structure, structureOf } from './structure.ts';
import type { View } from './view.ts';
import { readXmp, type Xmp } from './xmp.ts';

const LONGEST = 200;

/** What a file says of itself, in its information dictionary and in its XMP packet, as it is written. */
export interface Metadata {
  producer?: string;
  creator?: string;
  /** As written, as in `D:20261031120000+01'00'`. */
  created?: string;
  modified?: string;
  xmp?: Xmp;
}

export function metadataOf(structure: Structure, view: View = structure.current): Metadata {
  const info = view.dictionary(view.trailer, 'Info');
  const xmp = xmpOf(structure, view);
  return {
    ...optional('producer', written(view, info, 'Producer')),
    ...optional('creator', written(view, info, 'Creator')),
    ...optional('created', written(view, info, 'CreationDate')),
    ...optional('modified', written(view, info, 'ModDate')),
    ...(xmp === undefined ? {} : { xmp }),
  };
}

/** What the result tells of a file: dates as ISO 8601 where they can be read. Empty for what is no readable PDF. Never throws. */
export function factsOf(bytes: Uint8Array): {
  producer?: string;
  creator?: string;
  created_at?: string;
  modified_at?: string;
} {
  try {
    const { producer, creator, created, modified, xmp } = metadataOf(structureOf(bytes));
    return {
      ...optional('producer', producer ?? xmp?.producer),
      ...optional('creator', creator ?? xmp?.creatorTool),
      ...optional('created_at', shown(created) ?? xmp?.created),
      ...optional('modified_at', shown(modified) ?? xmp?.modified),
    };
  } catch (error) {
    if (error instanceof Unreadable) return {};
    throw error;
  }
}

function shown(date: string | undefined): string | undefined {
  return date === undefined ? undefined : (readPdfDate(date)?.iso ?? date);
}

function optional<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  const text = value?.trim().slice(0, LONGEST);
  return text ? ({ [key]: text } as { [K in Key]?: string }) : {};
}

function written(view: View, info: Dictionary | undefined, key: string): string | undefined {
  const text = textOf(view.get(info, key));
  return text && charactersOf(text, LONGEST).replaceAll('\0', '');
}

function xmpOf(structure: Structure, view: View): Xmp | undefined {
  const object = view.referred(view.catalog?.entries.get('Metadata'));
  const data = object && structure.decoded(object);
  return data && readXmp(data);
}
