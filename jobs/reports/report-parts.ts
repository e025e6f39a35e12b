import { setImmediate as nextRound } from 'node:timers/promises';
import type { ReportContent } from '../../core/reports/content.ts';
import { picturesIn } from '../../core/reports/in-markup.ts';
import { seal, sealText, unsealBytes } from '../../core/secrets/secrets.ts';
import { findReportPart, insertReportPart, type MadeReport } from '../../db/reports/reports.ts';
import type { Runtime } from '../runtime.ts';
import { digestOf } from './sign-pdf.ts';

/**
 * A report has megabytes. Its pictures and the pieces of its file are kept, sealed and opened one by one, with a round of the event loop
 * between them: as one value, they would keep all callers waiting for a second.
 */

type Opening = Pick<Runtime, 'db' | 'keys'>;

const PIECE_BYTES = 2 ** 20;

const PICTURE = /^\d{1,2}-\d{1,4}-\d{1,5}\.jpg$/;
const pieceName = (place: number) => `file-${place}`;

/** Keeps pictures and file of a report before it is completed. @returns what it says, sealed, for its row */
export async function keepParts(
  { db, keys }: Opening,
  report: Pick<MadeReport, 'id' | 'sha256'>,
  content: ReportContent,
  file: Uint8Array,
): Promise<string> {
  const keep = async (name: string, plain: Uint8Array) => {
    await insertReportPart(db, report, name, seal(plain, keys.encryption).toString('base64'));
    await nextRound();
  };
  for (const [name, { jpeg }] of picturesIn(content)) await keep(name, Buffer.from(jpeg, 'base64'));
  for (let place = 0; place * PIECE_BYTES < file.length; place++)
    await keep(pieceName(place), file.subarray(place * PIECE_BYTES, (place + 1) * PIECE_BYTES));
  const text = JSON.stringify(content, (key, value) => (key === 'jpeg' ? '' : value));
  return sealText(text, keys.encryption);
}

/** A name of no picture finds none. */
export async function pictureInParts(opening: Opening, report: MadeReport, name: string): Promise<Buffer | undefined> {
  return PICTURE.test(name) ? openedPart(opening, report, name) : undefined;
}

/** Undefined for a report without pieces of a file. @throws if they are not the whole file */
export async function fileInPieces(opening: Opening, report: MadeReport): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  for (let piece = await openedPart(opening, report, pieceName(0)); piece; ) {
    pieces.push(piece);
    piece = await openedPart(opening, report, pieceName(pieces.length));
  }
  if (pieces.length === 0) return undefined;
  if ((await digestOf(...pieces)).toString('hex') !== report.sha256)
    throw new Error('The pieces are not the whole file.');
  return Buffer.concat(pieces);
}

async function openedPart({ db, keys }: Opening, report: MadeReport, name: string): Promise<Buffer | undefined> {
  await nextRound();
  const sealed = await findReportPart(db, report, name);
  return sealed === undefined ? undefined : unsealBytes(sealed, keys.encryption);
}

/** Puts its pictures back into a report, for drawing it again. */
export async function addPictures(opening: Opening, report: MadeReport, content: ReportContent): Promise<void> {
  for (const [name, picture] of picturesIn(content)) {
    if (picture.jpeg !== '') continue;
    const part = await pictureInParts(opening, report, name);
    if (!part) throw new Error('The report was deleted since it was shared.');
    picture.jpeg = part.toString('base64');
  }
}
