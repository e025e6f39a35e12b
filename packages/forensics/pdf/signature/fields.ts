import {
  charactersOf,
  type Dictionary,
  dictionaryOf,
  entry,
  listOf,
  nameOf,
  numberOf,
  type PdfObject,
  type Text,
  textOf,
  type Value,
} from '../objects.ts';
import { revisionsOf } from '../revisions.ts';
import type { Structure } from '../structure.ts';
import type { View } from '../view.ts';

/** A signature or a time stamp; one that was prepared and never signed does not count (ISO 32000-1, 12.8). */
export interface Signature {
  object: PdfObject;
  subFilter: string;
  /** Pairs of an offset and a length, in bytes. */
  byteRange: number[];
  contents: Text;
  dictionary: Dictionary;
  /** As stated in the file. */
  name?: string;
  signedAt?: string;
  /** The changes that a certification allows: 1 none, 2 filling in and signing, 3 annotations too. */
  allows?: number;
}

const SIGNATURES = 50;
const FIELDS = 20_000;

/** The signatures of a file's last revision, without usage rights (12.8.2.3), which only unlock functions of a reader. */
export function signaturesOf(structure: Structure): Signature[] {
  const { current } = structure;
  const found = new Map<Dictionary, Signature>();
  const permissions = current.dictionary(current.catalog, 'Perms');
  const rights = ['UR', 'UR3'].map((key) => current.get(permissions, key));
  for (const field of fieldsOf(current)) {
    const object = current.referred(entry(field.value, 'V')) ?? field.object;
    const dictionary = dictionaryOf(current.get(field.value, 'V'));
    if (dictionary === undefined || rights.includes(dictionary) || found.size >= SIGNATURES) continue;
    const signature = signatureIn(current, object, dictionary);
    if (signature !== undefined) found.set(dictionary, signature);
  }
  return [...found.values()];
}

interface Field {
  object: PdfObject;
  value: Value;
  /** Prefixed with the names of the fields above it. */
  name: string;
}

/** The fields of the form, including groups and their members (12.7.3). */
export function fieldsOf(view: View): Field[] {
  const fields: Field[] = [];
  const seen = new Set<PdfObject>();
  const roots = view.list(view.dictionary(view.catalog, 'AcroForm'), 'Fields');
  const waiting = roots.map((value) => ({ value, above: '' }));
  while (waiting.length > 0 && fields.length < FIELDS) {
    const next = waiting.pop();
    const object = view.referred(next?.value);
    if (next === undefined || object === undefined || seen.has(object)) continue;
    seen.add(object);
    const own = textOf(view.get(object.value, 'T'));
    const name = [next.above, own && charactersOf(own, 200)].filter(Boolean).join('.').slice(0, 500);
    fields.push({ object, value: object.value, name });
    for (const kid of view.list(object.value, 'Kids')) waiting.push({ value: kid, above: name });
  }
  return fields;
}

function signatureIn(view: View, object: PdfObject, dictionary: Dictionary): Signature | undefined {
  const contents = textOf(view.resolve(dictionary.entries.get('Contents')));
  const byteRange = listOf(view.resolve(dictionary.entries.get('ByteRange')))?.map(
    (value) => numberOf(view.resolve(value)) ?? -1,
  );
  if (contents === undefined || byteRange === undefined || byteRange.length < 2) return undefined;
  if (!contents.bytes.some((byte) => byte !== 0) || unlocksFunctions(view, dictionary)) return undefined;
  const name = textOf(view.get(dictionary, 'Name'));
  const signedAt = textOf(view.get(dictionary, 'M'));
  const allows = certification(view, dictionary);
  return {
    object,
    subFilter: nameOf(view.get(dictionary, 'SubFilter')) ?? '',
    byteRange: byteRange.slice(0, 100),
    contents,
    dictionary,
    ...(name === undefined ? {} : { name: charactersOf(name, 200) }),
    ...(signedAt === undefined ? {} : { signedAt: charactersOf(signedAt, 40) }),
    ...(allows === undefined ? {} : { allows }),
  };
}

/** Whether it only grants usage rights (12.8.2.3), wherever the file keeps it. */
function unlocksFunctions(view: View, dictionary: Dictionary): boolean {
  const methods = view.list(dictionary, 'Reference').slice(0, 10);
  return methods.some((reference) => ['UR', 'UR3'].includes(nameOf(view.get(reference, 'TransformMethod')) ?? ''));
}

function certification(view: View, dictionary: Dictionary): number | undefined {
  for (const reference of view.list(dictionary, 'Reference').slice(0, 10)) {
    if (nameOf(view.get(reference, 'TransformMethod')) !== 'DocMDP') continue;
    return numberOf(view.get(view.get(reference, 'TransformParams'), 'P')) ?? 2;
  }
  return undefined;
}

/** The revision that a signature covers, or what is wrong with the part of the file that it covers. */
export interface Coverage {
  /** The index in `structure.views`; absent if it ends with none of them. */
  revision?: number;
  problem?: string;
  /** Bytes that should be covered but are not. */
  left?: { offset: number; length: number };
}

/**
 * A signature must cover a revision from its first byte to its last, except for its own value (12.8.1). The bytes in any other gap
 * could be replaced at will.
 */
export function coverageOf(structure: Structure, { byteRange, contents, object }: Signature): Coverage {
  const [start = 0, before = 0, resumed = 0, after = 0] = byteRange;
  const end = resumed + after;
  const gapEnd = start + before;
  const isSound = byteRange.length === 4 && byteRange.every((part) => Number.isSafeInteger(part) && part >= 0);
  if (!isSound || resumed < gapEnd)
    return { problem: 'It names the part of the file that it covers in a way that makes no sense.' };
  if (end > structure.bytes.length) return { problem: 'It covers more bytes than the file has.' };
  if (start > 0) return { problem: 'It leaves out the beginning of the file.', left: { offset: 0, length: start } };
  const isOwn =
    object.container === undefined && Math.abs(gapEnd - contents.start) <= 1 && Math.abs(resumed - contents.end) <= 1;
  if (!isOwn) {
    const left = { offset: gapEnd, length: resumed - gapEnd };
    return { problem: 'It leaves out more of the file than its own value, or another part.', left };
  }
  const revisions = revisionsOf(structure.bytes);
  const covered = revisions.findIndex((candidate) => endsAt(structure.bytes, candidate.end, end));
  // With very many revisions, only the last ones are views.
  const revision = covered - revisions.length + structure.views.length;
  if (covered >= 0) return revision < 0 ? {} : { revision };
  const next = revisions.find((candidate) => candidate.end > end)?.end ?? structure.bytes.length;
  return {
    problem: 'It ends before the version of the file does that it was given for.',
    left: { offset: end, length: next - end },
  };
}

/** Some signers cover the line break after the last marker, others do not. */
function endsAt(bytes: Uint8Array, revisionEnd: number, end: number): boolean {
  if (Math.abs(revisionEnd - end) > 64) return false;
  const between = bytes.subarray(Math.min(end, revisionEnd), Math.max(end, revisionEnd));
  return between.every((byte) => byte === 0 || byte === 10 || byte === 13 || byte === 32);
}
