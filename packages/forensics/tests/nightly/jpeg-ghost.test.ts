import { PDFDocument } from '@cantoo/pdf-lib';
import { expect } from 'chai';
import { coefficientsOf } from '../../image/jpeg/decode.ts';
import type { Box, Kind, Pixels } from '../../model.ts';
import { ghostScore, jpegGhost } from '../../rules/picture/jpeg-ghost.ts';
import { picture, withExif } from '../fixtures/picture-files.ts';
import { drawPage, jpeg, paste, photograph, pixelsOfFile, png, resend, retype } from '../fixtures/pictures.ts';

const SIZE = { width: 640, height: 800, fontSize: 24 };
const PLACE: Box = { x: 430, y: 300, width: 150, height: 36 };

describe('parts that were not saved together with the rest of a picture', () => {
  let photo: Pixels;
  /** A picture opened and edited in an image editor. */
  let opened: Pixels;
  let changed: Pixels;
  before(async () => {
    photo = photograph(await drawPage(41, SIZE), 41);
    opened = await pixelsOfFile(await jpeg(photo, 78));
    changed = await retype(opened, PLACE, '2.850,00');
  });

  const statusOf = async (kind: 'jpeg' | 'png', bytes: Uint8Array) =>
    (await jpegGhost.run(picture(kind, bytes))).status;

  for (const quality of [86, 92, 97])
    it(`an amount typed over a photo is found at its position, saved at ${quality}`, async () => {
      const found = await onlyBox('jpeg', await jpeg(changed, quality));
      expect(isAt(found, PLACE), JSON.stringify(found)).to.equal(true);
    });

  it('the box refers to the picture as displayed', async () => {
    const turned = withExif(await jpeg(changed, 92), { orientation: 6 });
    const found = await onlyBox('jpeg', turned);
    const { x, y, width, height } = PLACE;
    expect(isAt(found, { x: SIZE.height - y - height, y: x, width: height, height: width })).to.equal(true);
  });

  it('a piece of another photo is found, and one copied within the same photo', async () => {
    const other = await pixelsOfFile(await jpeg(photograph(await drawPage(42, SIZE), 42), 88));
    const box = { x: 200, y: 400, width: 150, height: 120 };
    expect(isAt(await onlyBox('jpeg', await jpeg(paste(opened, other, box, 103, 205), 92)), box)).to.equal(true);
    const copied = paste(opened, opened, box, 61, 155);
    expect(isAt(await onlyBox('jpeg', await jpeg(copied, 92)), box)).to.equal(true);
  });

  it('it is found after cropping, and in a PNG', async () => {
    const [right, down] = [5, 3];
    const size = { width: SIZE.width - right, height: SIZE.height - down };
    const cropped = paste(
      { ...size, data: new Uint8Array(size.width * size.height * 3) },
      changed,
      { x: 0, y: 0, ...size },
      right,
      down,
    );
    const moved = { ...PLACE, x: PLACE.x - right, y: PLACE.y - down };
    expect(isAt(await onlyBox('jpeg', await jpeg(cropped, 98)), moved)).to.equal(true);
    expect(isAt(await onlyBox('png', await png(cropped)), moved)).to.equal(true);
  });

  it('examines a photo on a page of a PDF, and reports the position on the page', async () => {
    const pageOf = async (photoFile: Uint8Array) => {
      const pdf = await PDFDocument.create();
      pdf.addPage([400, 600]);
      const scale = 0.5;
      const [width, height] = [SIZE.width * scale, SIZE.height * scale];
      pdf.addPage([400, 600]).drawImage(await pdf.embedJpg(photoFile), { x: 30, y: 600 - 50 - height, width, height });
      return pdf.save();
    };
    const { findings } = await findingsOf('pdf', await pageOf(await jpeg(changed, 92)));
    const [{ page, box } = {}] = findings.flatMap(({ evidence }) => evidence);
    expect({ page, places: findings.length }).to.eql({ page: 2, places: 1 });
    const { x, y, width, height } = PLACE;
    const expected = { x: 30 + x / 2, y: 50 + y / 2, width: width / 2, height: height / 2 };
    expect(box !== undefined && isAt(box, expected), JSON.stringify(box)).to.equal(true);
    expect((await jpegGhost.run(picture('pdf', await pageOf(await jpeg(opened, 92))))).status).to.equal('passed');
  });

  it('an imprecise decoder, which damages letters more than paper, is not a finding', async () => {
    const sharp = photograph(await drawPage(301, { width: 800, height: 1067, fontSize: 22 }), 301);
    const rough = decodedRoughly(await jpeg(sharp, 85));
    const file = picture('jpeg', await jpeg(rough, 97));
    expect(await ghostScore(file)).to.be.above(40);
    expect((await jpegGhost.run(file)).status).to.equal('passed');
  });

  it('the straight edge of a sheet, with uniform rows and uniform decoding errors, is not a finding', async () => {
    const edged = { ...photo, data: Uint8Array.from(photo.data) };
    for (let y = 200; y < 600; y++)
      for (let x = 400; x < 448; x++)
        edged.data.fill(x < 420 ? 96 - (x % 5) : 45 + (x % 7), (y * 640 + x) * 3, (y * 640 + x) * 3 + 3);
    for (const quality of [72, 78, 84]) {
      const again = await png(await pixelsOfFile(await jpeg(edged, quality)));
      expect(await statusOf('png', again), String(quality)).to.equal('passed');
    }
  });

  it('the same photo passes when it was only saved again, as a JPEG, cropped, or as a PNG', async () => {
    expect(await statusOf('jpeg', await jpeg(opened, 92))).to.equal('passed');
    expect(await statusOf('jpeg', await jpeg(opened, 97, { progressive: true }))).to.equal('passed');
    expect(await statusOf('png', await png(opened))).to.equal('passed');
  });

  it('nothing is claimed about a photo straight from a camera, a messenger’s reduced copy, or a drawn page', async () => {
    const camera = await jpeg(photo, 92);
    const drawn = await drawPage(43, SIZE);
    const drawnTwice = await jpeg(await pixelsOfFile(await jpeg(drawn, 75)), 92);
    const files = [camera, await resend(camera, 600, 75), await jpeg(drawn, 90), drawnTwice];
    for (const file of files) expect(await statusOf('jpeg', file)).to.equal('not_applicable');
    expect(await statusOf('png', await png(drawn))).to.equal('not_applicable');
  });

  it('the title of a screenshot above a photo, and two pictures in one, are not findings', async () => {
    const title = await drawPage(44, { width: SIZE.width, height: 96, fontSize: 20, paper: '#e8e8ee' });
    const screenshot = paste(opened, title, { x: 0, y: 0, width: SIZE.width, height: 96 });
    expect(await statusOf('png', await png(screenshot))).to.not.equal('finding');
    const second = photograph(await drawPage(45, SIZE), 45);
    const both = paste(opened, second, { x: 0, y: 400, width: SIZE.width, height: 400 });
    expect(await statusOf('jpeg', await jpeg(both, 92))).to.not.equal('finding');
  });

  it('the score is high for a change and near zero for a genuine photo', async () => {
    expect(await ghostScore(picture('jpeg', await jpeg(changed, 92)))).to.be.above(200);
    expect(await ghostScore(picture('jpeg', await jpeg(opened, 92)))).to.be.below(40);
  });

  async function findingsOf(kind: Kind, bytes: Uint8Array) {
    const verdict = await jpegGhost.run(picture(kind, bytes));
    if (verdict.status !== 'finding') throw new Error(`${verdict.status}, no finding`);
    return verdict;
  }

  async function onlyBox(kind: Kind, bytes: Uint8Array): Promise<Box> {
    const { findings } = await findingsOf(kind, bytes);
    const boxes = findings.flatMap(({ evidence }) => evidence.map(({ box }) => box));
    const [box] = boxes;
    if (boxes.length !== 1 || box === undefined) throw new Error(`${boxes.length} places`);
    return box;
  }
});

/** A fast low-precision decoder with cosines rounded to 64ths. Greyscale, because only luminance matters. */
function decodedRoughly(file: Uint8Array): Pixels {
  const { width, height, brightness } = coefficientsOf(file);
  const { across, down, stride, levels, steps } = brightness;
  const cosines = Array.from({ length: 64 }, (_, at) => {
    const [frequency, place] = [at >> 3, at & 7];
    const cosine = Math.cos(((2 * place + 1) * frequency * Math.PI) / 16) * (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5;
    return Math.round(64 * cosine) / 64;
  });
  const data = new Uint8Array(width * height * 3);
  for (let index = 0; index < across * down; index++) {
    const [column, row] = [index % across, Math.floor(index / across)];
    for (let at = 0; at < 64; at++) {
      const [x, y] = [column * 8 + (at & 7), row * 8 + (at >> 3)];
      if (x >= width || y >= height) continue;
      let value = 128;
      for (let from = 0; from < 64; from++) {
        const level = levels[(row * stride + column) * 64 + from] ?? 0;
        if (level === 0) continue;
        const down = cosines[(from >> 3) * 8 + (at >> 3)] ?? 0;
        value += level * (steps[from] ?? 0) * down * (cosines[(from & 7) * 8 + (at & 7)] ?? 0);
      }
      data.fill(Math.max(0, Math.min(255, Math.round(value))), (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  }
  return { width, height, data };
}

/** Whether two boxes overlap by at least half of each. */
function isAt(found: Box, expected: Box): boolean {
  const wide = Math.min(found.x + found.width, expected.x + expected.width) - Math.max(found.x, expected.x);
  const high = Math.min(found.y + found.height, expected.y + expected.height) - Math.max(found.y, expected.y);
  const shared = Math.max(0, wide) * Math.max(0, high);
  return shared > 0.5 * found.width * found.height && shared > 0.5 * expected.width * expected.height;
}
