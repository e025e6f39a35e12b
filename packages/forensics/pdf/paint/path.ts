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
/** A shape must fill this share of its bounding box to count as a rectangle; rounded corners leave more. */
const RECTANGULAR = 0.85;
/** In points: a thinner stroke hides nothing. */
const BROAD_STROKE = 4;

interface Shape {
  box: Box;
  /** Signed: holes have the opposite winding. */
  area: number;
  points: number;
}

/** Fills or strokes a path, or uses it as a clip. */
export function constructPath(walk: Walk, ops: Ops, [operator, parts]: unknown[]): void {
  const { state } = walk;
  const data: unknown = Array.isArray(parts) ? parts[0] : undefined;
  const shapes = ArrayBuffer.isView(data) ? shapesOf(data as Float32Array, state.matrix) : [];
  const evenOdd = [ops.eoFill, ops.eoFillStroke, ops.closeEOFillStroke].some((fill) => fill === operator);
  const nonZero = [ops.fill, ops.fillStroke, ops.closeFillStroke].some((fill) => fill === operator);
  if (evenOdd || nonZero) fillShapes(walk, shapes, evenOdd);
  if (operator === ops.stroke || operator === ops.closeStroke) strokeShapes(walk, shapes);
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

/** A broad straight stroke covers like a rectangle. */
function strokeShapes(walk: Walk, shapes: Shape[]): void {
  const { matrix, lineWidth, strokeAlpha, stroke } = walk.state;
  const breadth = lineWidth * Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]));
  if (breadth < BROAD_STROKE) return;
  for (const { box, points } of shapes) {
    if (points !== 2 || Math.min(box.width, box.height) > 0.5) continue;
    const { x, y, width, height } = box;
    const level = height <= width;
    const covered = level
      ? { x, y: y - breadth / 2, width, height: height + breadth }
      : { x: x - breadth / 2, y, width: width + breadth, height };
    paint(walk, covered, strokeAlpha, { kind: 'fill', colour: stroke });
  }
}

/** The parts of the path, as displayed. The lines between their control points stand for curves. */
function shapesOf(data: ArrayLike<number>, matrix: Matrix): Shape[] {
  const shapes: Shape[] = [];
  let points: { x: number; y: number }[] = [];
  const finish = () => {
    if (points.length > 1 && shapes.length < MAX_SHAPES) {
      shapes.push({ box: boxAround(points), area: areaWithin(points), points: points.length });
    }
    points = [];
  };
  const end = Math.min(data.length, MAX_POINTS);
  for (let at = 0; at < end; ) {
    const part = data[at] ?? CLOSE;
    const length = PARTS[part];
    if (length === undefined) break;
    if (part === MOVE) finish();
    for (let pair = at + 1; pair <= at + length; pair += 2) {
      points.push(placed(matrix, data[pair] ?? 0, data[pair + 1] ?? 0));
    }
    at += length + 1;
  }
  finish();
  return shapes;
}

/** By the shoelace formula. */
function areaWithin(points: { x: number; y: number }[]): number {
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
