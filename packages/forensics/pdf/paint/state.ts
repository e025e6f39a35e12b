import type { Box } from '../../model.ts';
import type { Fill, Mark, Picture, Run } from './marks.ts';
import { combined, common, identity, type Matrix, surrounding } from './matrix.ts';

export interface Font {
  name: string;
  /** The name with its subset prefix (ISO 32000-1, 9.6.4); empty for a font without one. */
  subset: string;
  /** See `Run.programFamily`. */
  programFamily: string;
  id: string;
  matrix: Matrix;
  /** The size of its letters relative to other fonts of the same size: some generators scale them differently. */
  em: number;
  vertical: boolean;
}

/** The graphics state of PDF 32000-1, 8.4, as far as it decides what is visible and where. */
export interface State {
  matrix: Matrix;
  clip: Box;
  fill: string | undefined;
  stroke: string | undefined;
  lineWidth: number;
  fillAlpha: number;
  strokeAlpha: number;
  blend: boolean;
  softMask: boolean;
  font: Font | undefined;
  fontSize: number;
  characterSpacing: number;
  wordSpacing: number;
  /** 1 for 100 %. */
  horizontalScale: number;
  leading: number;
  rise: number;
  mode: number;
  textMatrix: Matrix;
  x: number;
  y: number;
  lineX: number;
  lineY: number;
}

export function initialState(matrix: Matrix, clip: Box): State {
  return {
    matrix,
    clip,
    fill: '#000000',
    stroke: '#000000',
    lineWidth: 1,
    fillAlpha: 1,
    strokeAlpha: 1,
    blend: false,
    softMask: false,
    font: undefined,
    fontSize: 0,
    characterSpacing: 0,
    wordSpacing: 0,
    horizontalScale: 1,
    leading: 0,
    rise: 0,
    mode: 0,
    textMatrix: identity,
    x: 0,
    y: 0,
    lineX: 0,
    lineY: 0,
  };
}

export function transform(state: State, matrix: Matrix | undefined): void {
  if (matrix !== undefined) state.matrix = combined(state.matrix, matrix);
}

export function moveText(state: State, x: number, y: number): void {
  state.lineX += x;
  state.lineY += y;
  state.x = state.lineX;
  state.y = state.lineY;
}

/** A page while it is being painted. */
export interface Walk {
  state: State;
  saved: State[];
  /** From the page's own coordinates to the page as displayed. */
  base: Matrix;
  page: Box;
  marks: Mark[];
  /** Text on layers that are not shown. */
  unseen: Run[];
  layer: string;
  /** The effect of each enclosing transparency group on what is painted in it. */
  groups: { alpha: number; blended: boolean; mask: boolean }[];
  /** For each open marked content, whether it is shown. */
  shown: boolean[];
  /** The depth of the marked content that holds the value of a form field; 0 outside one. */
  field: number;
  /** The number of open forms, whose content is not the page's own. */
  forms: number;
  /** The number of operators of the page's own content that have shown text so far. */
  shows: number;
  /** What each such operator of the page and its forms shows; see `keyOf`. */
  texts: string[];
  /** Whether the next path clips what comes after it. */
  clipping: boolean;
  fonts: (id: string) => Font | undefined;
  pixels: (id: string) => PixelsSeen | undefined;
}

const MAX_UNSEEN = 5000;

/** What is known about a picture's pixels. */
export interface PixelsSeen {
  /** Only if all pixels have about the same colour. */
  colour: string | undefined;
  opaque: boolean;
}

type Own<T extends Mark> = Omit<T, 'order' | 'box' | 'layer' | 'alpha' | 'blended'>;

/** Adds a mark, unless it is part of a mask or is clipped away; clipped text is kept, and text on hidden layers apart. */
export function paint(walk: Walk, whole: Box, alpha: number, what: Own<Run> | Own<Fill> | Own<Picture>): void {
  const { state, groups, shown, marks, unseen, layer } = walk;
  if (groups.some(({ mask }) => mask)) return;
  const box = common(whole, state.clip);
  const placed = {
    order: marks.length,
    box,
    layer,
    alpha: groups.reduce((left, group) => left * group.alpha, alpha),
    blended: state.blend || state.softMask || groups.some(({ blended }) => blended),
  };
  if (shown.includes(false)) {
    if (what.kind === 'text' && unseen.length < MAX_UNSEEN) unseen.push({ ...what, ...placed });
  } else if (what.kind === 'text' || box.width * box.height > 0) marks.push({ ...what, ...placed });
}

/** Clips to a rectangle given by two corners. */
export function clipTo(state: State, corners: unknown): void {
  if (!(Array.isArray(corners) || ArrayBuffer.isView(corners))) return;
  const [left, bottom, right, top] = Array.from(corners as ArrayLike<unknown>, Number);
  if (left === undefined || bottom === undefined || right === undefined || top === undefined) return;
  state.clip = common(state.clip, surrounding(state.matrix, left, bottom, right, top));
}
