import type { Box, TextItem } from '../model.ts';
import type { Core } from './core.ts';
import { cropped } from './crop.ts';
import { type Grey, portableGreyMap } from './grey.ts';
import { wordsIn } from './words.ts';

/** The text read in a part, and its confidence from 0 to 100. */
interface PartRead {
  text: string;
  confidence: number;
}

const SINGLE_LINE = '7';
export const FIGURES = "0123456789.,-+'";
const ZONE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<';
const NUMBER = /^[-+(]?\d[\d.,']*[-+)]?$/;
const DAY = /^\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})$/;
/** A number with two decimals, and thousands separators in their places. */
const AMOUNT = /^[-+(]?(?:\d{1,3}(?:[.']\d{3})*,\d{2}|\d{1,3}(?:[,']\d{3})*\.\d{2}|\d+[.,]\d{2})[-+)]?$/;
/** Above this confidence, one number in hundreds is wrong. */
const SURE = 88;
const NUMBERS = 60;
const ZONE_LINES = 6;
const SIZES = [1, 1.5] as const;

/** Reads one line of print in a part of a picture, twice, at different sizes. */
export function readPart({ recogniser, putImage }: Core, picture: Grey, box: Box, characters: string): PartRead[] {
  recogniser.SetVariable('tessedit_pageseg_mode', SINGLE_LINE);
  recogniser.SetVariable('tessedit_char_whitelist', characters);
  return SIZES.map((size) => {
    putImage(portableGreyMap(cropped(picture, box, size)));
    if (recogniser.SetImageFile(1, 0) !== 0) return { text: '', confidence: 0 };
    recogniser.Recognize(null);
    const words = wordsIn(recogniser.GetTSVText(0), 1);
    const sure = Math.min(...words.map(({ confidence = 0 }) => confidence));
    return {
      text: words.map(({ text }) => text).join(characters === '' ? ' ' : ''),
      confidence: words.length === 0 ? 0 : sure,
    };
  });
}

export function charactersFor(text: string): string {
  return NUMBER.test(text.replace(/\s/g, '')) ? FIGURES : ZONE;
}

/** Reads uncertain numbers again, larger and as digits only: reading a whole page at once loses many decimal commas. */
export function refineNumbers(
  items: readonly TextItem[],
  read: (box: Box, characters: string) => PartRead[],
): TextItem[] {
  const doubtful = items
    .filter(
      ({ text, confidence = 0 }) =>
        NUMBER.test(text) && text.length > 2 && !DAY.test(text) && isDoubtful(text, confidence),
    )
    .sort((one, other) => (one.confidence ?? 0) - (other.confidence ?? 0))
    .slice(0, NUMBERS);
  const better = new Map(doubtful.map((item) => [item, bestOf(item, read(item.box, FIGURES))]));
  return items.map((item) => better.get(item) ?? item);
}

/** Rereads lines of a machine-readable zone, which resemble no language, as capitals, figures and fillers. */
export function refineZones(
  items: readonly TextItem[],
  read: (box: Box, characters: string) => PartRead[],
  rows: readonly (readonly TextItem[])[],
): TextItem[] {
  const replaced = new Map<TextItem, TextItem | undefined>();
  for (const row of rows.filter(isZoneRow).slice(0, ZONE_LINES)) {
    const [first, ...rest] = row;
    if (first === undefined) continue;
    const [best] = read(boxAround(row), ZONE).sort((one, other) => other.confidence - one.confidence);
    if (best === undefined || best.text.length < 20) continue;
    replaced.set(first, { ...first, text: best.text, box: boxAround(row), confidence: best.confidence });
    for (const item of rest) replaced.set(item, undefined);
  }
  return items.flatMap((item) => (replaced.has(item) ? (replaced.get(item) ?? []) : [item]));
}

function isDoubtful(text: string, confidence: number): boolean {
  return confidence < SURE || (!AMOUNT.test(text) && /[.,]/.test(text));
}

/**
 * Another number must be read in both readings, with more confidence; the same figures with a comma or sign count whenever they form an
 * amount.
 */
function bestOf(item: TextItem, readings: readonly PartRead[]): TextItem {
  const figures = (text: string) => text.replace(/\D/g, '');
  const agreed = readings.every(({ text }) => figures(text) === figures(readings[0]?.text ?? ''));
  const usable = readings.filter(
    ({ text, confidence }) =>
      AMOUNT.test(text) && (figures(text) === figures(item.text) || (agreed && confidence > (item.confidence ?? 0))),
  );
  const [best] = usable.sort((one, other) => other.confidence - one.confidence);
  const text = withDecimals(best?.text ?? item.text);
  const confidence = Math.max(best?.confidence ?? 0, best?.text === item.text ? (item.confidence ?? 0) : 0);
  return best === undefined ? { ...item, text } : { ...item, text, confidence };
}

/** Repairs numbers such as 4.43486 or 1.695.69, which no document prints: a separator was lost or misread. */
function withDecimals(text: string): string {
  return text
    .replace(
      /^(-?\d{1,3})([.,])(\d{3})(\d{2})$/,
      (_, units, mark, thousands, cents) => `${units}${mark}${thousands}${other(mark)}${cents}`,
    )
    .replace(/^(-?\d{1,3}(?:([.,])\d{3})+)\2(\d{2})$/, (_, whole, mark, cents) => `${whole}${other(mark)}${cents}`);
}

function other(mark: string): string {
  return mark === '.' ? ',' : '.';
}

function isZoneRow(row: readonly TextItem[]): boolean {
  const text = row.map((item) => item.text).join('');
  return text.length >= 22 && text.length <= 60 && (text.match(/[<«]/g) ?? []).length >= 2 && !/[a-z]{4}/.test(text);
}

function boxAround(items: readonly TextItem[]): Box {
  const x = Math.min(...items.map(({ box }) => box.x));
  const y = Math.min(...items.map(({ box }) => box.y));
  const right = Math.max(...items.map(({ box }) => box.x + box.width));
  const bottom = Math.max(...items.map(({ box }) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
