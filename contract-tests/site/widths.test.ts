import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { buildSite } from '../../site/build.ts';
import { openSite } from './opened-site.ts';

databases('sqlite', 'nightly');

const LAPTOP = { width: 1280, height: 800 };
const PHONE = { width: 400, height: 844 };

describe('each page of the site, operators’ and operations’ included', () => {
  const opened = suiteFixture(() => openSite());

  it('cuts no line of code at 1280 px, and does not scroll sideways at 400 px', async function () {
    this.timeout(300_000);
    const pages = [...(await buildSite()).files.keys()].filter((path) => path.endsWith('.html'));
    expect(pages).to.include.members(['index.html', 'reference.html', 'operate.html', 'operation-initiateKyc.html']);
    const { page } = await opened.open(opened.disk, 'index.html', { viewport: LAPTOP });
    const faults: string[] = [];
    let blocks = 0;
    for (const path of pages) {
      await page.setViewportSize(LAPTOP);
      await opened.show(page, opened.disk, path);
      const lines = await page.evaluate<{ seen: number; cut: string[] }>(CODE);
      blocks += lines.seen;
      faults.push(...lines.cut.map((cut) => `${path} at 1280 px: ${cut}`));
      await page.setViewportSize(PHONE);
      const surplus = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (surplus > 0) faults.push(`${path} at 400 px: ${surplus} px too wide`);
    }
    await page.context().close();
    expect(blocks, 'blocks of code that were measured').to.be.above(pages.length);
    expect(faults).to.deep.equal([]);
  });
});

/**
 * How many blocks of code are in sight, and the start of each whose content is wider than its own box or than a box around it that
 * hides or scrolls the rest.
 */
const CODE = `(() => {
  const blocks = [...document.querySelectorAll('pre')].filter((block) => block.clientWidth > 0);
  const isCut = (block) => {
    const range = document.createRange();
    range.selectNodeContents(block);
    const right = Math.max(...[...range.getClientRects()].map((box) => box.right));
    for (let box = block; box !== document.documentElement; box = box.parentElement)
      if (getComputedStyle(box).overflowX !== 'visible' && right > box.getBoundingClientRect().right + 1) return true;
    return block.scrollWidth > block.clientWidth || right > innerWidth + 1;
  };
  return { seen: blocks.length, cut: blocks.filter(isCut).map((block) => block.textContent.trim().slice(0, 60)) };
})()`;
