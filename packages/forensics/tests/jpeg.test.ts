import { numbersOf } from '@tenant-screening/forensics-corpus/random.ts';
import { expect } from 'chai';
import { dimensionsOf } from '../image/dimensions.ts';
import { jpegOf } from '../image/jpeg.ts';
import { metadataOf } from '../image/picture-metadata.ts';
import { pixelsOf } from '../image/pixels.ts';
import { pngOf } from '../image/png.ts';
import { type Pixels, Unreadable } from '../model.ts';
import { manifestStore, withChunk, withExif, withManifest } from './fixtures/picture-files.ts';
import { drawPage, jpeg, photograph, png } from './fixtures/pictures.ts';

/** Dimensions that are not multiples of a block. */
const SIDES = { width: 203, height: 157, fontSize: 18 };

describe('pictures are parsed without trusting them', () => {
  let photo: Pixels;
  let file: Uint8Array;
  before(async () => {
    photo = photograph(await drawPage(1, SIDES), 1);
    file = await jpeg(photo, 80);
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
  });

  it('data that is neither JPEG nor PNG never reaches the decoder', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
    expect(await messageOf(() => pixelsOf(svg))).to.equal('The file does not begin as a JPEG picture does.');
  });

  it('a truncated picture cannot be decoded, and its size is read', async () => {
    const half = file.subarray(0, file.length >> 1);
    expect(await messageOf(() => pixelsOf(half))).to.equal('The picture is damaged.');
    expect(jpegOf(half)).to.include({ width: 203, height: 157 });
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
      for (const reader of [jpegOf, pngOf, dimensionsOf]) answers(() => reader(bytes));
      answers(() => metadataOf(kind, bytes));
    }
  });
});

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
