import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser, type Visit, visit } from '../../harness/browser/browser.ts';
import { startTestService } from '../../harness/service/service.ts';
import { REFERENCE } from '../../site/addresses.ts';
import { buildSite } from '../../site/build.ts';

export const phone = { viewport: { width: 390, height: 844 } };
export const desktop = { viewport: { width: 1440, height: 900 } };

export interface OpenedSite {
  /** Base addresses of the site in a folder and at a service. */
  disk: string;
  served: string;
  /** Opens a page; the reference once it is drawn. */
  open(base: string, path: string, options?: BrowserContextOptions): Promise<Visit>;
  /** The same in an existing window. */
  show(page: Page, base: string, path: string): Promise<void>;
  stop(): Promise<void>;
}

/** A browser, and the site in both places where readers find it. */
export async function openSite(): Promise<OpenedSite> {
  const [test, chromium] = await Promise.all([startTestService(), launchBrowser()]);
  const folder = await mkdtemp(join(tmpdir(), 'screening-site-'));
  for (const [path, { content }] of (await buildSite()).files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return {
    disk: `${pathToFileURL(folder)}/`,
    served: `${test.service.url}/docs/`,
    open: async (base, path, options = desktop) => {
      const opened = await visit(chromium.browser, base + path, [base], options);
      if (path.startsWith(REFERENCE)) await drawn(opened.page);
      return opened;
    },
    show: async (page, base, path) => {
      await page.goto(base + path);
      if (path.startsWith(REFERENCE)) await drawn(page);
    },
    stop: async () => {
      await chromium.stop();
      await test.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until Scalar has drawn the contract. */
export async function drawn(page: Page): Promise<void> {
  await page.locator('#reference h1').waitFor();
  await page.locator('#reference [id$="/generateToken"]').first().waitFor();
}
