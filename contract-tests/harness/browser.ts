import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packed, { inflate } from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

export interface TestBrowser {
  browser: Browser;
  close(): Promise<void>;
}

/**
 * A real, headless Chromium that comes from npm with its libraries and a font, in a folder of its own that goes with it.
 * `CHROMIUM_PATH` names another one.
 * @throws where npm has none for this machine and none is named
 */
export async function launchBrowser(): Promise<TestBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'screening-browser-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const own = process.env['CHROMIUM_PATH'];
    const executablePath = own ?? (await unpack(folder));
    // Not the flags that the package suggests: they switch off the very rules between origins that tests are about.
    const browser = await chromium.launch({
      executablePath,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...(own ? {} : await bundled(folder)) },
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    });
    return { browser, close: () => browser.close().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

export interface Visit {
  page: Page;
  /** What went wrong so far: errors and warnings of the console, and requests to anywhere but the given addresses. */
  problems: string[];
}

/** Opens pages in a window of their own and watches them. @param origins beginnings of the addresses that may be asked */
export async function visit(
  browser: Browser,
  address: string,
  origins: readonly string[],
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const page = await (await browser.newContext(options)).newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (![...origins, 'data:', 'blob:'].some((origin) => request.url().startsWith(origin)))
      problems.push(`asked ${request.url()}`);
  });
  await page.goto(address);
  return { page, problems };
}

async function unpack(folder: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `npm has no Chromium for ${process.platform} on ${process.arch}: set CHROMIUM_PATH to a Chrome or Chromium of yours.`,
    );
  const libraries = fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium')));
  // The package unpacks into the system's temporary folder, where several runs would meet. It asks for it at once.
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = folder;
  const unpacked = Promise.all([packed.executablePath(), inflate(libraries)]);
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
  return (await unpacked)[0];
}

/** What makes the browser use the libraries and fonts it came with, and the system's fonts where there are any. */
async function bundled(folder: string): Promise<Record<string, string>> {
  const fonts = join(folder, 'fonts.conf');
  await mkdir(join(folder, 'cache'));
  await writeFile(
    fonts,
    `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`,
  );
  return { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: fonts };
}
