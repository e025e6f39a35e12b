import { Unreadable } from '../../model.ts';
import { MAX_MEGAPIXELS } from '../dimensions.ts';
import { HuffmanReader, huffmanTables } from './huffman.ts';
import { type Jpeg, jpegOf, type Segment, START_OF_SCAN } from './jpeg.ts';
import type { Plane } from './plane.ts';
import { type Coding, codingOf } from './scans.ts';

/** The quantised coefficients exactly as the file stores them, because what decoding to pixels rounds away is the evidence. */
export interface Coefficients {
  width: number;
  height: number;
  brightness: Plane;
  /** Cb and Cr; empty for a grey picture. */
  colours: Plane[];
}

const SCANS = 100;

/**
 * Reads baseline and progressive pictures (ITU-T T.81, annexes F and G); coefficients missing from a truncated file are 0.
 * @throws Unreadable if it is not a JPEG, is damaged, too large, or coded in a rare way
 */
export function coefficientsOf(bytes: Uint8Array): Coefficients {
  const jpeg = jpegOf(bytes);
  const { marker, precision, width, height } = jpeg.frame;
  if (marker > 0xc2 || precision !== 8) throw new Unreadable('The picture is coded in a rare way.');
  if (width * height > MAX_MEGAPIXELS * 1_000_000) throw new Unreadable('The picture is too large to be examined.');
  const planes = planesOf(jpeg);
  const scans = jpeg.segments.filter((segment) => segment.marker === START_OF_SCAN).slice(0, SCANS);
  for (const segment of scans) decodeScan(bytes, jpeg, segment, planes);
  const [brightness, ...colours] = planes;
  if (brightness === undefined) throw new Unreadable('The picture’s header is damaged.');
  return { width, height, brightness, colours };
}

function planesOf({ frame, tables }: Jpeg): Plane[] {
  const widest = Math.max(...frame.components.map(({ horizontal }) => horizontal));
  const highest = Math.max(...frame.components.map(({ vertical }) => vertical));
  const unitsAcross = Math.ceil(frame.width / (8 * widest));
  const unitsDown = Math.ceil(frame.height / (8 * highest));
  return frame.components.map((component, index) => {
    const { horizontal, vertical } = component;
    const steps = tables.get(component.table);
    const coarse = index === 0 && (horizontal !== widest || vertical !== highest);
    if (steps === undefined || coarse) throw new Unreadable('The picture is coded in a rare way.');
    const stride = unitsAcross * horizontal;
    return {
      across: Math.ceil(Math.ceil((frame.width * horizontal) / widest) / 8),
      down: Math.ceil(Math.ceil((frame.height * vertical) / highest) / 8),
      stride,
      levels: new Int16Array(stride * unitsDown * vertical * 64),
      steps,
      component,
    };
  });
}

function decodeScan(bytes: Uint8Array, jpeg: Jpeg, segment: Segment, planes: readonly Plane[]): void {
  const tables = huffmanTables(bytes, jpeg.segments, segment.offset);
  const reader = new HuffmanReader(bytes, segment.end, segment.dataEnd ?? bytes.length);
  const codings = codingsOf(bytes, jpeg.progressive, segment, planes).map((scan) => codingOf(scan, tables, reader));
  const [only] = codings;
  if (only === undefined) return;
  if (codings.length === 1) decodeAlone(jpeg, only, reader);
  else decodeTogether(jpeg, codings, reader);
}

/** Channels, with the numbers of their tables, and the range of coefficients in the scan. */
function codingsOf(bytes: Uint8Array, progressive: boolean, { start, end }: Segment, planes: readonly Plane[]) {
  const count = bytes[start] ?? 0;
  if (count < 1 || count > 4 || start + 1 + 2 * count + 3 > end) return [];
  const [first = 0, last = 63, bits = 0] = bytes.subarray(start + 1 + 2 * count);
  const part = progressive ? { first, last, high: bits >> 4, low: bits & 15 } : { first: 0, last: 63, high: 0, low: 0 };
  if (first > last || last > 63 || part.low > 13) return [];
  return Array.from({ length: count }, (_, index) => {
    const [id = 0, numbers = 0] = bytes.subarray(start + 1 + 2 * index);
    const plane = planes.find(({ component }) => component.id === id);
    return plane === undefined ? [] : [{ ...part, progressive, plane, dc: numbers >> 4, ac: numbers & 15 }];
  }).flat();
}

/** A scan of one channel contains only the channel's own blocks, without those that pad coded units. */
function decodeAlone({ restartInterval }: Jpeg, { scan, block }: Coding, reader: HuffmanReader): void {
  const { across, down, stride } = scan.plane;
  for (let index = 0; index < across * down; index++) {
    if (restartInterval > 0 && index > 0 && index % restartInterval === 0) restart([scan], reader);
    if (reader.ended && restartInterval === 0) return;
    const row = Math.floor(index / across);
    block((row * stride + index - row * across) * 64);
  }
}

function decodeTogether({ frame, restartInterval }: Jpeg, codings: readonly Coding[], reader: HuffmanReader): void {
  const [leading] = codings;
  if (leading === undefined) return;
  const { component, stride, levels } = leading.scan.plane;
  const unitsAcross = stride / component.horizontal;
  const units = levels.length / 64 / (component.horizontal * component.vertical);
  if (codings.length > frame.components.length) return;
  for (let unit = 0; unit < units; unit++) {
    if (restartInterval > 0 && unit > 0 && unit % restartInterval === 0)
      restart(
        codings.map(({ scan }) => scan),
        reader,
      );
    if (reader.ended && restartInterval === 0) return;
    const row = Math.floor(unit / unitsAcross);
    const column = unit - row * unitsAcross;
    for (const { scan, block } of codings) {
      const { horizontal, vertical } = scan.plane.component;
      for (let down = 0; down < vertical; down++) {
        const from = (row * vertical + down) * scan.plane.stride + column * horizontal;
        for (let along = 0; along < horizontal; along++) block((from + along) * 64);
      }
    }
  }
}

function restart(scans: readonly Coding['scan'][], reader: HuffmanReader): void {
  reader.restart();
  for (const scan of scans) {
    scan.prediction = 0;
    scan.run = 0;
  }
}
