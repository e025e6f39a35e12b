import type { Preview } from '@tenant-screening/forensics/analysis';
import { pagesShown } from '@tenant-screening/forensics/report/linked-pages';
import { marksOn } from '@tenant-screening/forensics/report/marks';
import { numberedFindings } from '@tenant-screening/forensics/report/sections';
import sharp from 'sharp';
import type { ReportPicture } from '../../core/reports/content.ts';
import { UnreadableDocument } from '../../providers/documents/port.ts';
import type { Runtime } from '../runtime.ts';
import type { Drawable } from './gather-report.ts';

/** Wide enough to read a payslip on paper. */
const MAX_WIDTH = 1_100;
const QUALITY = 68;
const MAX_PAGES = 4;
/** Keeps a report below fifty pages of pictures, and its size below what a mailbox takes. */
export const MAX_PICTURES = 40;

type Drawing = Pick<Runtime, 'providers' | 'forensics'>;

/** The first pages of a document and the pages with findings, marked. None for a file that cannot be drawn. */
export async function picturesOf(
  { providers, forensics }: Drawing,
  { row, analysed }: Drawable,
  limit: number,
): Promise<ReportPicture[]> {
  const wanted = analysed ? pagesShown(analysed).slice(0, MAX_PAGES) : [1];
  const pages = wanted.slice(0, limit);
  if (pages.length === 0 || analysed?.outcome === 'inconclusive') return [];
  const { id, name, sha256 } = row;
  const previews = await forensics
    .draw({ id, name, read: () => providers.documents.get(sha256) }, pages)
    .catch((error: unknown): Preview[] => {
      // Lost or sealed with another key: the report says what is known about it.
      if (error instanceof UnreadableDocument) return [];
      throw error;
    });
  const findings = analysed ? numberedFindings(analysed).filter(({ finding }) => finding.strength !== 'context') : [];
  const pictures: ReportPicture[] = [];
  for (const preview of previews.toSorted((one, other) => one.page - other.page)) {
    const { page, width, height } = preview;
    const jpeg = await sharp(preview.picture)
      .resize({ width: MAX_WIDTH, withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: QUALITY })
      .toBuffer();
    pictures.push({ page, width, height, marks: marksOn(preview, findings), jpeg: jpeg.toString('base64') });
  }
  return pictures;
}
