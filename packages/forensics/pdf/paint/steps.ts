import { matrixOf, surrounding } from './matrix.ts';
import type { Pdfjs } from './open.ts';
import { constructPath } from './path.ts';
import { pixelsSeen } from './pixels.ts';
import { clipTo, initialState, moveText, paint, type State, transform, type Walk } from './state.ts';
import { showText } from './text.ts';

export type Step = (walk: Walk, args: unknown[]) => void;
type Ops = Pdfjs['OPS'];

/** The effect of each operator on a page; operators missing here change nothing that the rules examine. */
export function stepsOf(
  ops: Ops,
  kinds: Map<string, string>,
  isVisible: (properties: unknown) => boolean,
): Map<number, Step> {
  const visible: Step = ({ shown }, [tag, properties]) => shown.push(tag !== 'OC' || isVisible(properties));
  return new Map([
    ...stateSteps(ops),
    ...nestingSteps(ops),
    ...textSteps(ops),
    ...paintSteps(ops),
    [ops.beginAnnotation, (walk, args) => beginAnnotation(walk, kinds, args)],
    [ops.beginMarkedContent, beginMarked],
    [ops.beginMarkedContentProps, visible],
    [ops.endMarkedContent, endMarked],
  ] as [number, Step][]);
}

function stateSteps(ops: Ops): [number, Step][] {
  return [
    [ops.transform, ({ state }, args) => transform(state, matrixOf(args))],
    [ops.setLineWidth, ({ state }, [width]) => set(state, { lineWidth: Math.abs(numberOf(width)) })],
    [ops.setFillRGBColor, ({ state }, [colour]) => set(state, { fill: colourOf(colour) })],
    [ops.setStrokeRGBColor, ({ state }, [colour]) => set(state, { stroke: colourOf(colour) })],
    [ops.setFillColorN, ({ state }) => set(state, { fill: undefined })],
    [ops.setStrokeColorN, ({ state }) => set(state, { stroke: undefined })],
    [ops.setFillTransparent, ({ state }) => set(state, { fill: undefined })],
    [ops.setStrokeTransparent, ({ state }) => set(state, { stroke: undefined })],
    [ops.setGState, (walk, [entries]) => setGraphicsState(walk, entries)],
    [ops.clip, (walk) => setClipping(walk)],
    [ops.eoClip, (walk) => setClipping(walk)],
  ];
}

function nestingSteps(ops: Ops): [number, Step][] {
  const beginForm: Step = (walk, [matrix, box]) => {
    save(walk);
    walk.forms++;
    transform(walk.state, matrixOf(matrix));
    clipTo(walk.state, box);
  };
  const endForm: Step = (walk) => {
    walk.forms--;
    restore(walk);
  };
  const endGroup: Step = (walk) => {
    walk.groups.pop();
    restore(walk);
  };
  return [
    [ops.save, save],
    [ops.restore, restore],
    [ops.paintFormXObjectBegin, beginForm],
    [ops.paintFormXObjectEnd, endForm],
    [ops.beginGroup, (walk, [group]) => beginGroup(walk, group)],
    [ops.endGroup, endGroup],
  ];
}

function textSteps(ops: Ops): [number, Step][] {
  const origin = { x: 0, y: 0, lineX: 0, lineY: 0 };
  const moveAndLead: Step = ({ state }, [x, y]) => {
    state.leading = numberOf(y);
    moveText(state, numberOf(x), numberOf(y));
  };
  return [
    [ops.beginText, ({ state }) => set(state, { textMatrix: [1, 0, 0, 1, 0, 0], ...origin })],
    [ops.setCharSpacing, ({ state }, [points]) => set(state, { characterSpacing: numberOf(points) })],
    [ops.setWordSpacing, ({ state }, [points]) => set(state, { wordSpacing: numberOf(points) })],
    [ops.setHScale, ({ state }, [percent]) => set(state, { horizontalScale: numberOf(percent) / 100 })],
    [ops.setLeading, ({ state }, [points]) => set(state, { leading: -numberOf(points) })],
    [ops.setTextRise, ({ state }, [points]) => set(state, { rise: numberOf(points) })],
    [ops.setTextRenderingMode, ({ state }, [mode]) => set(state, { mode: numberOf(mode) })],
    [ops.setFont, (walk, [id, size]) => setFont(walk, id, size)],
    [ops.moveText, ({ state }, [x, y]) => moveText(state, numberOf(x), numberOf(y))],
    [ops.setLeadingMoveText, moveAndLead],
    [ops.nextLine, ({ state }) => moveText(state, 0, state.leading)],
    [
      ops.setTextMatrix,
      ({ state }, [matrix]) => set(state, { textMatrix: matrixOf(matrix) ?? state.textMatrix, ...origin }),
    ],
    [ops.showText, (walk, [glyphs]) => showText(walk, Array.isArray(glyphs) ? glyphs : [])],
  ];
}

function paintSteps(ops: Ops): [number, Step][] {
  const picture = (walk: Walk, colour: string | undefined, opaque: boolean) => {
    const { matrix, fillAlpha } = walk.state;
    paint(walk, surrounding(matrix, 0, 0, 1, 1), fillAlpha, { kind: 'picture', colour, opaque });
  };
  const fill: Step = (walk) => {
    const { matrix, fillAlpha, fill: colour } = walk.state;
    paint(walk, surrounding(matrix, 0, 0, 1, 1), fillAlpha, { kind: 'fill', colour });
  };
  const shade: Step = (walk) => paint(walk, walk.state.clip, walk.state.fillAlpha, { kind: 'fill', colour: undefined });
  const image: Step = (walk, [id]) => {
    const seen = walk.pixels(String(id));
    picture(walk, seen?.colour, seen?.opaque ?? true);
  };
  const inline: Step = (walk, [data]) => {
    const seen = pixelsSeen(data);
    picture(walk, seen?.colour, seen?.opaque ?? true);
  };
  return [
    [ops.constructPath, (walk, args) => constructPath(walk, ops, args)],
    [ops.paintSolidColorImageMask, fill],
    [ops.shadingFill, shade],
    [ops.paintImageMaskXObject, (walk) => picture(walk, undefined, false)],
    [ops.paintImageXObject, image],
    [ops.paintInlineImageXObject, inline],
  ];
}

function beginMarked(walk: Walk, [tag]: unknown[]): void {
  walk.shown.push(true);
  if (record(tag)['name'] === 'Tx' || tag === 'Tx') walk.field ||= walk.shown.length;
}

function endMarked(walk: Walk): void {
  if (walk.field === walk.shown.length) walk.field = 0;
  walk.shown.pop();
}

function save({ state, saved }: Walk): void {
  saved.push({ ...state });
}

function restore(walk: Walk): void {
  walk.state = walk.saved.pop() ?? walk.state;
}

/** A group is composited as one object: the transparency in the state applies to the group as a whole (11.6.6). */
function beginGroup(walk: Walk, group: unknown): void {
  const { matrix, bbox, smask } = record(group);
  const { fillAlpha, blend, softMask } = walk.state;
  save(walk);
  walk.groups.push({ alpha: fillAlpha, blended: blend || softMask, mask: Boolean(smask) });
  set(walk.state, { fillAlpha: 1, strokeAlpha: 1, blend: false, softMask: false });
  transform(walk.state, matrixOf(matrix));
  clipTo(walk.state, bbox);
}

function beginAnnotation(walk: Walk, kinds: Map<string, string>, [id, rectangle, move, matrix]: unknown[]): void {
  walk.saved = [];
  walk.groups = [];
  walk.shown = [];
  walk.field = 0;
  walk.state = initialState(walk.base, walk.page);
  walk.layer = kinds.get(String(id)) ?? 'Annotation';
  clipTo(walk.state, rectangle);
  transform(walk.state, matrixOf(move));
  transform(walk.state, matrixOf(matrix));
}

function setGraphicsState(walk: Walk, entries: unknown): void {
  for (const entry of Array.isArray(entries) ? entries : []) {
    if (!Array.isArray(entry)) continue;
    const [key, value]: unknown[] = entry;
    if (key === 'ca') walk.state.fillAlpha = numberOf(value);
    if (key === 'CA') walk.state.strokeAlpha = numberOf(value);
    if (key === 'LW') walk.state.lineWidth = numberOf(value);
    if (key === 'BM') walk.state.blend = value !== 'source-over';
    if (key === 'SMask') walk.state.softMask = Boolean(value);
    if (key === 'Font' && Array.isArray(value)) setFont(walk, value[0], value[1]);
  }
}

function setFont({ state, fonts }: Walk, id: unknown, size: unknown): void {
  set(state, { font: fonts(String(id)), fontSize: numberOf(size) });
}

function setClipping(walk: Walk): void {
  walk.clipping = true;
}

function set(state: State, change: Partial<State>): void {
  Object.assign(state, change);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function colourOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : undefined;
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
