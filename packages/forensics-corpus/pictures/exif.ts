import sharp from 'sharp';
import { concatenated, latin } from '../pdf/bytes.ts';
import type { Random } from '../random.ts';

interface Camera {
  make: string;
  model: string;
  /** The camera's firmware version. */
  software: string;
  taken: Date;
  exposure: number;
  iso: number;
}

const cameras = [
  ['samsung', 'SM-A536B', 'A536BXXU8DWK2'],
  ['Google', 'Pixel 7', 'HDR+ 1.0.540104767zd'],
  ['Xiaomi', '2201117TY', 'Xiaomi 2201117TY'],
  ['OnePlus', 'LE2113', 'OnePlus LE2113'],
] as const;

export function cameraOf(taken: Date, random: Random): Camera {
  const [make, model, software] = random.pick(cameras);
  return {
    make,
    model,
    software,
    taken,
    exposure: random.integer(20, 120),
    iso: random.pick([64, 100, 200, 400, 800]),
  };
}

/**
 * A JPEG with a camera's metadata: EXIF 2.32 with a thumbnail of the picture. @param thumbnailOf the picture before it was
 * edited
 */
export async function withExif(bytes: Uint8Array, camera: Camera, thumbnailOf = bytes, software = camera.software) {
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  const small = new Uint8Array(
    await sharp(thumbnailOf).resize(160, 160, { fit: 'inside' }).jpeg({ quality: 80 }).toBuffer(),
  );
  const tiff = tiffOf({ ...camera, software }, width, height, small);
  const payload = concatenated(latin('Exif\0\0'), tiff);
  const header = Buffer.from([0xff, 0xe1, (payload.length + 2) >> 8, (payload.length + 2) & 255]);
  return concatenated(bytes.slice(0, 2), header, payload, bytes.slice(2));
}

type Entry = [tag: number, value: string | number | [number, number]];

/** Big-endian; directories in sequence, each followed by its long values. TIFF 6.0, section 2. */
function tiffOf(camera: Camera, width: number, height: number, thumbnail: Uint8Array): Uint8Array {
  const date = camera.taken.toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ');
  const main = (pointer: number): Entry[] => [
    [0x010f, camera.make],
    [0x0110, camera.model],
    [0x0112, 1],
    [0x0131, camera.software],
    [0x0132, date],
    [0x8769, pointer],
  ];
  const photo: Entry[] = [
    [0x829a, [1, camera.exposure]],
    [0x829d, [18, 10]],
    [0x8827, camera.iso],
    [0x9003, date],
    [0x9004, date],
    [0xa002, width],
    [0xa003, height],
  ];
  const second = 8 + directory(main(0), 8, 0).length;
  const third = second + directory(photo, second, 0).length;
  const small = (at: number): Entry[] => [
    [0x0103, 6],
    [0x0201, at],
    [0x0202, thumbnail.length],
  ];
  const picture = third + directory(small(0), third, 0).length;
  const head = Buffer.from('4d4d002a00000008', 'hex');
  return concatenated(
    head,
    directory(main(second), 8, third),
    directory(photo, second, 0),
    directory(small(picture), third, 0),
    thumbnail,
  );
}

const SHORT = new Set([0x0112, 0x8827, 0x0103]);

function directory(entries: readonly Entry[], offset: number, next: number): Buffer {
  const table = Buffer.alloc(2 + entries.length * 12 + 4);
  table.writeUInt16BE(entries.length, 0);
  const values: Buffer[] = [];
  let free = offset + table.length;
  entries.forEach(([tag, value], index) => {
    const at = 2 + index * 12;
    const { type, count, data } = encoded(tag, value);
    table.writeUInt16BE(tag, at);
    table.writeUInt16BE(type, at + 2);
    table.writeUInt32BE(count, at + 4);
    if (data.length <= 4) data.copy(table, at + 8);
    else {
      table.writeUInt32BE(free, at + 8);
      values.push(data);
      free += data.length;
    }
  });
  table.writeUInt32BE(next, table.length - 4);
  return Buffer.concat([table, ...values]);
}

function encoded(tag: number, value: Entry[1]): { type: number; count: number; data: Buffer } {
  if (typeof value === 'string') {
    const data = Buffer.from(`${value}\0`, 'latin1');
    return { type: 2, count: data.length, data };
  }
  if (typeof value !== 'number') {
    const data = Buffer.alloc(8);
    data.writeUInt32BE(value[0], 0);
    data.writeUInt32BE(value[1], 4);
    return { type: 5, count: 1, data };
  }
  const data = Buffer.alloc(4);
  if (SHORT.has(tag)) data.writeUInt16BE(value, 0);
  else data.writeUInt32BE(value, 0);
  return { type: SHORT.has(tag) ? 3 : 4, count: 1, data };
}
