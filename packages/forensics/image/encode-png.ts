import { crc32, deflateSync } from 'node:zlib';
import type { Pixels } from '../model.ts';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const TRUE_COLOUR = 2;
/** The Up filter, because neighbouring rows of a page are mostly alike (PNG, third edition, 9.2). */
const UP = 2;
const EFFORT = 5;

export function encodePng({ width, height, data }: Pixels): Uint8Array {
  const rowBytes = width * 3;
  const rows = new Uint8Array((rowBytes + 1) * height);
  for (let row = 0; row < height; row++) {
    const to = row * (rowBytes + 1);
    const from = row * rowBytes;
    rows[to] = UP;
    for (let at = 0; at < rowBytes; at++)
      rows[to + 1 + at] = (data[from + at] ?? 0) - (row === 0 ? 0 : (data[from + at - rowBytes] ?? 0));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, TRUE_COLOUR, 0, 0, 0], 8);
  const packed = deflateSync(rows, { level: EFFORT });
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
