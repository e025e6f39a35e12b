import type { Drawing } from '../drawing.ts';
import { pictureDrawing, resolution, scanned } from '../genuine/scanned.ts';
import { latinText } from '../pdf/bytes.ts';
import { scaled } from '../pdf/locate.ts';
import { rasterised } from '../pdf/raster.ts';
import { NotPossible } from '../pdf/retype.ts';
import { withRevision } from '../pdf/revision.ts';
import { jpeg } from '../pictures/pixels.ts';
import { scanView, seen, seenPlace } from '../pictures/scene.ts';
import { jpegSize } from '../producers/by-hand.ts';
import { pdfkitEmbedded } from '../producers/pdfkit.ts';
import { signPdf } from '../sign.ts';
import { freeText, hiddenBelow, overlay } from '../tampered/covers.ts';
import * as edits from '../tampered/edits.ts';
import { splicedIn } from '../tampered/pictures.ts';
import { retypedDrawing } from '../tampered/retyped-drawing.ts';
import { type Victim, victimOf } from '../tampered/victim.ts';
import type { TamperedMethod } from '../truth.ts';
import { severalValues, severalValuesMethods } from './several-values.ts';
import { digitalPaper, type Made, picturedPaper, type Stage, written } from './stage.ts';

const textEdits: Partial<Record<TamperedMethod, (victim: Victim) => Promise<Uint8Array>>> = {
  overlay,
  'free-text': freeText,
  'incremental-edit': edits.incrementalEdit,
  'rewrite-orphan': edits.rewriteOrphan,
  'rewrite-clean': edits.rewriteClean,
  'in-place': edits.inPlace,
  'metadata-scrub': edits.metadataScrub,
  'font-swap': edits.fontSwap,
  'hidden-original': hiddenBelow,
  'after-signing': edits.incrementalEdit,
  'signed-rewrite': edits.rewriteClean,
};

const others: Partial<Record<TamperedMethod, (stage: Stage) => Promise<Made>>> = {
  metadata,
  'print-scan': printScan,
  'scan-splice': (stage) => scanSplice(stage, false),
  'replaced-picture': (stage) => scanSplice(stage, true),
};

export const tamperedPdfMethods: readonly TamperedMethod[] = [
  ...(Object.keys({ ...textEdits, ...others }) as readonly TamperedMethod[]),
  ...severalValuesMethods,
];

export function tamperedPdf(method: TamperedMethod, stage: Stage): Promise<Made> {
  if (severalValuesMethods.includes(method)) return severalValues(method, stage);
  return others[method]?.(stage) ?? textEdit(method, stage);
}

async function textEdit(method: TamperedMethod, stage: Stage): Promise<Made> {
  const edit = textEdits[method];
  if (!edit) throw new Error(`No PDF is tampered by ${method}.`);
  const paper = await digitalPaper(stage);
  const plain = await written(stage, paper);
  const signing = method === 'after-signing' || method === 'signed-rewrite';
  const bytes = signing ? await signPdf(plain, { signer: await stage.signer(), at: paper.created }) : plain;
  const about = { language: paper.locale.tag, created: paper.created, random: stage.random };
  const victim = await victimOf(bytes, paper.drawing, about);
  return { bytes: await edit(victim), paper, producer: stage.producer.name, changes: [victim.change] };
}

async function metadata(stage: Stage): Promise<Made> {
  const paper = await digitalPaper(stage);
  const plain = await written(stage, paper);
  const { random } = stage;
  const victim = await victimOf(plain, paper.drawing, { language: paper.locale.tag, created: paper.created, random });
  const { bytes, before, after, isRevision } = await edits.metadata(victim);
  const bound = isRevision && latinText(bytes).includes(`D:${before}`);
  const change = { target: 'metadata' as const, page: 0, before, after, bound };
  return { bytes, paper, producer: stage.producer.name, changes: [change] };
}

/** Edited on the screen, printed and scanned: only the values can reveal it. */
async function printScan(stage: Stage): Promise<Made> {
  const paper = await picturedPaper(stage);
  const { random, producer } = stage;
  const plain = await written(stage, paper);
  const victim = await victimOf(plain, paper.drawing, { language: paper.locale.tag, created: paper.created, random });
  const edited = retypedDrawing(paper.drawing, victim.target, victim.change.after);
  const bytes = await producer.write(edited, paper.created, random.fork('edited'));
  const scan = await scanned(bytes, edited, producer, paper.created, random);
  return { bytes: scan, paper, producer: producer.name, changes: [victim.change] };
}

/** A scan with the new value in its picture, or that picture placed over the honest one in a revision. */
async function scanSplice(stage: Stage, inRevision: boolean): Promise<Made> {
  const paper = await picturedPaper(stage);
  const { random, producer } = stage;
  // One producer, so that the pages differ only in the value.
  const print = (drawing: Drawing) => pdfkitEmbedded.write(drawing, paper.created, random.fork('page'));
  const plain = await print(paper.drawing);
  const victim = await victimOf(plain, paper.drawing, { language: paper.locale.tag, created: paper.created, random });
  if (victim.change.page > 1) throw new NotPossible('Only first pages are scanned here.');
  const edited = retypedDrawing(paper.drawing, victim.target, victim.change.after);
  const scale = resolution(random);
  const [before] = await rasterised(plain, scale);
  const [after] = await rasterised(await print(edited), scale);
  if (!before || !after) throw new NotPossible('No page.');
  const view = scanView(before, random);
  const honest = await jpeg(await seen(before, view, random), random.integer(70, 92));
  const shown = seenPlace(scaled(victim.change.place, scale), before, view);
  const { bytes: forged } = await splicedIn(honest, after, view, shown, random);
  const one = { ...paper.drawing, sheets: paper.drawing.sheets.slice(0, 1) };
  const write = (picture: Uint8Array) =>
    producer.write(pictureDrawing(one, [picture]), paper.created, random.fork('scan'));
  const bytes = inRevision ? await pictureReplaced(await write(honest), forged) : await write(forged);
  return { bytes, paper, producer: producer.name, changes: [{ ...victim.change, place: scaled(shown, 1 / scale) }] };
}

async function pictureReplaced(bytes: Uint8Array, picture: Uint8Array): Promise<Uint8Array> {
  const document = await edits.opened(bytes);
  const number = numberOfPicture(latinText(bytes));
  if (number === undefined) throw new NotPossible('No picture that can be named.');
  const { width, height } = jpegSize(picture);
  const about = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8`;
  const body = `<< ${about} /Filter /DCTDecode /Length ${picture.length} >>\nstream\n${latinText(picture)}\nendstream`;
  return withRevision(bytes, document, [{ number, body }]);
}

function numberOfPicture(text: string): number | undefined {
  const [, number] = /(\d+) 0 obj[\r\n]+<<(?:(?!endobj)[\s\S]){0,300}?\/Subtype\s*\/Image/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number);
}
