import { numbersOf } from '../random.ts';

/** A file to mutate, and the rules that have findings in it. */
export interface Seed {
  name: string;
  bytes: Uint8Array;
}

export interface Mutation {
  bytes: Uint8Array;
  how: string;
  /** Whether every viewer still shows the same content, so that every finding must remain. */
  harmless: boolean;
}

/** Unreferenced objects that mislead readers that follow or measure them. Numbers count from the first object added. */
const TRAPS: readonly [name: string, bodies: (first: number) => string[]][] = [
  ['a length that is the stream itself', (n) => [`<< /Length ${n} 0 R >>\nstream\nx\nendstream`]],
  [
    'lengths that are each other',
    (n) => [`<< /Length ${n + 1} 0 R >>\nstream\nx\nendstream`, `<< /Length ${n} 0 R >>\nstream\nx\nendstream`],
  ],
  ['a reference to itself', (n) => [`${n} 0 R`]],
  ['pages that are their own children', (n) => [`<< /Type /Pages /Kids [${n} 0 R ${n} 0 R] /Count 2 >>`]],
  ['lists within lists', () => ['['.repeat(150) + ']'.repeat(150)]],
  ['lists that never close', () => ['['.repeat(150)]],
  ['a text that never closes', () => ['(']],
  ['an object stream that holds itself', (n) => [objectStream(`${n} 0 <<>>`)]],
  [
    'an object stream that promises millions',
    () => ['<< /Type /ObjStm /N 99999999 /First 3 /Length 3 >>\nstream\n1 0\nendstream'],
  ],
  [
    'an object stream before its own data',
    () => ['<< /Type /ObjStm /N -1 /First -9 /Length 3 >>\nstream\n1 0\nendstream'],
  ],
  [
    'a cross-reference stream of no width',
    () => ['<< /Type /XRef /W [0 0 0] /Size 9 /Length 3 >>\nstream\nabc\nendstream'],
  ],
  ['filters without end', () => [`<< /Filter [${'/FlateDecode '.repeat(99)}] /Length 1 >>\nstream\nx\nendstream`]],
  ['a damaged filter', () => ['<< /Filter /LZWDecode /Length 4 >>\nstream\n\xff\xff\xff\xff\nendstream']],
  [
    'parameters that make no sense',
    () => [
      '<< /Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns -7 /Colors 1e9 >> /Length 8 >>\nstream\nx\x9c\x03\0\0\0\0\x01\nendstream',
    ],
  ],
  ['a second encryption dictionary', () => ['<< /Filter /Standard /V 5 /R 6 /Length 7 /O () /U () >>']],
];

function objectStream(data: string): string {
  return `<< /Type /ObjStm /N 1 /First 4 /Length ${data.length} >>\nstream\n${data}\nendstream`;
}

/** The mutation with this number; deterministic for the same seeds. */
export async function mutated(seeds: readonly Seed[], number: number): Promise<Mutation> {
  const random = numbersOf(number * 2_654_435_761);
  const below = (end: number) => Math.floor(random() * end);
  const seed = seeds[below(seeds.length)];
  if (seed === undefined) throw new Error('There is nothing to change.');
  const isPdf = Buffer.from(seed.bytes.subarray(0, 4)).toString() === '%PDF';
  if (isPdf && below(3) === 0) {
    const trap = TRAPS[below(TRAPS.length)];
    if (trap !== undefined) return trapped(seed, trap);
  }
  const other = seeds[below(seeds.length)]?.bytes ?? seed.bytes;
  const bytes = changed(Buffer.from(seed.bytes), other, below);
  return { bytes, how: `${seed.name}, bytes changed`, harmless: false };
}

/** Adds a trap in a separate revision, which changes nothing visible. */
export function trapped(seed: Seed, [name, bodies]: (typeof TRAPS)[number]): Mutation {
  const text = Buffer.from(seed.bytes).toString('latin1');
  const first = Math.max(0, ...[...text.matchAll(/(\d{1,6}) \d obj/g)].map(([, number]) => Number(number))) + 1000;
  const how = `${seed.name}, with ${name}`;
  const table = /trailer\s*<<[\s\S]*?\/Root (\d+ \d+ R)/.exec(text.slice(Math.max(0, text.lastIndexOf('trailer'))));
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1];
  // Without a table to continue, the objects are inserted before the end of the file, where nothing references them.
  let added = text.endsWith('\n') ? '' : '\n';
  const rows = bodies(first).map((body, index) => {
    const row = `${first + index} 1\n${String(text.length + added.length).padStart(10, '0')} 00000 n \n`;
    added += `${first + index} 0 obj\n${body}\nendobj\n`;
    return row;
  });
  if (table === null || previous === undefined || text.includes('/Encrypt'))
    return { bytes: Buffer.from(text + added, 'latin1'), how, harmless: true };
  const id = /\/ID\s*\[[^\]]*\]/.exec(text.slice(text.lastIndexOf('trailer')))?.[0] ?? '';
  const trailer = `trailer\n<< /Size ${first + 9} /Root ${table[1]} /Prev ${previous} ${id} >>`;
  const end = `xref\n${rows.join('')}${trailer}\nstartxref\n${text.length + added.length}\n%%EOF\n`;
  return { bytes: Buffer.from(text + added + end, 'latin1'), how, harmless: true };
}

export const traps = TRAPS;

type Below = (end: number) => number;

/** Up to eight mutations: flipped bytes or digits, truncation, duplication, moves, or parts of another file. */
function changed(original: Buffer, other: Uint8Array, below: Below): Uint8Array {
  let bytes = original;
  for (let count = 1 + below(8); count > 0; count--) bytes = changedOnce(bytes, other, below);
  return bytes;
}

function changedOnce(bytes: Buffer, other: Uint8Array, below: Below): Buffer {
  const at = below(bytes.length);
  const length = 1 + below(200);
  switch (below(7)) {
    case 0:
      return bytes.subarray(0, below(6) === 0 ? at : bytes.length);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at)]);
    case 3: {
      const from = below(other.length);
      return Buffer.concat([bytes.subarray(0, at), other.subarray(from, from + length), bytes.subarray(at)]);
    }
    case 4:
      return withDigit(bytes, at, below);
    default: {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[at] = below(256);
      return copy;
    }
  }
}

/** Numbers are offsets and counts: replaces the first one after an offset. */
function withDigit(bytes: Buffer, at: number, below: Below): Buffer {
  const copy = Buffer.from(bytes);
  const digit = copy.findIndex((byte, index) => index >= at && byte >= 0x30 && byte <= 0x39);
  if (digit >= 0) copy[digit] = 0x30 + below(10);
  return copy;
}
