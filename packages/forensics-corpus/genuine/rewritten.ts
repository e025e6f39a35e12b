import { PDFDocument } from '@cantoo/pdf-lib';
import { qpdf } from '../producers/qpdf.ts';
import type { Random } from '../random.ts';

/** What harmless software does to a file without changing its content. */

export function linearised(bytes: Uint8Array): Promise<Uint8Array> {
  return qpdf(bytes, ['--linearize']);
}

export function resavedByQpdf(bytes: Uint8Array): Promise<Uint8Array> {
  return qpdf(bytes, []);
}

export function withObjectStreams(bytes: Uint8Array): Promise<Uint8Array> {
  return qpdf(bytes, ['--object-streams=generate']);
}

export function compressed(bytes: Uint8Array): Promise<Uint8Array> {
  const streams = ['--recompress-flate', '--compression-level=9', '--object-streams=generate'];
  return qpdf(bytes, [...streams, '--remove-unreferenced-resources=yes', '--coalesce-contents']);
}

/** Opens without a password; printing is allowed, changing is not, as banks often set it. */
export function encrypted(bytes: Uint8Array, random: Random): Promise<Uint8Array> {
  const bits = random.pick(['128', '256']);
  const weak = bits === '128' ? ['--use-aes=y'] : [];
  return qpdf(bytes, ['--encrypt', '', `owner-${random.digits(6)}`, bits, ...weak, '--modify=none', '--']);
}

/** A re-saved upload, as portals produce; some add their name and the date. */
export async function resavedByPdfLib(bytes: Uint8Array, created: Date, random: Random): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  if (random.chance(0.5)) {
    document.setProducer('pdf-lib (https://github.com/Hopding/pdf-lib)');
    document.setModificationDate(new Date(created.getTime() + 3_600_000 * random.integer(1, 900)));
  }
  return document.save({ useObjectStreams: random.chance(0.5) });
}

/** Two files merged into one. */
export async function merged(first: Uint8Array, second: Uint8Array, created: Date): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const bytes of [first, second]) {
    const source = await PDFDocument.load(bytes, { updateMetadata: false });
    for (const page of await document.copyPages(source, source.getPageIndices())) document.addPage(page);
  }
  stamp(document, created);
  return document.save();
}

/** Printed to a new file: each page becomes a vector form on a new page, scaled down slightly. */
export async function printed(bytes: Uint8Array, created: Date, random: Random): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const source = await PDFDocument.load(bytes, { updateMetadata: false });
  const scale = random.pick([1, 0.97, 0.94]);
  for (const page of await document.embedPdf(source, source.getPageIndices())) {
    const [left, bottom] = [(page.width * (1 - scale)) / 2, (page.height * (1 - scale)) / 2];
    document.addPage([page.width, page.height]).drawPage(page, { x: left, y: bottom, xScale: scale, yScale: scale });
  }
  stamp(document, created);
  return document.save();
}

function stamp(document: PDFDocument, created: Date): void {
  document.setCreationDate(created);
  document.setModificationDate(created);
}
