import { locate, type Place, scaled } from '../pdf/locate.ts';
import type { Raster } from '../pdf/raster.ts';
import { rasterised } from '../pdf/raster.ts';
import { NotPossible } from '../pdf/retype.ts';
import { cameraOf, withExif } from '../pictures/exif.ts';
import { clipped, cropped, decoded, jpeg, pasted, png } from '../pictures/pixels.ts';
import { photoView, scanView, seen, seenPlace, type View } from '../pictures/scene.ts';
import { screenshot, throughMessenger } from '../pictures/taken.ts';
import { pdfkitEmbedded } from '../producers/pdfkit.ts';
import { copiedWithin, scaledPlace, splicedIn } from '../tampered/pictures.ts';
import { retypedDrawing } from '../tampered/retyped-drawing.ts';
import { victimOf } from '../tampered/victim.ts';
import type { Change, GenuineMethod, TamperedMethod } from '../truth.ts';
import type { Paper } from './paper.ts';
import { type Made, picturedPaper, type Stage, written } from './stage.ts';

export const genuinePictureMethods = ['photo', 'messenger', 'camera', 'screenshot', 'scan-picture'] as const;
export const tamperedPictureMethods = ['splice', 'copy-move', 'edited-camera', 'edited-screenshot', 'retaken'] as const;

const RESOLUTION = 2.2;
const SCREEN = 1.6;

export async function genuinePicture(method: GenuineMethod, stage: Stage): Promise<Made> {
  const paper = await picturedPaper(stage);
  const page = await firstPage(await written(stage, paper), method === 'screenshot' ? SCREEN : RESOLUTION);
  const bytes = await taken(method, page, paper, stage);
  return { bytes, paper, producer: stage.producer.name, changes: [] };
}

async function taken(method: GenuineMethod, page: Raster, paper: Paper, { random }: Stage): Promise<Uint8Array> {
  if (method === 'screenshot') return screenshot(page, random);
  if (method === 'scan-picture') {
    const scan = await seen(page, scanView(page, random), random);
    return random.chance(0.3) ? png(scan) : jpeg(scan, random.integer(70, 92));
  }
  const photo = await seen(page, await photoView(page.width / page.height, random), random);
  const bytes = await jpeg(photo, random.integer(86, 96));
  if (method === 'messenger') return throughMessenger(bytes, random);
  return method === 'camera' ? withExif(bytes, cameraOf(paper.created, random)) : bytes;
}

/** The page with its honest value and with the forged one, and the position of that value. */
interface Case {
  paper: Paper;
  honest: Raster;
  edited: Raster;
  /** In pixels of the page's raster. */
  place: Place;
  change: Change;
}

export async function tamperedPicture(method: TamperedMethod, stage: Stage): Promise<Made> {
  const found = await caseOf(stage, method === 'edited-screenshot' ? SCREEN : RESOLUTION);
  const { bytes, place, after } = await treated(method, found, stage);
  const { place: _, ...change } = found.change;
  const changed = { ...change, ...(place ? { place } : {}), ...(after ? { after } : {}) };
  return { bytes, paper: found.paper, producer: stage.producer.name, changes: [changed] };
}

async function caseOf(stage: Stage, scale: number): Promise<Case> {
  const paper = await picturedPaper(stage);
  const { random } = stage;
  // One producer that supports all letters, so that the pages differ only in the value.
  const write = (drawing: Paper['drawing']) => pdfkitEmbedded.write(drawing, paper.created, random.fork('page'));
  const plain = await write(paper.drawing);
  const victim = await victimOf(plain, paper.drawing, { language: paper.locale.tag, created: paper.created, random });
  const { target, change } = victim;
  if (change.page > 1) throw new NotPossible('Only first pages become pictures.');
  const edited = await firstPage(await write(retypedDrawing(paper.drawing, target, change.after)), scale);
  return { paper, honest: await firstPage(plain, scale), edited, place: scaled(change.place, scale), change };
}

type Treated = { bytes: Uint8Array; place?: Place; after?: string };

async function treated(method: TamperedMethod, found: Case, stage: Stage): Promise<Treated> {
  const { random } = stage;
  const { honest, edited, place } = found;
  if (method === 'retaken') {
    const view = await photoView(edited.width / edited.height, random);
    return {
      bytes: await jpeg(await seen(edited, view, random), random.integer(86, 96)),
      place: seenPlace(place, edited, view),
    };
  }
  if (method === 'edited-screenshot') {
    const box = clipped(place, honest, 3);
    return { bytes: await png(pasted(honest, cropped(edited, box), box.x, box.y)), place: box };
  }
  const view =
    random.chance(0.4) && method !== 'edited-camera'
      ? scanView(honest, random)
      : await photoView(honest.width / honest.height, random);
  const original = await jpeg(await seen(honest, view, random), random.integer(70, 95));
  if (method === 'copy-move') return copyMove(found, view, original, stage);
  const spliced = await splicedIn(original, edited, view, seenPlace(place, honest, view), random);
  if (method === 'splice') return spliced;
  const camera = cameraOf(found.paper.created, random);
  const [staleThumbnail, editor] = random.pick([
    [true, false],
    [false, true],
    [true, true],
  ] as const);
  const software = editor
    ? random.pick(['Adobe Photoshop 25.3 (Windows)', 'GIMP 2.10.36', 'Snapseed 2.0'])
    : camera.software;
  const bytes = await withExif(spliced.bytes, camera, staleThumbnail ? original : spliced.bytes, software);
  return { bytes, place: spliced.place };
}

/** Another value of the page, of the same length, pasted over it. */
async function copyMove(
  { paper, honest, change }: Case,
  view: View,
  original: Uint8Array,
  { random }: Stage,
): Promise<Treated> {
  const alike = paper.drawing.targets.filter(
    ({ text, page, name }) =>
      page === 1 &&
      name === change.target &&
      name !== 'mrz' &&
      text !== change.before &&
      text.length === change.before.length,
  );
  if (alike.length === 0) throw new NotPossible('No other value of this length.');
  const other = random.pick(alike);
  const plain = await pdfkitEmbedded.write(paper.drawing, paper.created, random.fork('page'));
  const from = await locate(plain, 1, other.text);
  if (!from || !change.place) throw new NotPossible('The other value is not shown.');
  const base = await decoded(original);
  const seenAt = (place: Place) => scaledPlace(seenPlace(scaled(place, RESOLUTION), honest, view), view, base);
  const { bytes, place } = await copiedWithin(original, seenAt(from), seenAt(change.place), random);
  return { bytes, place, after: other.text };
}

async function firstPage(bytes: Uint8Array, scale: number): Promise<Raster> {
  const [page] = await rasterised(bytes, scale);
  if (!page) throw new NotPossible('No page.');
  return page;
}
