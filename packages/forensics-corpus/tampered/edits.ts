import { deflateSync } from 'node:zlib';
import { PDFDict, PDFDocument, PDFName, PDFRawStream, StandardFonts } from '@cantoo/pdf-lib';
import { standardNames } from '../drawing.ts';
import { concatenated, latin, latinText } from '../pdf/bytes.ts';
import { NotPossible, retype } from '../pdf/retype.ts';
import { contentBody, withRevision } from '../pdf/revision.ts';
import { qpdf } from '../producers/qpdf.ts';
import type { Victim } from './victim.ts';

/** Opens the file without writing a date or a name into it. */
export function opened(bytes: Uint8Array, forIncrementalUpdate = false): Promise<PDFDocument> {
  return PDFDocument.load(bytes, { updateMetadata: false, forIncrementalUpdate });
}

/** Replaces the content in an appended revision. The original file is still inside. */
export async function incrementalEdit({ bytes, change, random }: Victim): Promise<Uint8Array> {
  const document = await opened(bytes);
  const { ref, after } = retype(document, change.page, change.before, change.after);
  const body = contentBody(after, random.chance(0.7));
  return withRevision(bytes, document, [{ number: ref.objectNumber, body }]);
}

/** Rewritten by a library that keeps unreferenced objects: the former content stays in the file as an orphan. */
export async function rewriteOrphan({ bytes, change, random }: Victim): Promise<Uint8Array> {
  const document = await opened(bytes);
  const { ref, after } = retype(document, change.page, change.before, change.after);
  const { node } = document.getPage(change.page - 1);
  const { context } = document;
  node.set(PDFName.of('Contents'), context.register(context.flateStream(latin(after))));
  if (context.lookup(ref) === undefined) throw new NotPossible('The former content is gone.');
  return document.save({ useObjectStreams: random.chance(0.5) });
}

/** Rewritten with the change in place of the former content: only the values can reveal it. */
export async function rewriteClean({ bytes, change, random }: Victim): Promise<Uint8Array> {
  const document = await opened(bytes);
  const { ref, after } = retype(document, change.page, change.before, change.after);
  document.context.assign(ref, document.context.flateStream(latin(after)));
  const saved = await document.save({ useObjectStreams: false });
  return qpdf(saved, [`--object-streams=${random.pick(['preserve', 'generate'])}`]);
}

/** Rewritten with the change, and without anything that the file said of its making. */
export async function metadataScrub({ bytes, change, random }: Victim): Promise<Uint8Array> {
  const document = await opened(bytes);
  const { ref, after } = retype(document, change.page, change.before, change.after);
  document.context.assign(ref, document.context.flateStream(latin(after)));
  document.catalog.delete(PDFName.of('Metadata'));
  delete document.context.trailerInfo.Info;
  delete document.context.trailerInfo.ID;
  const saved = await document.save({ useObjectStreams: false });
  return random.chance(0.5) ? saved : qpdf(saved, [`--object-streams=${random.pick(['preserve', 'generate'])}`]);
}

/** Changes the bytes of the content in place, so that nothing else in the file moves. @throws NotPossible where they do not fit */
export async function inPlace({ bytes, change }: Victim): Promise<Uint8Array> {
  const document = await opened(bytes);
  const { ref, after } = retype(document, change.page, change.before, change.after);
  const stream = document.context.lookup(ref);
  if (!(stream instanceof PDFRawStream)) throw new NotPossible('No content.');
  const old = stream.contents;
  const at = Buffer.from(bytes).indexOf(old);
  const filter = stream.dict.lookup(PDFName.of('Filter'));
  const compressed = filter === PDFName.of('FlateDecode');
  if (filter && !compressed) throw new NotPossible('The content is encoded more than once.');
  const data = compressed ? deflateSync(latin(after), { level: 9 }) : latin(after);
  if (at < 0 || data.length > old.length) throw new NotPossible('The new content is longer.');
  if (!compressed && data.length !== old.length) throw new NotPossible('The new content has another length.');
  return concatenated(bytes.slice(0, at), data, new Uint8Array(old.length - data.length), bytes.slice(at + old.length));
}

/** Removes the value and writes it again in another font, as editors without the document's font do. */
export async function fontSwap({ bytes, change, random, target, drawing }: Victim): Promise<Uint8Array> {
  const document = await opened(bytes);
  const mark = drawing.sheets[target.page - 1]?.marks[target.mark];
  if (mark?.kind !== 'text') throw new NotPossible('No text.');
  // Text after it must not move.
  const gap = mark.text === change.before ? '' : ' '.repeat(change.before.length);
  const { ref, after } = retype(document, change.page, change.before, gap);
  document.context.assign(ref, document.context.flateStream(latin(after)));
  const others = [StandardFonts.Helvetica, StandardFonts.TimesRoman, StandardFonts.Courier];
  const other = random.pick(others.filter((name) => !standardNames[mark.face].startsWith(name.slice(0, 5))));
  const page = document.getPage(change.page - 1);
  const { x, y, height } = change.place;
  const font = document.embedStandardFont(other);
  page.drawText(change.after, { x, y: page.getHeight() - y - height * 0.78, size: mark.size, font });
  return document.save({ useObjectStreams: random.chance(0.5) });
}

/** Changes a file's metadata, but not its pages. */
export async function metadata({
  bytes,
  random,
  created,
}: Victim): Promise<{ bytes: Uint8Array; before: string; after: string; isRevision: boolean }> {
  const later = new Date(created.getTime() + 86_400_000 * random.integer(40, 400));
  const [before, after] = [created, later].map((date) => date.toISOString().slice(0, 10).replaceAll('-', ''));
  if (before === undefined || after === undefined) throw new Error('No dates.');
  if (random.chance(0.5)) return { bytes: await newInfo(bytes, later), before, after, isRevision: true };
  const text = latinText(bytes);
  // Other dates, such as the one of the last change, keep their value.
  const stated = new RegExp(`/CreationDate *\\(D:${before}`).exec(text);
  if (stated === null) throw new NotPossible('The date is not written plainly.');
  const at = stated.index + stated[0].length - before.length - 2;
  return {
    bytes: concatenated(bytes.slice(0, at), latin(`D:${after}`), bytes.slice(at + before.length + 2)),
    before,
    after,
    isRevision: false,
  };
}

/** As metadata tools do: the dictionary again in a revision, now with dates older than elsewhere in the file. */
async function newInfo(bytes: Uint8Array, created: Date): Promise<Uint8Array> {
  const document = await opened(bytes);
  const { Info } = document.context.trailerInfo;
  const info = document.context.lookup(Info);
  if (!(info instanceof PDFDict)) throw new NotPossible('No dictionary of information.');
  const entries = info
    .keys()
    .filter((key) => key !== PDFName.of('CreationDate'))
    .map((key) => `${key} ${info.get(key)}`);
  const date = created.toISOString().slice(0, 19).replace(/[-T:]/g, '');
  const number = document.context.largestObjectNumber + 1;
  const body = `<< ${entries.join(' ')} /CreationDate (D:${date}Z) >>`;
  return withRevision(bytes, document, [{ number, body }], `/Info ${number} 0 R`);
}
