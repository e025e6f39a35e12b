import { daysLater } from '../data/locale.ts';
import { annotated, formFilled, stamped, watermarked } from '../genuine/marked.ts';
import * as rewritten from '../genuine/rewritten.ts';
import { scanned, scannedWithText } from '../genuine/scanned.ts';
import { NotPossible } from '../pdf/retype.ts';
import { signPdf } from '../sign.ts';
import type { GenuineMethod } from '../truth.ts';
import type { Paper } from './paper.ts';
import { digitalPaper, type Made, picturedPaper, type Stage, written } from './stage.ts';

type Treat = (bytes: Uint8Array, paper: Paper, stage: Stage) => Promise<Uint8Array>;

const treatments: Partial<Record<GenuineMethod, Treat>> = {
  'as-produced': async (bytes) => bytes,
  linearised: rewritten.linearised,
  'qpdf-resaved': rewritten.resavedByQpdf,
  'object-streams': rewritten.withObjectStreams,
  compressed: rewritten.compressed,
  encrypted: (bytes, _, { random }) => rewritten.encrypted(bytes, random),
  'pdf-lib-resaved': (bytes, { created }, { random }) => rewritten.resavedByPdfLib(bytes, created, random),
  printed: (bytes, { created }, { random }) => rewritten.printed(bytes, created, random),
  watermarked: (bytes, _, { random }) => watermarked(bytes, random),
  stamped: (bytes, { created }, { random }) => stamped(bytes, daysLater(created, 3), random),
  annotated: (bytes, { drawing, created }, { random }) => annotated(bytes, drawing, daysLater(created, 2), random),
  'form-filled': (bytes, { holder, locale }, { random }) =>
    formFilled(bytes, locale.western ? holder : 'J. Nowak', random),
  signed,
  timestamped,
  merged,
  redistilled,
};

const pictured: Partial<Record<GenuineMethod, Treat>> = {
  scanned: (bytes, { drawing, created }, { producer, random }) => scanned(bytes, drawing, producer, created, random),
  'scanned-with-text': (bytes, { drawing, created }, { random }) => scannedWithText(bytes, drawing, created, random),
};

export const genuinePdfMethods: readonly GenuineMethod[] = Object.keys({
  ...treatments,
  ...pictured,
}) as GenuineMethod[];

export async function genuinePdf(method: GenuineMethod, stage: Stage): Promise<Made> {
  const treat = treatments[method] ?? pictured[method];
  if (!treat) throw new Error(`No PDF is made by ${method}.`);
  const paper = await (method in pictured ? picturedPaper(stage) : digitalPaper(stage));
  const bytes = await treat(await written(stage, paper), paper, stage);
  return { bytes, paper, producer: stage.producer.name, changes: [] };
}

async function signed(bytes: Uint8Array, { created }: Paper, { signer, random }: Stage): Promise<Uint8Array> {
  const allows = random.pick([undefined, 1, 2] as const);
  return signPdf(bytes, { signer: await signer(), at: created, ...(allows ? { allows } : {}) });
}

/** A signature and a later time stamp that covers it, as for archives. */
async function timestamped(bytes: Uint8Array, { created }: Paper, { signer }: Stage): Promise<Uint8Array> {
  const first = await signPdf(bytes, { signer: await signer(), at: created });
  return signPdf(first, { signer: await signer(), at: daysLater(created, 1), kind: 'ETSI.RFC3161' });
}

async function merged(bytes: Uint8Array, { created }: Paper, stage: Stage): Promise<Uint8Array> {
  const other = await digitalPaper({ ...stage, random: stage.random.fork('other') });
  return rewritten.merged(bytes, await written(stage, other), created);
}

async function redistilled(bytes: Uint8Array, _: Paper, { redistillers, random }: Stage): Promise<Uint8Array> {
  if (redistillers.length === 0) throw new NotPossible('Nothing on this machine prints PDFs into new ones.');
  return random.pick(redistillers).write(bytes);
}
