import type { Box, Page, Pixels, TextItem } from './model.ts';
import { Unreadable } from './model.ts';
import { type Core, loadCore } from './ocr/core.ts';
import { type Grey, greyOf, portableGreyMap } from './ocr/grey.ts';
import { charactersFor, readPart, refineNumbers, refineZones } from './ocr/refine.ts';
import { unturned } from './ocr/turn.ts';
import { rowsOf, wordsIn } from './ocr/words.ts';

/** How a picture is read; of a page of a PDF, where on the page its pixels are. */
export interface Reading {
  /** From 1. */
  page?: number;
  /** Of the picture's pixels, for each point of the page. */
  pixelsAPoint?: number;
  /** After so many seconds it is given up. */
  seconds?: number;
}

const SECONDS = 12;
/** Of the time, for what is read a second time. */
const REFINING = 0.7;
/** In radians, a third of a degree: lines that slope less read as well. */
const LEAST_SLOPE = 0.006;
const MOST_SLOPE = 0.2;
const LEAST_SIDE = 16;
/** Large enough for any print that can be read, so that Tesseract does not guess. */
const DOTS_AN_INCH = '150';
const WHOLE_PAGE = '3';

let core: Promise<Core> | undefined;

/**
 * Reads what is written in a picture, in this process and without network. An A4 page at 150 dots an inch takes two to four seconds. The
 * language data is English: digits and capitals read well in every Latin script, accents are lost. Where the lines slope, the boxes are those of
 * the picture turned about its middle until they do not.
 *
 * @throws Unreadable when it takes too long
 */
export async function readPicture(pixels: Pixels, reading: Reading = {}): Promise<Page> {
  const { page = 1, pixelsAPoint = 1, seconds = SECONDS } = reading;
  const size = { width: pixels.width / pixelsAPoint, height: pixels.height / pixelsAPoint };
  if (Math.min(pixels.width, pixels.height) < LEAST_SIDE) return { number: page, ...size, items: [], lines: [] };
  const grey = greyOf(pixels);
  const { items, slope } = await withCore(seconds, (loaded, isLate) => readWhole(loaded, grey, isLate));
  const placed = items.map((item, order) => ({ ...item, order, ...scaled(item, grey.scale * pixelsAPoint) }));
  return { number: page, ...size, items: placed, lines: rowsOf(placed), ...(slope === 0 ? {} : { slope }) };
}

/**
 * Reads the print in parts of a picture again, each twice and larger, whatever was read there the first time.
 *
 * @param parts boxes in pixels of the picture, with what was read there: figures are read as figures
 * @throws Unreadable when it takes too long
 */
export async function readParts(
  pixels: Pixels,
  parts: readonly { box: Box; text: string }[],
  seconds = SECONDS,
): Promise<string[][]> {
  const grey = { ...greyOf(pixels), scale: 1 };
  const scale = grey.width / pixels.width;
  return withCore(seconds, (loaded) =>
    parts.map(({ box, text }) =>
      readPart(loaded, grey, boxTimes(box, scale), charactersFor(text)).map((part) => part.text),
    ),
  );
}

async function withCore<Result>(
  seconds: number,
  work: (loaded: Core, isLate: () => boolean) => Result,
): Promise<Result> {
  core ??= loadCore();
  const loaded = await core;
  const begin = performance.now();
  loaded.onProgress = () => {
    if (performance.now() > begin + seconds * 1000)
      throw new Unreadable('What is written in the picture takes too long to read.');
  };
  try {
    return work(loaded, () => performance.now() > begin + REFINING * seconds * 1000);
  } catch (error) {
    // It was left in the middle of its work, and its memory is in no known state.
    core = undefined;
    throw error;
  }
}

function readWhole(loaded: Core, grey: Grey, isLate: () => boolean): { items: TextItem[]; slope: number } {
  const { recogniser, putImage } = loaded;
  recogniser.SetVariable('tessedit_pageseg_mode', WHOLE_PAGE);
  recogniser.SetVariable('tessedit_char_whitelist', '');
  putImage(portableGreyMap(grey));
  setImage(recogniser, 0);
  recogniser.FindLines();
  const gradient = recogniser.GetGradient();
  const slope = Math.abs(gradient) > LEAST_SLOPE && Math.abs(gradient) < MOST_SLOPE ? gradient : 0;
  if (slope !== 0) setImage(recogniser, slope);
  recogniser.Recognize(null);
  const items = wordsIn(recogniser.GetTSVText(0), 1);
  const read = (box: Box, characters: string) =>
    isLate()
      ? []
      : readPart(loaded, grey, unturned(box, { width: grey.width, height: grey.height, slope }), characters);
  const rows = rowsOf(items).map((line) => line.items);
  return { items: refineNumbers(refineZones(items, read, rows), read), slope };
}

function setImage(recogniser: Core['recogniser'], angle: number): void {
  if (recogniser.SetImageFile(1, angle) !== 0) throw new Unreadable('The picture cannot be read.');
  recogniser.SetVariable('user_defined_dpi', DOTS_AN_INCH);
}

function scaled({ box, fontSize }: TextItem, scale: number): { box: Box; fontSize: number } {
  return { box: boxTimes(box, 1 / scale), fontSize: fontSize / scale };
}

function boxTimes({ x, y, width, height }: Box, factor: number): Box {
  return { x: x * factor, y: y * factor, width: width * factor, height: height * factor };
}
