import type { Browser } from 'playwright-core';
import { htmlOf } from './html.ts';
import type { Producer } from './producer.ts';

/** PDFs printed by headless Chromium; they contain the current date. */
export function chromium(browser: Browser): Producer {
  return {
    name: 'chromium',
    allLetters: true,
    pictures: true,
    deterministic: false,
    async write(drawing) {
      const page = await browser.newPage();
      try {
        await page.setContent(htmlOf(drawing));
        return new Uint8Array(await page.pdf({ printBackground: true, preferCSSPageSize: true }));
      } finally {
        await page.close();
      }
    },
  };
}
