import type { Box } from '../../model.ts';
import { area, boxAround, common, type Matrix, nowhere, partWithin, placed, union } from './matrix.ts';
import type { Pdfjs } from './open.ts';
import { paint, type Walk } from './state.ts';

type Ops = Pdfjs['OPS'];

/** The number of coordinates after each type of path part in PDF.js's encoding: move, line, cubic and quadratic curve, close. */
const PARTS = [2, 2, 6, 4, 0];
const [MOVE, CLOSE] = [0, 4];
const MAX_SHAPES = 2000;
const MAX_NESTED = 200;
const MAX_POINTS = 200_000;
/** The places along a curve that stand for it. */
const CURVE_AT = [0.25, 0.5, 0.75, 1];
/** A shape must fill this share of its bounding box to count as a rectangle; rounded corners leave more. */
const RECTANGULAR = 0.85;
/** In points: a thinner stroke hides nothing. */
const BROAD_STROKE = 4;
/** How often a stroke must cover the box around it: it also covers parts outside, and parts twice. */
const DENSE = 2;

interface Shape {
  box: Box;
  /** Signed: holes have the opposite winding. */
  area: number;
  /** Along its curves; only for strokes. */
  line: Point[];
}

/** Fills or strokes a path, or uses it as a clip. */
export function constructPath(walk: Walk, ops: Ops, [operator, parts]: unknown[]): void {
  const { state } = walk;
  const data: unknown = Array.isArray(parts) ? parts[0] : undefined;
  const isStroke = operator === ops.stroke || operator === ops.closeStroke;
  const shapes = ArrayBuffer.isView(data) ? shapesOf(data as Float32Array, state.matrix, isStroke) : [];
  const evenOdd = [ops.eoFill, ops.eoFillStroke, ops.closeEOFillStroke].some((fill) => fill === operator);
  const nonZero = [ops.fill, ops.fillStroke, ops.closeFillStroke].some((fill) => fill === operator);
  if (evenOdd || nonZero) fillShapes(walk, shapes, evenOdd);
  if (isStroke) strokeShapes(walk, shapes);
  if (walk.clipping) {
    const around = shapes.length === 0 ? nowhere : boxAround(shapes.flatMap(({ box }) => corners(box)));
    state.clip = common(state.clip, around);
    walk.clipping = false;
  }
}

/** For shapes other than rectangles only the place is kept, because content below may show through. */
function fillShapes(walk: Walk, shapes: Shape[], evenOdd: boolean): void {
  const { fillAlpha, fill } = walk.state;
  const rectangles = solid(shapes, evenOdd);
  for (const { box } of rectangles) paint(walk, box, fillAlpha, { kind: 'fill', colour: fill });
  const others = shapes.filter((shape) => !rectangles.includes(shape));
  if (others.length === 0) return;
  paint(walk, others.map(({ box }) => box).reduce(union), fillAlpha, {
    kind: 'fill',
    colour: undefined,
    shapes: others.length,
  });
}

/** Shapes that nearly fill their bounding boxes, without holes and without shapes that have one. */
function solid(shapes: Shape[], evenOdd: boolean): Shape[] {
  const whole = shapes.filter((shape) => area(shape.box) > 0 && Math.abs(shape.area) >= RECTANGULAR * area(shape.box));
  if (whole.length > MAX_NESTED) return whole;
  return whole.filter((one) => !shapes.some((other) => isHole(one, other, evenOdd) || isHole(other, one, evenOdd)));
}

/** With the even-odd rule, any shape inside another; otherwise only one with the opposite winding (ISO 32000-1, 8.5.3.3). */
function isHole(inner: Shape, outer: Shape, evenOdd: boolean): boolean {
  if (inner === outer || area(inner.box) >= area(outer.box) || area(inner.box) === 0) return false;
  const turns = evenOdd || Math.sign(inner.area) !== Math.sign(outer.area);
  return turns && partWithin(inner.box, outer.box) > 0.99;
}

/**
 * A broad stroke that runs in one direction covers a band: across it, each place of the stroke covers half of its breadth on both sides. One
 * that goes to and fro covers the box around it.
 */
function strokeShapes(walk: Walk, shapes: Shape[]): void {
  const { matrix, lineWidth, strokeAlpha, stroke } = walk.state;
  const breadth = lineWidth * Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]));
  if (breadth < BROAD_STROKE) return;
  for (const { line } of shapes) {
    const box = boxAround(line);
    const dense = lengthOf(line) * breadth >= DENSE * area(box) && Math.min(box.width, box.height) >= breadth;
    const covered = dense ? box : bandOf(box, breadth);
    if (covered !== undefined) paint(walk, covered, strokeAlpha, { kind: 'fill', colour: stroke });
  }
}

function bandOf({ x, y, width, height }: Box, breadth: number): Box | undefined {
  const isLevel = height <= width;
  const left = breadth - Math.min(width, height);
  if (left <= 0) return undefined;
  return isLevel
    ? { x, y: y + height - breadth / 2, width, height: left }
    : { x: x + width - breadth / 2, y, width: left, height };
}

/** The parts of the path, as displayed. The lines between their control points stand for curves. */
function shapesOf(data: ArrayLike<number>, matrix: Matrix, isStroke: boolean): Shape[] {
  const shapes: Shape[] = [];
  let points: Point[] = [];
  let line: Point[] = [];
  const finish = () => {
    if (points.length > 1 && shapes.length < MAX_SHAPES) {
      shapes.push({ box: boxAround(points), area: areaWithin(points), line });
    }
    points = [];
    line = [];
  };
  const end = Math.min(data.length, MAX_POINTS);
  for (let at = 0; at < end; ) {
    const part = data[at] ?? CLOSE;
    const length = PARTS[part];
    if (length === undefined) break;
    if (part === MOVE) finish();
    const added: Point[] = [];
    for (let pair = at + 1; pair <= at + length; pair += 2) {
      added.push(placed(matrix, data[pair] ?? 0, data[pair + 1] ?? 0));
    }
    if (isStroke) line.push(...(added.length > 1 ? curve([line.at(-1), ...added]) : added));
    points.push(...added);
    at += length + 1;
  }
  finish();
  return shapes;
}

interface Point {
  x: number;
  y: number;
}

/** Points on a Bézier curve, by de Casteljau's construction. */
function curve(control: readonly (Point | undefined)[]): Point[] {
  return CURVE_AT.map((share) => {
    let between = control.filter((point) => point !== undefined);
    while (between.length > 1)
      between = between.slice(1).map((point, index) => {
        const from = between[index] ?? point;
        return { x: from.x + share * (point.x - from.x), y: from.y + share * (point.y - from.y) };
      });
    return between[0] ?? { x: 0, y: 0 };
  });
}

function lengthOf(line: readonly Point[]): number {
  return line.reduce((sum, { x, y }, index) => {
    const last = line[index - 1];
    return sum + (last === undefined ? 0 : Math.hypot(x - last.x, y - last.y));
  }, 0);
}

/** By the shoelace formula. */
function areaWithin(points: readonly Point[]): number {
  let sum = 0;
  let last = points.at(-1);
  for (const point of points) {
    if (last !== undefined) sum += last.x * point.y - point.x * last.y;
    last = point;
  }
  return sum / 2;
}

function corners({ x, y, width, height }: Box): { x: number; y: number }[] {
  return [
    { x, y },
    { x: x + width, y: y + height },
  ];
}
