import { type PDFDocument, rgb, StandardFonts } from '@cantoo/pdf-lib';
import type { Tag } from '../data/locale.ts';
import { type Drawing, standardNames, type Target } from '../drawing.ts';
import { latin } from '../pdf/bytes.ts';
import { locate } from '../pdf/locate.ts';
import { rasterised } from '../pdf/raster.ts';
import { NotPossible, retype } from '../pdf/retype.ts';
import { jpeg, png } from '../pictures/pixels.ts';
import type { Random } from '../random.ts';
import type { Change } from '../truth.ts';
import { opened } from './edits.ts';
import { forged } from './forge.ts';

/** Edits of one or more values of a page. */

export interface Victims {
  bytes: Uint8Array;
  drawing: Drawing;
  random: Random;
  values: { target: Target; change: Change & { place: NonNullable<Change['place']> } }[];
}

const AMOUNTS = new Set(['amount', 'balance', 'net', 'gross']);

/** @param count how many values of the first page to change; by default, all of its amounts. @throws NotPossible when there are fewer */
export async function victimsOf(
  bytes: Uint8Array,
  drawing: Drawing,
  about: { language: Tag; random: Random; count?: number },
): Promise<Victims> {
  const { language, random, count } = about;
  const open = drawing.targets.filter(({ name, page }) => page === 1 && (count === 1 || AMOUNTS.has(name)));
  const chosen = random.several(open, count ?? open.length);
  if (chosen.length < (count ?? 4)) throw new NotPossible('Too few values.');
  const values: Victims['values'] = [];
  for (const target of chosen) {
    const place = await locate(bytes, target.page, target.text);
    if (!place) throw new NotPossible(`${target.text} is not shown as text.`);
    const { text, bound } = forged(target, language, random);
    values.push({
      target,
      change: { target: target.name, page: target.page, before: target.text, after: text, bound, place },
    });
  }
  return { bytes, drawing, random, values };
}

/** Removes the values and writes them again in one other font, as editors without the document's font do. */
export async function foreignValues(victims: Victims): Promise<Uint8Array> {
  const { random } = victims;
  const document = await withoutValues(victims);
  const [first] = victims.values;
  const face = first === undefined ? 'sans' : markOf(victims, first.target).face;
  const others = [StandardFonts.Helvetica, StandardFonts.TimesRoman, StandardFonts.Courier];
  const font = document.embedStandardFont(
    random.pick(others.filter((name) => !standardNames[face].startsWith(name.slice(0, 5)))),
  );
  for (const { target, change } of victims.values) {
    const { size, align } = markOf(victims, target);
    const page = document.getPage(change.page - 1);
    const { x, y, width, height } = change.place;
    const left = align === 'right' ? x + width - font.widthOfTextAtSize(change.after, size) : x;
    page.drawText(change.after, { x: left, y: page.getHeight() - y - height * 0.78, size, font });
  }
  return document.save({ useObjectStreams: random.chance(0.5) });
}

/** Removes the values without a replacement. */
export async function removedValues(victims: Victims): Promise<Uint8Array> {
  for (const { change } of victims.values) change.after = '';
  const document = await withoutValues(victims);
  return document.save({ useObjectStreams: victims.random.chance(0.5) });
}

/** Replaces a value with a picture of another one. */
export async function picturedValues(victims: Victims): Promise<Uint8Array> {
  return withPictures(victims, await withoutValues(victims));
}

/** Covers a value with a picture of another one. */
export async function pictureOverValues(victims: Victims): Promise<Uint8Array> {
  return withPictures(victims, await opened(victims.bytes));
}

async function withPictures(victims: Victims, document: PDFDocument): Promise<Uint8Array> {
  const { random } = victims;
  for (const { target, change } of victims.values) {
    const { bytes, width } = await pictureOf(victims, target, change.after);
    const picture = bytes[0] === 0xff ? await document.embedJpg(bytes) : await document.embedPng(bytes);
    const page = document.getPage(change.page - 1);
    const { place } = change;
    const { align } = markOf(victims, target);
    const x = align === 'right' ? place.x + place.width - width + 1 : place.x - 1;
    const y = page.getHeight() - place.y - place.height - 1;
    page.drawImage(picture, { x, y, width, height: place.height + 2 });
  }
  return document.save({ useObjectStreams: random.chance(0.5) });
}

async function pictureOf({ drawing, random }: Pick<Victims, 'drawing' | 'random'>, target: Target, text: string) {
  const { face, size } = markOf({ drawing }, target);
  const { PDFDocument: New } = await import('@cantoo/pdf-lib');
  const small = await New.create();
  const font = small.embedStandardFont(standardNames[face]);
  const width = font.widthOfTextAtSize(text, size) + 2;
  const page = small.addPage([width, size + 2]);
  page.drawRectangle({ x: 0, y: 0, width, height: size + 2, color: rgb(1, 1, 1) });
  page.drawText(text, { x: 1, y: 1 + 0.22 * size, size, font });
  const [raster] = await rasterised(await small.save(), random.pick([2, 3, 4]));
  if (!raster) throw new NotPossible('No picture.');
  return { bytes: await (random.chance(0.5) ? jpeg(raster, 90) : png(raster)), width };
}

export async function withoutValues(victims: Victims): Promise<PDFDocument> {
  const document = await opened(victims.bytes);
  for (const { target, change } of victims.values) {
    // Text after it must not move.
    const gap = markOf(victims, target).text === change.before ? '' : ' '.repeat(change.before.length);
    const { ref, after } = retype(document, change.page, change.before, gap);
    document.context.assign(ref, document.context.flateStream(latin(after)));
  }
  return document;
}

export function markOf({ drawing }: Pick<Victims, 'drawing'>, target: Target) {
  const mark = drawing.sheets[target.page - 1]?.marks[target.mark];
  if (mark?.kind !== 'text') throw new NotPossible('No text.');
  return mark;
}
