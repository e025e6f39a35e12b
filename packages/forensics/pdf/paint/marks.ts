import type { Box } from '../../model.ts';
import type { Matrix } from './matrix.ts';

/** Common to all marks, which are listed in painting order. */
interface Placed {
  order: number;
  /** The part inside the page and inside the clip. */
  box: Box;
  /** Empty for the page's own content, else the kind of annotation that paints it; see `Annotation`. */
  layer: string;
  /** From 0 (invisible) to 1. */
  alpha: number;
  /** Whether a blend mode or a soft mask mixes it with what is below. */
  blended: boolean;
}

/** Adjacent characters of one font, painted by one operator. No spaces. */
export interface Run extends Placed {
  kind: 'text';
  text: string;
  /** Its whole box, ignoring clipping. */
  whole: Box;
  font: string;
  fontId: string;
  /** The family that the descriptor or the embedded font program names; empty if there is no such name. */
  programFamily: string;
  /** The font's name with its subset prefix; empty for a complete font. */
  subset: string;
  /** In points, as displayed. */
  fontSize: number;
  /** The start of the first character on the baseline. */
  start: { x: number; y: number };
  /** The end of the last character on the baseline. */
  end: { x: number; y: number };
  /** In degrees clockwise; 0 for text that runs from left to right. */
  angle: number;
  /** The distance from the start to the end of each character, in points. */
  advances: number[];
  /** As "#rrggbb"; unknown for patterns. */
  colour: string | undefined;
  /** The text rendering mode, PDF 32000-1, 9.3.6; 3 paints nothing. */
  mode: number;
  /** The code of each glyph, for a font subset only. */
  codes?: number[];
  /** Whether it is the value of a form field, or marked as one (12.7.3.3) that may have been flattened into the page since. */
  isField?: true;
  /** The index, from 0, of the showing operator of the page's own content that painted it; absent in forms and annotations. */
  show?: number;
  /** The same index with the operators of forms counted too; absent in annotations. */
  nth?: number;
}

/** A filled rectangle or an almost rectangular shape; without a colour, the place of any other shape, of a pattern or of a shading. */
export interface Fill extends Placed {
  kind: 'fill';
  colour: string | undefined;
  /** How many shapes a place without a colour contains; absent for rectangles. */
  shapes?: number;
}

export interface Picture extends Placed {
  kind: 'picture';
  /** Only for a picture of one colour. */
  colour: string | undefined;
  /** False for a stencil and for a picture with a transparent part. */
  opaque: boolean;
}

export type Mark = Run | Fill | Picture;

export interface Annotation {
  /** Such as "FreeText"; "Signature" for the field of a signature. */
  kind: string;
  box: Box;
  /** What viewers may draw themselves: the value of a field, and a text box of which the file has no drawing. */
  undrawn: string;
}

export interface PaintedPage {
  /** From 1. */
  number: number;
  width: number;
  height: number;
  /** From the page's own coordinates to the page as displayed, turned by /Rotate and cut by /CropBox. */
  view: Matrix;
  marks: Mark[];
  /** Text on layers that are not shown. */
  unseen: Run[];
  /** The number of operators of the page's own content that show text. */
  shows: number;
  /** What each operator of the page and its forms that shows text shows, for `Run.nth`; see `keyOf`. */
  texts: string[];
  /** The annotations and form fields, painted or not. */
  annotations: Annotation[];
}
