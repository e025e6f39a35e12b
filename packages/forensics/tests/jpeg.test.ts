import { numbersOf } from '@tenant-screening/forensics-corpus/random.ts';
import { expect } from 'chai';
import type { JpegOptions } from 'sharp';
import { dimensionsOf } from '../image/dimensions.ts';
import { transformBack } from '../image/jpeg/dct.ts';
import { coefficientsOf } from '../image/jpeg/decode.ts';
import { applicationData, jpegOf } from '../image/jpeg/jpeg.ts';
import { qualityOf } from '../image/jpeg/quantisation.ts';
import { metadataOf } from '../image/picture-metadata.ts';
import { pixelsOf } from '../image/pixels.ts';
import { pngOf } from '../image/png.ts';
import { type Pixels, Unreadable } from '../model.ts';
import { manifestStore, withChunk, withExif, withManifest, withSegment } from './fixtures/picture-files.ts';
import { drawPage, jpeg, photograph, pixelsOfFile, png } from './fixtures/pictures.ts';

/** Dimensions that are not multiples of a block. */
const SIDES = { width: 203, height: 157, fontSize: 18 };

describe('pictures are parsed without trusting them', () => {
  let photo: Pixels;
  let file: Uint8Array;
  before(async () => {
    photo = photograph(await drawPage(1, SIDES), 1);
    file = await jpeg(photo, 80);
  });

  it('the parts of a JPEG are found: size, tables and their quality, sampling, comment, what follows the end', async () => {
    const { frame, tables, progressive, comments, trailingBytes, complete } = jpegOf(
      Buffer.concat([withSegment(file, 0xfe, Buffer.from('hello')), Buffer.from('tail')]),
    );
    expect(frame).to.include({ width: 203, height: 157, precision: 8 });
    expect(frame.components.map(({ horizontal, vertical }) => `${horizontal}x${vertical}`)).to.eql([
      '2x2',
      '1x1',
      '1x1',
    ]);
    const [brightness = [], colour] = [tables.get(0), tables.get(1)];
    expect(qualityOf(brightness, colour)).to.eql({ quality: 80, standard: true });
    expect({ progressive, comments, trailingBytes, complete }).to.eql({
      progressive: false,
      comments: ['hello'],
      trailingBytes: 4,
      complete: true,
    });
  });

  it('tables that no library uses are distinguished from the standard ones, with the nearest quality', () => {
    const table = Array.from(jpegOf(file).tables.get(0) ?? []);
    expect(qualityOf([...table.slice(0, 63), 1])).to.include({ standard: false, quality: 80 });
  });

  const CODINGS: [string, JpegOptions][] = [
    ['baseline with colours of half size', {}],
    ['baseline with colours of full size', { chromaSubsampling: '4:4:4' }],
    ['progressive', { progressive: true }],
    ['progressive by mozjpeg, with its own tables', { mozjpeg: true }],
  ];
  for (const [name, options] of CODINGS)
    it(`coefficients give exactly a decoder’s pixels: ${name}`, async () => {
      const coded = await jpeg(photo, 85, options);
      expect(worstDifference(coded, await pixelsOfFile(coded))).to.be.below(1.1);
    });

  it('coefficients give exactly a decoder’s pixels: with restarts, as cameras write them', async () => {
    const coded = await withRestarts(photo);
    expect(jpegOf(coded)).to.include({ restartInterval: 13, complete: true });
    expect(worstDifference(coded, await pixelsOfFile(coded))).to.be.below(1.1);
  });

  it('sizes are read from the header alone, and pixels are returned upright and opaque', async () => {
    const turned = withExif(file, { orientation: 6 });
    expect(dimensionsOf(turned)).to.eql({ width: 203, height: 157 });
    const { width, height, data } = await pixelsOf(turned);
    expect({ width, height, bytes: data.length }).to.eql({ width: 157, height: 203, bytes: 157 * 203 * 3 });
  });

  it('a picture that claims to be huge is refused before anything is decoded', async () => {
    const huge = Uint8Array.from(await png(photo));
    new DataView(huge.buffer).setUint32(16, 100_000);
    new DataView(huge.buffer).setUint32(20, 100_000);
    expect(await messageOf(() => pixelsOf(huge))).to.equal('The picture has more than 50 megapixels.');
    const wide = Uint8Array.from(file);
    wide.set([0xff, 0xff, 0xff, 0xff], (jpegOf(file).segments.find(({ marker }) => marker === 0xc0)?.start ?? 0) + 1);
    expect(await messageOf(() => coefficientsOf(wide))).to.equal('The picture is too large to be examined.');
  });

  it('data that is neither JPEG nor PNG never reaches the decoder', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
    expect(await messageOf(() => pixelsOf(svg))).to.equal('The file does not begin as a JPEG picture does.');
  });

  it('a truncated picture cannot be decoded, and its parts are read as far as they go', async () => {
    const half = file.subarray(0, file.length >> 1);
    expect(await messageOf(() => pixelsOf(half))).to.equal('The picture is damaged.');
    expect(jpegOf(half)).to.include({ complete: false, trailingBytes: 0 });
    expect(coefficientsOf(half).brightness.levels.some((level) => level !== 0)).to.equal(true);
  });

  it('for any changed bytes, every reader answers or reports that the picture is unreadable', async () => {
    const next = numbersOf(5);
    const store = manifestStore('Program', [{ action: 'c2pa.edited' }]);
    const originals: Uint8Array[] = [
      withManifest(withExif(file, { make: 'A', model: 'B', thumbnail: file }), store),
      await jpeg(photo, 70, { progressive: true }),
      withChunk(withChunk(await png(photo), 'caBX', store), 'tEXt', Buffer.from('Software\0x')),
    ];
    for (let round = 0; round < 150; round++) {
      const bytes = Uint8Array.from(originals[round % originals.length] ?? file);
      // Most of the data that determines parsing is at the beginning.
      const reach = round % 2 === 0 ? 900 : bytes.length;
      for (let count = 0; count < 12; count++) bytes[Math.floor(next() * reach)] = Math.floor(next() * 256);
      const kind = round % originals.length === 2 ? 'png' : 'jpeg';
      for (const reader of [jpegOf, coefficientsOf, pngOf, dimensionsOf]) answers(() => reader(bytes));
      answers(() => metadataOf(kind, bytes));
    }
  });

  it('application data is found by its number and name', () => {
    const segment = jpegOf(withSegment(file, 0xed, Buffer.from('Photoshop 3.0\0rest'))).segments[0];
    const bytes = withSegment(file, 0xed, Buffer.from('Photoshop 3.0\0rest'));
    if (segment === undefined) throw new Error('no segment');
    expect(Buffer.from(applicationData(bytes, segment, 13, 'Photoshop 3.0\0') ?? []).toString()).to.equal('rest');
    expect(applicationData(bytes, segment, 12, 'Photoshop 3.0\0')).to.equal(undefined);
  });
});

/** Strips of sixteen rows, each coded separately, with restart markers between them and one header for all. */
async function withRestarts({ width, height, data }: Pixels): Promise<Uint8Array> {
  const strips: Uint8Array[] = [];
  for (let y = 0; y < height; y += 16) {
    const rows = Math.min(16, height - y);
    const strip = { width, height: rows, data: data.subarray(y * width * 3, (y + rows) * width * 3) };
    strips.push(await jpeg(strip, 85, { optimizeCoding: false }));
  }
  const [first = new Uint8Array()] = strips;
  const { segments } = jpegOf(first);
  const head = Buffer.from(first.subarray(0, segments.at(-1)?.end));
  head.writeUInt16BE(height, (segments.find(({ marker }) => marker === 0xc0)?.start ?? 0) + 1);
  const coded = strips.flatMap((strip, index) => {
    const scan = jpegOf(strip).segments.at(-1);
    return [Buffer.from([0xff, 0xd0 + ((index + 7) % 8)]), strip.subarray(scan?.end, scan?.dataEnd)];
  });
  const file = Buffer.concat([head, ...coded.slice(1), Buffer.from([0xff, 0xd9])]);
  return withSegment(file, 0xdd, Buffer.from([0, Math.ceil(width / 16)]));
}

function answers(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
}

async function messageOf(read: () => unknown): Promise<string> {
  try {
    await read();
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
  return 'it was read';
}

/** The difference in brightness levels between samples computed from the coefficients and a decoder's pixels, ignoring clipped ones. */
function worstDifference(file: Uint8Array, { width, height, data }: Pixels): number {
  const { across, down, stride, levels, steps } = coefficientsOf(file).brightness;
  const block = new Float64Array(64);
  let worst = 0;
  for (let index = 0; index < across * down; index++) {
    const [column, row] = [index % across, Math.floor(index / across)];
    for (let at = 0; at < 64; at++) block[at] = (levels[(row * stride + column) * 64 + at] ?? 0) * (steps[at] ?? 0);
    transformBack(block);
    for (const [at, value] of block.entries()) {
      const [x, y] = [column * 8 + (at & 7), row * 8 + (at >> 3)];
      const [red = 0, green = 0, blue = 0] = data.subarray((y * width + x) * 3);
      if (x >= width || y >= height || Math.min(red, green, blue) < 2 || Math.max(red, green, blue) > 253) continue;
      worst = Math.max(worst, Math.abs(0.299 * red + 0.587 * green + 0.114 * blue - value - 128));
    }
  }
  return worst;
}
