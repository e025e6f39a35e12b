import { expect } from 'chai';
import sharp from 'sharp';
import { exifOf } from '../image/pixels.ts';
import type { Pixels } from '../model.ts';
import { exifThumbnail } from '../rules/picture/exif-thumbnail.ts';
import { picture, withExif } from './fixtures/picture-files.ts';
import { drawPage, jpeg, paste, photograph } from './fixtures/pictures.ts';

describe('Exif and its thumbnail', () => {
  let photo: Pixels;
  let small: Uint8Array;
  before(async () => {
    photo = photograph(await drawPage(11, { width: 640, height: 480, fontSize: 26 }), 11);
    small = await reduced(photo, 160, 120);
  });

  it('are read without a picture being decoded', async () => {
    const thumbnail = Buffer.from([0xff, 0xd8, 0xff, 0xd9]);
    const plain = await jpeg(photo, 85);
    const { orientation, thumbnail: found } = await exifOf(withExif(plain, { make: 'A', orientation: 8, thumbnail }));
    expect(orientation).to.equal(8);
    expect(Buffer.from(found ?? []).subarray(0, 4)).to.eql(thumbnail);
    expect(await exifOf(plain)).to.eql({ orientation: 1, thumbnail: undefined });
  });

  it('pass for a camera’s picture, even when rotated, padded with bars, or brightened', async () => {
    const plain = await jpeg(photo, 85);
    const padded = await sharp(small).extend({ top: 20, bottom: 20, background: 'black' }).jpeg().toBuffer();
    const lighter = { ...photo, data: photo.data.map((value) => Math.min(255, 20 + value * 1.08)) };
    const files = [
      withExif(plain, { thumbnail: small }),
      withExif(plain, { thumbnail: small, orientation: 6 }),
      withExif(plain, { thumbnail: padded }),
      withExif(await jpeg(lighter, 85), { thumbnail: small }),
    ];
    for (const file of files) expect(await exifThumbnail.run(picture('jpeg', file))).to.include({ status: 'passed' });
  });

  it('reveal the position of a part missing from the thumbnail', async () => {
    const face = photograph(await drawPage(77, { width: 160, height: 160, fontSize: 40, paper: '#404860' }), 77);
    const box = { x: 400, y: 160, width: 160, height: 160 };
    const changed = await jpeg(paste(photo, face, box), 85);
    const verdict = await exifThumbnail.run(picture('jpeg', withExif(changed, { thumbnail: small })));
    if (verdict.status !== 'finding') throw new Error(verdict.status);
    expect(verdict.findings).to.have.length(1);
    const found = verdict.findings[0]?.evidence[0]?.box ?? { x: 0, y: 0, width: 0, height: 0 };
    expect(found.x + found.width / 2).to.be.within(440, 520);
    expect(found.y + found.height / 2).to.be.within(200, 280);
  });

  it('distinguish a different picture from a section of the same one', async () => {
    const file = (pixels: Pixels) => jpeg(pixels, 85);
    const other = photograph(await drawPage(99, { width: 640, height: 480, fontSize: 70, paper: '#506070' }), 99);
    const verdict = await exifThumbnail.run(picture('jpeg', withExif(await file(other), { thumbnail: small })));
    expect(verdict.status).to.equal('finding');
    const section = await sharp(await file(photo))
      .extract({ left: 40, top: 30, width: 320, height: 240 })
      .jpeg()
      .toBuffer();
    const cropped = await exifThumbnail.run(picture('jpeg', withExif(section, { thumbnail: small })));
    expect(cropped.status).to.equal('not_applicable');
  });

  it('claim nothing without a thumbnail, or with a damaged one', async () => {
    const plain = await jpeg(photo, 85);
    expect((await exifThumbnail.run(picture('jpeg', plain))).status).to.equal('not_applicable');
    const broken = withExif(plain, { thumbnail: Buffer.from([0xff, 0xd8, 0xff, 0xd9]) });
    const status = await Promise.resolve(exifThumbnail.run(picture('jpeg', broken))).then(
      (verdict) => verdict.status,
      (error: Error) => error.message,
    );
    expect(status).to.equal('not_applicable');
  });
});

async function reduced({ width, height, data }: Pixels, toWidth: number, toHeight: number): Promise<Uint8Array> {
  return sharp(data, { raw: { width, height, channels: 3 } })
    .resize(toWidth, toHeight)
    .jpeg({ quality: 70 })
    .toBuffer();
}
