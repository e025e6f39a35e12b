import { cpuSeconds } from '../cpu-time.ts';
import type { Box, Page, Pixels, TextItem } from '../model.ts';
import { Unreadable } from '../model.ts';
import { type Core, loadCore } from './core.ts';
import { type Grey, greyOf, portableGreyMap } from './grey.ts';
import { charactersFor, FIGURES, readPart, refineNumbers, refineZones } from './refine.ts';
import { unturned } from './turn.ts';
import { rowsOf, wordsIn } from './words.ts';

/** Options for OCR; for a page of a PDF, how its pixels map to points. */
export interface Reading {
  /** From 1. */
  page?: number;
  /** Pixels per point of the page. */
  pixelsAPoint?: number;
  /** CPU time limit. */
  seconds?: number;
}

const SECONDS = 12;
/** Share of the time limit after which nothing is read again. */
const REFINING = 0.7;
/** Radians, a third of a degree: less skew does not affect reading. */
const MIN_SLOPE = 0.006;
const MAX_SLOPE = 0.2;
const MIN_SIDE_PIXELS = 16;
/** Suits any legible print, and keeps Tesseract from guessing. */
const DOTS_AN_INCH = '150';
const WHOLE_PAGE = '3';

let core: Promise<Core> | undefined;

/**
 * Reads the text of a picture by OCR, in this process and offline. An A4 page at 150 dpi takes two to four seconds. The language data is
 * English: digits and capitals read well in every Latin script, accents are lost. On a skewed page, boxes are those of the picture deskewed
 * about its centre.
 *
 * @throws Unreadable if it takes too long
 */
export async function readPicture(pixels: Pixels, reading: Reading = {}): Promise<Page> {
  const { page = 1, pixelsAPoint = 1, seconds = SECONDS } = reading;
  const size = { width: pixels.width / pixelsAPoint, height: pixels.height / pixelsAPoint };
  if (Math.min(pixels.width, pixels.height) < MIN_SIDE_PIXELS) return { number: page, ...size, items: [], lines: [] };
  const grey = greyOf(pixels);
  const { items, slope } = await withCore(seconds, (loaded, isLate) => readWhole(loaded, grey, isLate));
  const placed = items.map((item, order) => ({ ...item, order, ...scaled(item, grey.scale * pixelsAPoint) }));
  return { number: page, ...size, items: placed, lines: rowsOf(placed), ...(slope === 0 ? {} : { slope }) };
}

/**
 * Reads parts of a picture again, each twice and enlarged.
 *
 * @param parts boxes in pixels with the text read there, which restricts the characters: figures are read as figures
 * @throws Unreadable if it takes too long
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

/**
 * Reads one line of print in a part of a picture. A line that is mostly digits is read again as figures. @throws Unreadable if it takes too
 * long
 */
export async function readLine(pixels: Pixels, box: Box, seconds: number): Promise<string> {
  const grey = { ...greyOf(pixels), scale: 1 };
  const place = boxTimes(box, grey.width / pixels.width);
  return withCore(seconds, (loaded) => {
    const [first, second] = readPart(loaded, grey, place, '');
    // The edges of boxes around it are read as bars, and so are letters.
    const bare = (first?.text || second?.text || '').replace(/^[\s|_~\][]+|(?<![\s|_~\][])[\s|_~\][]+$/g, '');
    const text = bare.replace(/(?<=\p{L}\.?)\|/gu, 'l');
    const digits = text.replace(/\D/g, '').length;
    if (digits < text.length / 2) return text;
    const [figures] = readPart(loaded, grey, place, FIGURES);
    return figures?.text || text;
  });
}

async function withCore<Result>(
  seconds: number,
  work: (loaded: Core, isLate: () => boolean) => Result,
): Promise<Result> {
  core ??= loadCore();
  const loaded = await core;
  const begin = cpuSeconds();
  loaded.onProgress = () => {
    if (cpuSeconds() > begin + seconds) throw new Unreadable('What is written in the picture takes too long to read.');
  };
  try {
    return work(loaded, () => cpuSeconds() > begin + REFINING * seconds);
  } catch (error) {
    // Interruption leaves the core's memory in an undefined state.
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
  const slope = Math.abs(gradient) > MIN_SLOPE && Math.abs(gradient) < MAX_SLOPE ? gradient : 0;
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
