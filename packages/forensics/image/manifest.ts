import type { Kind } from '../model.ts';
import { type Cbor, cborOf } from './cbor.ts';
import { applicationData, jpegOf } from './jpeg/jpeg.ts';
import { chunkData, pngOf } from './png.ts';

/**
 * What a picture's own record of its origin says (C2PA 2.2, chapters 10, 11 and A.3; JUMBF, ISO/IEC 19566-5). It is read, not verified:
 * neither its signature nor the signer is checked.
 */
export interface Manifest {
  /** The programs that wrote a claim, by their own names. */
  generators: string[];
  /** What they say was done, oldest manifest first. */
  actions: Action[];
}

interface Action {
  /** As in `c2pa.edited`. */
  action: string;
  agent?: string;
  /** The last part of an address in IPTC's list: `trainedAlgorithmicMedia`. */
  sourceType?: string;
}

interface JumbfBox {
  type: string;
  data: Uint8Array;
}

const BYTES = 16_000_000;
const BOXES = 2000;
const DEPTH = 8;
const LISTED = 100;
const LONGEST = 120;

/** Undefined if there is none. @throws Unreadable */
export function manifestOf(kind: Kind, bytes: Uint8Array): Manifest | undefined {
  const store = kind === 'png' ? chunkData(bytes, pngOf(bytes), 'caBX') : storeOfJpeg(bytes);
  if (store === undefined) return undefined;
  const manifest: Manifest = { generators: [], actions: [] };
  const left = { boxes: BOXES };
  for (const box of boxesOf(store.subarray(0, BYTES), left)) read(box, manifest, left, 0);
  const isEmpty = manifest.generators.length === 0 && manifest.actions.length === 0;
  return isEmpty && !hasLabel(store, 'c2pa') ? undefined : manifest;
}

/** Joins the pieces of the first box in APP11 segments (ISO/IEC 18477-3, B.2). */
function storeOfJpeg(bytes: Uint8Array): Uint8Array | undefined {
  const pieces: Uint8Array[] = [];
  let number: number | undefined;
  let length = 0;
  for (const segment of jpegOf(bytes).segments) {
    const data = applicationData(bytes, segment, 11, 'JP');
    if (data === undefined || data.length < 14) continue;
    const own = (data[0] ?? 0) * 256 + (data[1] ?? 0);
    number ??= own;
    if (own !== number || length > BYTES) continue;
    // Each segment repeats the header of the box; the first one's is kept.
    const piece = data.subarray(pieces.length === 0 ? 6 : 14);
    pieces.push(piece);
    length += piece.length;
  }
  return pieces.length === 0 ? undefined : Buffer.concat(pieces);
}

function boxesOf(bytes: Uint8Array, left: { boxes: number }): JumbfBox[] {
  const boxes: JumbfBox[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 8 <= bytes.length && left.boxes > 0; left.boxes--) {
    const [length, head] = lengthOf(view, at);
    const end = Math.min(bytes.length, at + length);
    if (end < at + head) break;
    const type = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1');
    boxes.push({ type, data: bytes.subarray(at + head, end) });
    at = end;
  }
  return boxes;
}

/** 0 means that the box extends to the end, 1 that a longer number follows. */
function lengthOf(view: DataView, at: number): [length: number, head: number] {
  const length = view.getUint32(at);
  if (length === 0) return [view.byteLength - at, 8];
  if (length !== 1 || at + 16 > view.byteLength) return [length, 8];
  return [Number(view.getBigUint64(at + 8)), 16];
}

function read({ type, data }: JumbfBox, manifest: Manifest, left: { boxes: number }, depth: number): void {
  if (type !== 'jumb' || depth > DEPTH) return;
  const [description, ...contents] = boxesOf(data, left);
  const label = description?.type === 'jumd' ? labelOf(description.data) : '';
  for (const content of contents) {
    if (content.type !== 'cbor') read(content, manifest, left, depth + 1);
    else if (label.startsWith('c2pa.claim')) addGenerator(cborOf(content.data), manifest);
    else if (label.startsWith('c2pa.actions')) addActions(cborOf(content.data), manifest);
  }
}

/** The label follows 16 bytes of type and one byte of flags. */
function labelOf(description: Uint8Array): string {
  const end = description.indexOf(0, 17);
  return Buffer.from(description.subarray(17, end < 0 ? 17 : Math.min(end, 17 + LONGEST))).toString('utf8');
}

function hasLabel(store: Uint8Array, label: string): boolean {
  return Buffer.from(store.buffer, store.byteOffset, Math.min(store.length, 200)).includes(label);
}

function addGenerator(claim: Cbor | undefined, { generators }: Manifest): void {
  const infos = field(claim, 'claim_generator_info');
  const info = Array.isArray(infos) ? infos[0] : infos;
  const name = textOf(field(info, 'name')) ?? textOf(field(claim, 'claim_generator'));
  if (name !== undefined && generators.length < LISTED && !generators.includes(name)) generators.push(name);
}

function addActions(assertion: Cbor | undefined, { actions }: Manifest): void {
  const list = field(assertion, 'actions');
  for (const one of Array.isArray(list) ? list : []) {
    const action = textOf(field(one, 'action'));
    if (action === undefined || actions.length >= LISTED) continue;
    const agent = field(one, 'softwareAgent');
    const name = textOf(agent) ?? textOf(field(agent, 'name'));
    const sourceType = textOf(field(one, 'digitalSourceType'))?.split('/').at(-1);
    actions.push({
      action,
      ...(name === undefined ? {} : { agent: name }),
      ...(sourceType === undefined ? {} : { sourceType }),
    });
  }
}

function field(value: Cbor | undefined, name: string): Cbor | undefined {
  return value instanceof Map ? value.get(name) : undefined;
}

function textOf(value: Cbor | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, LONGEST) : undefined;
}
