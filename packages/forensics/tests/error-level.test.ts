import { expect } from 'chai';
import { errorLevelMap } from '../image/error-level.ts';
import { drawPage, jpeg, photograph, pixelsOfFile, retype } from './fixtures/pictures.ts';

describe('Error levels', () => {
  it('are drawn for reviewers: text typed over a photo is brighter than paper', async () => {
    const photo = photograph(await drawPage(21, { width: 320, height: 240, fontSize: 20 }), 21);
    const box = { x: 96, y: 96, width: 128, height: 32 };
    const first = await pixelsOfFile(await jpeg(photo, 60));
    const { width, height, data } = await errorLevelMap(await jpeg(await retype(first, box, '2.850,00'), 97));
    expect({ width, height }).to.eql({ width: 320, height: 240 });
    const mean = (top: number) => {
      const rows = data.subarray(top * width * 3, (top + 32) * width * 3);
      return rows.reduce((sum, value) => sum + value, 0) / rows.length;
    };
    expect(mean(96)).to.be.above(1.3 * mean(200));
  });

  it('range from black to white for every quality', async () => {
    const photo = photograph(await drawPage(22, { width: 320, height: 240, fontSize: 20 }), 22);
    const { data } = await errorLevelMap(await jpeg(photo, 92));
    const sorted = data.toSorted();
    expect(sorted[Math.floor(0.2 * sorted.length)]).to.be.below(80);
    expect(sorted[Math.floor(0.996 * sorted.length)]).to.equal(255);
  });

  it('are at most 1600 pixels a side', async () => {
    const file = await jpeg({ width: 3200, height: 16, data: new Uint8Array(3200 * 16 * 3) }, 80);
    expect(await errorLevelMap(file)).to.include({ width: 1600, height: 8 });
  });
});
