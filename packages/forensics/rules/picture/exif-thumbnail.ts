import { dimensionsOf } from '../../image/dimensions.ts';
import {
  cropped,
  type Grey,
  likeness,
  shrunk,
  shrunkGrey,
  turned,
  type Window,
  windowsOf,
} from '../../image/likeness.ts';
import { type Box, type Document, type Pixels, Unreadable } from '../../model.ts';
import { type Finding, notApplicable, type Rule, type Verdict, verdictOf } from '../../rule.ts';

/** A larger picture is no thumbnail, and a smaller one shows nothing. */
const MAX_PIXELS = 1_000_000;
const MIN_SIDE_PIXELS = 60;
/** In pixels: the sizes at which it is compared, and at which it is searched for a section. */
const MAX_SIDE_PIXELS = 200;
const SEARCHED_SIDE = 64;
/** A row or column below this brightness belongs to a bar; cameras pad pictures to 4:3 with bars. */
const DARK = 24;
/** Tolerated difference in proportions. */
const PROPORTION = 0.03;
/** A lower likeness of the whole means another picture. */
const OTHER = 0.4;
/** In pixels. A window of at most `WINDOW_OTHER` likeness shows something else, if the median window reaches `WINDOWS_ALIKE`. */
const WINDOW = 16;
const WINDOW_OTHER = 0.3;
const WINDOWS_ALIKE = 0.85;
const MIN_WINDOWS = 2;

/**
 * Cameras embed a thumbnail in Exif, and many programs that change the picture leave the old thumbnail there. The picture is scaled down to
 * its size and compared window by window, by structure instead of brightness, which programs and phones may change.
 *
 * It detects large changes, such as a face or a paragraph, but not an amount: the thumbnail is 160 pixels wide.
 *
 * Known false positives: none from cropping, which is recognised by the proportions or makes the rule not applicable; text added openly,
 * such as a watermark, is a finding.
 *
 * Source: CIPA DC-008 4.6.8 for its location; E. Kee and H. Farid, "Digital Image Authentication from Thumbnails" (2010); the measure and
 * its limits are own reasoning.
 */
export const exifThumbnail: Rule = {
  name: 'exif-thumbnail',
  version: 1,
  title: 'The small copy of the picture within the file',
  strength: 'medium',
  family: 'image',
  substance: true,
  appliesTo: ['jpeg', 'png'],
  async run(document) {
    const small = await thumbnailOf(document);
    if (small === undefined) return notApplicable('The file has no small copy of the picture that can be read.');
    return compare(await document.pixels(), small);
  },
};

/** A damaged thumbnail says nothing about the picture. */
async function thumbnailOf({ bytes }: Document): Promise<Grey | undefined> {
  const { exifOf } = await import('../../image/pixels.ts');
  const { thumbnail } = await exifOf(bytes);
  try {
    return thumbnail && (await greyOf(thumbnail));
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

async function greyOf(file: Uint8Array): Promise<Grey | undefined> {
  const { width, height } = dimensionsOf(file);
  if (width * height > MAX_PIXELS) return undefined;
  const { storedPixelsOf } = await import('../../image/pixels.ts');
  const pixels = await storedPixelsOf(file);
  const part = Math.min(1, MAX_SIDE_PIXELS / Math.max(width, height));
  const grey = withoutBars(shrunk(pixels, Math.round(width * part), Math.round(height * part)));
  return Math.min(grey.width, grey.height) < MIN_SIDE_PIXELS ? undefined : grey;
}

function compare(picture: Pixels, small: Grey): Verdict {
  const copies = [0, 1, 2, 3]
    .map((quarters) => turned(small, quarters))
    .filter(({ width, height }) => Math.abs((width * picture.height) / (height * picture.width) - 1) <= PROPORTION)
    .map((copy) => {
      const now = shrunk(picture, copy.width, copy.height);
      return { copy, now, alike: likeness(copy, now) };
    });
  const best = copies.reduce<(typeof copies)[number] | undefined>(
    (most, one) => (most === undefined || one.alike > most.alike ? one : most),
    undefined,
  );
  if (best === undefined) return notApplicable('The small copy shows another section of the picture.');
  const { copy, now, alike } = best;
  if (alike < OTHER && holds(copy, now)) return notApplicable('The small copy shows another section of the picture.');
  if (alike < OTHER)
    return verdictOf([another(alike, picture)], { count: 1, what: 'small copy', many: 'small copies' });
  return local(windowsOf(copy, now, WINDOW), picture, copy);
}

function another(alike: number, { width, height }: Pixels): Finding {
  return {
    message: 'The small copy of the picture within the file does not show what the picture shows.',
    evidence: [{ page: 1, box: { x: 0, y: 0, width, height }, details: { likeness: Math.round(alike * 100) / 100 } }],
  };
}

function local(windows: readonly Window[], picture: Pixels, copy: Grey): Verdict {
  const sorted = windows.map((window) => window.likeness).sort((one, other) => one - other);
  const typical = sorted[Math.floor(sorted.length / 2)];
  if (typical === undefined) return notApplicable('The small copy has too little in it.');
  if (typical < WINDOWS_ALIKE)
    return notApplicable('The small copy is too unlike the picture to be compared place by place.');
  const groups = together(windows.filter((window) => window.likeness <= WINDOW_OTHER)).filter(
    (group) => group.length >= MIN_WINDOWS,
  );
  return verdictOf(
    groups.map((group) => ({
      message:
        'A part of the picture differs from the small copy of it that the camera put into the file: it was changed afterwards.',
      evidence: [
        {
          page: 1,
          box: scaled(around(group), picture.width / copy.width, picture.height / copy.height),
          details: {
            likeness_here: Math.round(Math.min(...group.map((window) => window.likeness)) * 100) / 100,
            likeness_elsewhere: Math.round(typical * 100) / 100,
          },
        },
      ],
    })),
    { count: windows.length, what: 'part of the picture', many: 'parts of the picture' },
  );
}

/** Groups of windows that touch. */
function together(windows: readonly Window[]): Window[][] {
  const groups: Window[][] = [];
  for (const window of windows) {
    const near = groups.filter((group) => group.some(({ box }) => touches(box, window.box)));
    const merged = [window, ...near.flat()];
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push(merged);
  }
  return groups;
}

function touches(one: Box, other: Box): boolean {
  return Math.abs(one.x - other.x) <= WINDOW && Math.abs(one.y - other.y) <= WINDOW;
}

function around(windows: readonly Window[]): Box {
  const x = Math.min(...windows.map(({ box }) => box.x));
  const y = Math.min(...windows.map(({ box }) => box.y));
  const right = Math.max(...windows.map(({ box }) => box.x + box.width));
  const bottom = Math.max(...windows.map(({ box }) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

function scaled({ x, y, width, height }: Box, across: number, down: number): Box {
  const [left, top] = [Math.round(x * across), Math.round(y * down)];
  return { x: left, y: top, width: Math.round(width * across), height: Math.round(height * down) };
}

function withoutBars(grey: Grey): Grey {
  const { width, height, data } = grey;
  const isDark = (values: Float32Array) => values.every((value) => value < DARK);
  const row = (y: number) => data.subarray(y * width, (y + 1) * width);
  const column = (x: number) => Float32Array.from({ length: height }, (_, y) => data[y * width + x] ?? 0);
  let [top, bottom, left, right] = [0, height, 0, width];
  while (top < bottom - 1 && isDark(row(top))) top++;
  while (bottom > top + 1 && isDark(row(bottom - 1))) bottom--;
  while (left < right - 1 && isDark(column(left))) left++;
  while (right > left + 1 && isDark(column(right - 1))) right--;
  return cropped(grey, { x: left, y: top, width: right - left, height: bottom - top });
}

/** Whether the current picture is a section of the thumbnail, because it was cropped to the same proportions. */
function holds(whole: Grey, now: Grey): boolean {
  const small = Math.min(1, SEARCHED_SIDE / Math.max(whole.width, whole.height));
  const copy = shrunkGrey(whole, Math.round(whole.width * small), Math.round(whole.height * small));
  for (let part = 0.95; part >= 0.35; part -= 0.05) {
    const [width, height] = [Math.round(copy.width * part), Math.round(copy.height * part)];
    const section = shrunkGrey(now, width, height);
    for (let y = 0; y + height <= copy.height; y++)
      for (let x = 0; x + width <= copy.width; x++)
        if (likeness(cropped(copy, { x, y, width, height }), section) > SECTION) return true;
  }
  return false;
}

/** Lower than for windows of the whole, because neither size nor position matches exactly. */
const SECTION = 0.6;
