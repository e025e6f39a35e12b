import type { Box } from '../../model.ts';
import type { Matrix } from './matrix.ts';

/** What all marks have: they come in the order in which the page paints them. */
interface Placed {
  order: number;
  /** As much of it as is inside of the page and of what it is clipped to. */
  box: Box;
  /** Empty for the page's own content, else the kind of annotation which paints it, as in "FreeText" or "Widget". */
  layer: string;
  /** From 0, which cannot be seen, to 1. */
  alpha: number;
  /** Whether it mixes with what is below, by a blend mode or a soft mask. */
  blended: boolean;
}

/** Characters of one font that stand together, painted by one operator. No spaces. */
export interface Run extends Placed {
  kind: 'text';
  text: string;
  /** Its whole box, ignoring clipping. */
  whole: Box;
  font: string;
  fontId: string;
  /** In points as shown. */
  fontSize: number;
  /** Where the first character stands on its base line. */
  start: { x: number; y: number };
  /** Where the last one ends. */
  end: { x: number; y: number };
  /** In degrees clockwise; 0 for text that runs to the right. */
  angle: number;
  /** How far each character ends from the start, in points. */
  advances: number[];
  /** As "#rrggbb"; unknown for patterns. */
  colour: string | undefined;
  /** Of PDF 32000-1, 9.3.6; 3 paints nothing. */
  mode: number;
  /** Whether it is marked as what was filled into a form field (12.7.3.3), which may have been made part of the page since. */
  isField?: true;
}

/** A filled rectangle, or a shape that comes close to one; without colour the place of any other shape, pattern or shading. */
export interface Fill extends Placed {
  kind: 'fill';
  colour: string | undefined;
}

export interface Picture extends Placed {
  kind: 'picture';
  /** Of a picture of one colour. */
  colour: string | undefined;
  /** Unlike a stencil or a picture with a transparent part. */
  opaque: boolean;
}

export type Mark = Run | Fill | Picture;

export interface PaintedPage {
  /** From 1. */
  number: number;
  width: number;
  height: number;
  /** From the page's own coordinates to the page as shown: turned and cut as /Rotate and /CropBox say. */
  view: Matrix;
  marks: Mark[];
  /** Where annotations and form fields stand, painted or not. */
  annotations: { kind: string; box: Box }[];
}
