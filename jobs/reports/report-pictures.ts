import type { Drawer, Preview } from '@tenant-screening/forensics/analysis';
import { pagesShown } from '@tenant-screening/forensics/report/linked-pages';
import { marksOn } from '@tenant-screening/forensics/report/marks';
import { numberedFindings } from '@tenant-screening/forensics/report/sections';
import sharp from 'sharp';
import { UnreadableDocument } from '../../providers/documents/port.ts';
import type { Runtime } from '../runtime.ts';
import type { Drawable } from './gather-report.ts';

/** Wide enough to read a payslip on paper. */
const MAX_WIDTH = 1_100;
const QUALITY = 68;
const MAX_PAGES = 4;
/** Keeps a report below fifty pages of pictures, and its size below what a mailbox takes. */
const MAX_PICTURES = 40;

type Drawing = Pick<Runtime, 'providers' | 'forensics'>;

/**
 * Draws the pictures of a report. A process reads the documents of one person; while it draws one, the pictures of the one before are
 * encoded.
 * @param people the documents of each
 * @param onDrawn receives how many documents are done, and returns whether drawing continues
 * @returns whether all were drawn
 */
export async function drawPictures(
  { providers, forensics }: Drawing,
  people: readonly (readonly Drawable[])[],
  onDrawn: (done: number) => Promise<boolean>,
): Promise<boolean> {
  let room = MAX_PICTURES;
  let done = 0;
  for (const drawables of people) {
    const drawer = await forensics.drawer();
    try {
      let before: Promise<boolean> | undefined;
      for (const drawable of drawables) {
        const drawing = previewsOf({ providers, drawer }, drawable, room);
        const [previews, goesOn] = await Promise.all([drawing, before]);
        if (goesOn === false) return false;
        room -= previews.length;
        before = encode(drawable, previews).then(() => onDrawn(++done));
      }
      if ((await before) === false) return false;
    } finally {
      drawer.close();
    }
  }
  return true;
}

/** The first pages of a document and the pages with findings. None for a file that cannot be drawn. */
async function previewsOf(
  { providers, drawer }: Pick<Runtime, 'providers'> & { drawer: Drawer },
  { row, analysed }: Drawable,
  limit: number,
): Promise<Preview[]> {
  const wanted = analysed ? pagesShown(analysed).slice(0, MAX_PAGES) : [1];
  const pages = wanted.slice(0, limit);
  if (pages.length === 0 || analysed?.outcome === 'inconclusive') return [];
  const { id, name, sha256, source } = row;
  const document = { id, name, isFromIssuer: source === 'bank', read: () => providers.documents.get(sha256) };
  return drawer.draw(document, pages).catch((error: unknown): Preview[] => {
    // Lost or sealed with another key: the report says what is known about it.
    if (error instanceof UnreadableDocument) return [];
    throw error;
  });
}

/** Adds the pages to the document, marked. */
async function encode({ document, analysed }: Drawable, previews: readonly Preview[]): Promise<void> {
  const findings = analysed ? numberedFindings(analysed).filter(({ finding }) => finding.strength !== 'context') : [];
  for (const preview of previews.toSorted((one, other) => one.page - other.page)) {
    const { page, width, height } = preview;
    const jpeg = await sharp(preview.picture)
      .resize({ width: MAX_WIDTH, withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: QUALITY })
      .toBuffer();
    document.pictures.push({ page, width, height, marks: marksOn(preview, findings), jpeg: jpeg.toString('base64') });
  }
}
