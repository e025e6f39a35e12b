import { boxAround, combined, type Matrix, placed } from './matrix.ts';
import { type Font, paint, type State, type Walk } from './state.ts';
import { keyOf } from './text-key.ts';

/** How far letters reach above and below the baseline, relative to the font size; the values in fonts describe line height instead. */
const ASCENT = 0.74;
const DESCENT = -0.21;
/** A move of this many font sizes separates words; kerning moves less. */
const WORD_GAP = 0.15;
const MAX_RUN_LENGTH = 500;

interface Begun {
  text: string;
  codes: number[];
  start: number;
  advances: number[];
}

/** Indices of the operator; see `Run`. */
interface ShownBy {
  nth: number | undefined;
  show: number | undefined;
}

/** Paints the characters of one operator and advances as PDF 32000-1, 9.4.4 says. */
export function showText(walk: Walk, glyphs: unknown[]): void {
  const { state } = walk;
  const { font, fontSize } = state;
  const nth = walk.layer === '' ? walk.texts.push(keyOf(codesIn(glyphs))) - 1 : undefined;
  const show = nth !== undefined && walk.forms === 0 ? walk.shows++ : undefined;
  if (font === undefined || fontSize === 0) return;
  let run: Begun | undefined;
  let at = 0;
  const finish = () => {
    if (run !== undefined) paintRun(walk, font, run, { nth, show });
    run = undefined;
  };
  for (const glyph of glyphs) {
    if (typeof glyph === 'number') {
      at -= (glyph / 1000) * fontSize * (font.vertical ? -1 : 1);
      if (-glyph / 1000 > WORD_GAP * font.em) finish();
      continue;
    }
    const { text, code, width, isSpace } = characterOf(glyph, font);
    const blank = text.trim() === '';
    if (blank && text !== '') finish();
    const end = at + width * fontSize;
    if (text !== '' && !blank) {
      run ??= { text: '', codes: [], start: at, advances: [] };
      run.text += text;
      run.codes.push(code);
      for (let count = text.length; count > 0; count--) run.advances.push(end - run.start);
      if (run.text.length > MAX_RUN_LENGTH) finish();
    }
    at = end + state.characterSpacing + (isSpace ? state.wordSpacing : 0);
  }
  finish();
  if (font.vertical) state.y -= at;
  else state.x += at * state.horizontalScale;
}

function codesIn(glyphs: readonly unknown[]): number[] {
  return glyphs.flatMap((glyph) =>
    typeof glyph === 'object' && glyph !== null && 'originalCharCode' in glyph
      ? Number(glyph.originalCharCode) || 0
      : [],
  );
}

/** `width` is relative to the font size. */
function characterOf(glyph: unknown, font: Font): { text: string; code: number; width: number; isSpace: boolean } {
  if (typeof glyph !== 'object' || glyph === null) return { text: '', code: 0, width: 0, isSpace: false };
  const { unicode, width, isSpace, vmetric, originalCharCode } = glyph as Record<string, unknown>;
  const downwards = font.vertical && Array.isArray(vmetric) ? -Number(vmetric[0]) : Number(width);
  return {
    text: readable(typeof unicode === 'string' ? unicode : ''),
    code: Number(originalCharCode) || 0,
    width: (Number.isFinite(downwards) ? downwards : 0) * font.matrix[0],
    isSpace: isSpace === true,
  };
}

/** Splits ligatures into letters; control characters separate words. */
function readable(unicode: string): string {
  const code = unicode.charCodeAt(0);
  if (code < 32 || code === 127) return ' ';
  return code >= 0xfb00 && code <= 0xfb06 ? unicode.normalize('NFKC') : unicode;
}

function paintRun(walk: Walk, font: Font, { text, codes, start, advances }: Begun, by: ShownBy): void {
  const { state } = walk;
  const matrix = combined(state.matrix, state.textMatrix);
  const along = font.vertical ? 0 : state.horizontalScale;
  const length = advances.at(-1) ?? 0;
  const point = (distance: number, height: number) =>
    font.vertical
      ? placed(matrix, state.x + height, state.y + state.rise - distance)
      : placed(matrix, state.x + distance * along, state.y + state.rise + height);
  const size = Math.abs(state.fontSize) * font.em;
  const low = font.vertical ? -size / 2 : DESCENT * size;
  const high = font.vertical ? size / 2 : ASCENT * size;
  const from = point(start, 0);
  const to = point(start + length, 0);
  const whole = boxAround([
    point(start, low),
    point(start, high),
    point(start + length, low),
    point(start + length, high),
  ]);
  const scale = length === 0 ? 1 : Math.hypot(to.x - from.x, to.y - from.y) / Math.abs(length);
  paint(walk, whole, state.mode % 4 === 1 ? state.strokeAlpha : state.fillAlpha, {
    kind: 'text',
    text,
    whole,
    font: font.name,
    fontId: font.id,
    programFamily: font.programFamily,
    subset: font.subset,
    ...(font.subset === '' ? {} : { codes }),
    fontSize: size * heightOf(matrix),
    start: from,
    end: to,
    angle: angleOf(matrix, state, font),
    advances: advances.map((advance) => Math.abs(advance) * scale),
    colour: state.mode % 4 === 1 ? state.stroke : state.fill,
    mode: state.mode,
    ...(walk.field > 0 || walk.layer === 'Widget' ? { isField: true as const } : {}),
    ...(by.nth === undefined ? {} : { nth: by.nth }),
    ...(by.show === undefined ? {} : { show: by.show }),
  });
}

function heightOf([, , c, d]: Matrix): number {
  return Math.hypot(c, d);
}

function angleOf([a, b, c, d]: Matrix, { fontSize, horizontalScale }: State, { vertical }: Font): number {
  const sign = Math.sign(fontSize * horizontalScale) || 1;
  const degrees = vertical ? Math.atan2(-d, -c) : Math.atan2(b * sign, a * sign);
  return Math.round((degrees * 1800) / Math.PI) / 10;
}
