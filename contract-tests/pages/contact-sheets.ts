/**
 * `node contract-tests/pages/contact-sheets.ts <folder> <language> <width> [light|dark|forced]` renders every page in every state, twelve
 * to a picture, for visual review. `ar-XB` is the tests' right-to-left pseudo-language.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { readLanguage } from '../../core/texts/languages.ts';
import { textsOf } from '../../core/texts/texts.ts';
import { launchBrowser } from '../../harness/browser/browser.ts';
import { openGallery, pagesIn } from './gallery.ts';
import { pseudoLanguage } from './pseudo-language.ts';

const [folder = 'sheets', tag = 'en', width = '320', colours = 'light'] = process.argv.slice(2);
const [PER_SHEET, ROW, GAP, TALLEST] = [12, 6, 12, 1400];

const language = readLanguage(tag);
const t = language ? textsOf(language) : pseudoLanguage();
const [{ browser, stop }, gallery] = await Promise.all([launchBrowser(), openGallery([t])]);
try {
  await mkdir(folder, { recursive: true });
  const context = await browser.newContext({
    viewport: { width: Number(width), height: 640 },
    reducedMotion: 'reduce',
    colorScheme: colours === 'dark' ? 'dark' : 'light',
    forcedColors: colours === 'forced' ? 'active' : 'none',
  });
  const page = await context.newPage();
  const names = Object.keys(pagesIn(t));
  for (let from = 0; from < names.length; from += PER_SHEET) {
    const shots: Buffer[] = [];
    for (const name of names.slice(from, from + PER_SHEET)) {
      await page.goto(`${gallery.url}/verify/gallery/${t.language}/${name}`);
      shots.push(await page.screenshot({ fullPage: true }));
    }
    const file = join(folder, `${t.language}-${width}-${colours}-${from / PER_SHEET}.png`);
    await sheet(shots, file);
    console.log(file, names.slice(from, from + PER_SHEET).join(' '));
  }
} finally {
  await stop();
  await gallery.stop();
}

async function sheet(shots: readonly Buffer[], file: string): Promise<void> {
  const cut = await Promise.all(
    shots.map(async (shot) => {
      const { width = 0, height = 0 } = await sharp(shot).metadata();
      const kept = Math.min(height, TALLEST);
      return {
        input: await sharp(shot).extract({ left: 0, top: 0, width, height: kept }).toBuffer(),
        width,
        height: kept,
      };
    }),
  );
  const rows = [cut.slice(0, ROW), cut.slice(ROW)].filter((row) => row.length > 0);
  let top = GAP;
  const placed = rows.flatMap((row) => {
    const at = top;
    top += Math.max(...row.map(({ height }) => height)) + GAP;
    return row.map(({ input, width }, index) => ({ input, top: at, left: GAP + index * (width + GAP) }));
  });
  const wide = GAP + Math.max(...rows.map((row) => row.reduce((sum, { width }) => sum + width + GAP, 0)));
  await sharp({ create: { width: wide, height: top, channels: 3, background: '#8a8a8a' } })
    .composite(placed)
    .png()
    .toFile(file);
}
