import { readPdfDate } from './dates.ts';
import { charactersOf, type Dictionary, textOf } from './objects.ts';
import { type Structure, structureOf } from './structure.ts';
import type { View } from './view.ts';
import { readXmp, type Xmp } from './xmp.ts';

const LONGEST = 200;

/** A file's metadata, unparsed, from its information dictionary and XMP packet. */
export interface Metadata {
  producer: string | undefined;
  creator: string | undefined;
  /** As written, as in `D:20261031120000+01'00'`. */
  created: string | undefined;
  modified: string | undefined;
  xmp: Xmp | undefined;
}

export function metadataOf(structure: Structure, view: View = structure.current): Metadata {
  const info = view.dictionary(view.trailer, 'Info');
  return {
    producer: written(view, info, 'Producer'),
    creator: written(view, info, 'Creator'),
    created: written(view, info, 'CreationDate'),
    modified: written(view, info, 'ModDate'),
    xmp: xmpOf(structure, view),
  };
}

/** A file's metadata in the result: dates as ISO 8601 where they can be parsed. */
interface StatedFacts {
  producer?: string;
  creator?: string;
  created_at?: string;
  modified_at?: string;
}

/** Empty if the file is no readable PDF or our reader fails on it; the check that meets the problem reports it. Never throws. */
export function factsOf(bytes: Uint8Array): StatedFacts {
  try {
    const { xmp, ...info } = metadataOf(structureOf(bytes));
    const producer = info.producer ?? xmp?.producer;
    const creator = info.creator ?? xmp?.creatorTool;
    const created = shown(info.created) ?? xmp?.created;
    const modified = shown(info.modified) ?? xmp?.modified;
    return {
      ...(producer === undefined ? {} : { producer }),
      ...(creator === undefined ? {} : { creator }),
      ...(created === undefined ? {} : { created_at: created }),
      ...(modified === undefined ? {} : { modified_at: modified }),
    };
  } catch {
    return {};
  }
}

function shown(date: string | undefined): string | undefined {
  return date === undefined ? undefined : (readPdfDate(date)?.iso ?? date);
}

function written(view: View, info: Dictionary | undefined, key: string): string | undefined {
  const text = textOf(view.get(info, key));
  const value = text && charactersOf(text, LONGEST).replaceAll('\0', '').trim();
  return value === '' ? undefined : value;
}

function xmpOf(structure: Structure, view: View): Xmp | undefined {
  const object = view.referred(view.catalog?.entries.get('Metadata'));
  const data = object && structure.decoded(object);
  return data && readXmp(data);
}
