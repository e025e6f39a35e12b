import { expect } from 'chai';
import sharp from 'sharp';
import type { Pixels } from '../model.ts';
import { revisedPicture } from '../rules/pdf/revised-picture.ts';
import { findingsOn, verdictOn } from './fixtures/payslip.ts';
import { pdfOf, picture, stream, updated } from './fixtures/pdf.ts';
import { drawPage, jpeg, retype } from './fixtures/pictures.ts';

const SIZE = { width: 560, height: 400 };
const VALUE = { x: 96, y: 96, width: 128, height: 32 };
/** The page shows it at 50 points from the left and 60 from the top, at half its size. */
const content = picture(50, 60, SIZE.width / 2, SIZE.height / 2);

async function imageOf(file: Uint8Array, about = file): Promise<string> {
  const { width, height, channels } = await sharp(about).metadata();
  const space = channels === 1 ? '/DeviceGray' : '/DeviceRGB';
  const entries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace ${space}`;
  return stream(Buffer.from(file).toString('latin1'), `${entries} /Filter /DCTDecode`);
}

function raw({ data, width, height }: Pixels) {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

async function replacedBy(before: Uint8Array, after: Uint8Array): Promise<Uint8Array> {
  return updated(pdfOf([content], { 15: await imageOf(before) }), { 15: await imageOf(after) });
}

describe('a revised picture', () => {
  let page: Pixels;
  let scan: Uint8Array;

  before(async () => {
    page = await drawPage(31, { ...SIZE, fontSize: 20 });
    scan = await jpeg(page, 85);
  });

  it('is a scan with a retyped value that replaces the scan of an earlier revision', async () => {
    const forged = await jpeg(await retype(page, VALUE, '2.850,00'), 85);
    const [finding, ...others] = await findingsOn(revisedPicture, await replacedBy(scan, forged));
    expect(others).to.deep.equal([]);
    expect(finding).to.include({ strength: 'strong' });
    expect(finding?.message).to.match(/^A part of the picture on page 1 shows something else now/);
    const { box, page: number, details } = finding?.evidence[0] ?? {};
    expect(number).to.equal(1);
    expect(details).to.include({ version_of_the_file: 1 });
    expect(box?.x).to.be.within(50 + VALUE.x / 2 - 15, 50 + (VALUE.x + VALUE.width) / 2);
    expect(box?.y).to.be.within(60 + VALUE.y / 2 - 15, 60 + (VALUE.y + VALUE.height) / 2);
  });

  it('only asks for a review when something was added on top', async () => {
    const bar = { input: { create: { ...SIZE, width: 90, height: 20, channels: 3 as const, background: '#000' } } };
    const stamped = await raw(page)
      .composite([{ ...bar, left: 300, top: 360 }])
      .jpeg({ quality: 85 })
      .toBuffer();
    const findings = await findingsOn(revisedPicture, await replacedBy(scan, stamped));
    expect(findings.map(({ strength }) => strength)).to.deep.equal(['context']);
  });

  it('excludes one that was merely saved again, coarser, smaller, in grey, straightened, or exchanged for another', async () => {
    const others = {
      coarser: await jpeg(page, 40),
      smaller: await raw(page).resize(280).jpeg({ quality: 70 }).toBuffer(),
      grey: await raw(page).grayscale().jpeg({ quality: 70 }).toBuffer(),
      straightened: await raw(page).rotate(1, { background: '#fff' }).resize(560, 400).jpeg().toBuffer(),
      another: await jpeg(await drawPage(77, { ...SIZE, fontSize: 20 }), 85),
    };
    for (const [title, file] of Object.entries(others))
      expect(await findingsOn(revisedPicture, await replacedBy(scan, file)), title).to.deep.equal([]);
  });

  it('is not searched for in a file with one revision', async () => {
    const verdict = await verdictOn(revisedPicture, pdfOf([content], { 15: await imageOf(scan) }));
    expect(verdict).to.include({ status: 'not_applicable' });
  });

  it('reports nothing when a picture cannot be decoded', async () => {
    const damaged = await imageOf(scan.subarray(0, 300), scan);
    const file = updated(pdfOf([content], { 15: await imageOf(scan) }), { 15: damaged });
    expect(await findingsOn(revisedPicture, file)).to.deep.equal([]);
  });
});
