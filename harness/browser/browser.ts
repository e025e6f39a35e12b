import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packed, { inflate } from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { signal } from '../process/signals.ts';

export interface TestBrowser {
  browser: Browser;
  stop(): Promise<void>;
}

/** Unpacking takes longer than most tests, so the result is kept beside the package and removed with it. */
const UNPACKED = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/** For starts, pages and elements: only ends tests that hang. */
const PATIENCE_MS = 90_000;

/**
 * A real, headless Chromium from npm, with its libraries, a font and a temporary home folder. `CHROMIUM_PATH` names another one.
 * @throws when npm has none for this machine and `CHROMIUM_PATH` is not set
 */
export async function launchBrowser(): Promise<TestBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'screening-browser-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const own = process.env['CHROMIUM_PATH'];
    const program = own ? { executablePath: own, libraries: {} } : await unpacked(folder);
    // Not the flags that the package suggests, which disable the same-origin rules under test.
    const browser = await chromium.launch({
      executablePath: program.executablePath,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...program.libraries },
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
      timeout: PATIENCE_MS,
    });
    return { browser, stop: () => browser.close().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

export interface Visit {
  page: Page;
  /** Faults so far: console errors and warnings, and requests to other than the given addresses. */
  problems: string[];
}

/** Opens pages in a separate window and watches them. @param origins prefixes of the addresses that may be requested */
export async function visit(
  browser: Browser,
  address: string,
  origins: readonly string[],
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  const report = (problem: string) => {
    problems.push(problem);
    signal();
  };
  page.on('pageerror', (error) => report(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) report(message.text());
  });
  page.on('request', (request) => {
    if (![...origins, 'data:', 'blob:'].some((origin) => request.url().startsWith(origin)))
      report(`asked ${request.url()}`);
  });
  await page.goto(address);
  return { page, problems };
}

/**
 * @param home folder for the font cache
 */
async function unpacked(home: string): Promise<{ executablePath: string; libraries: Record<string, string> }> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `npm has no Chromium for ${process.platform} on ${process.arch}: set CHROMIUM_PATH to your Chrome or Chromium.`,
    );
  const root = new URL('../', import.meta.resolve('@sparticuz/chromium'));
  const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));
  const folder = join(UNPACKED, `chromium-${version}`);
  if (!existsSync(folder)) await unpack(fileURLToPath(new URL('bin/al2023.tar.br', root)), folder);
  return { executablePath: join(folder, 'chromium'), libraries: await bundled(folder, home) };
}

/** The folder exists completely or not at all: tests run in parallel, and may be interrupted. */
async function unpack(libraries: string, folder: string): Promise<void> {
  await mkdir(UNPACKED, { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  // The package unpacks into the system's temporary folder, which parallel runs would share. It reads the path immediately.
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = draft;
  const done = Promise.all([packed.executablePath(), inflate(libraries)]);
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
  await done;
  // The next run may have a different user.
  await chmod(draft, 0o755);
  await rename(draft, folder).catch(async (error) => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
}

/** Makes the browser use its bundled libraries and fonts, and the system's fonts if there are any. */
async function bundled(folder: string, home: string): Promise<Record<string, string>> {
  const fonts = join(home, 'fonts.conf');
  await mkdir(join(home, 'cache'));
  await writeFile(
    fonts,
    `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${home}/cache</cachedir></fontconfig>`,
  );
  return { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: fonts };
}
