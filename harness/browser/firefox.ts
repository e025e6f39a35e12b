import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isRecord } from '../../core/text.ts';
import { until } from '../process/until.ts';

const PLACES = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/usr/lib/firefox-esr/firefox-esr',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
];

/** The Firefox of this machine, or the one that `FIREFOX_PATH` names: npm has none. */
const firefoxPath = process.env['FIREFOX_PATH'] ?? PLACES.find((place) => existsSync(place));

/** A headless Firefox with one page, driven by WebDriver BiDi (W3C), which it speaks without a driver. */
export class Firefox {
  readonly #process: ChildProcess;
  readonly #socket: WebSocket;
  readonly #folder: string;
  readonly #waiting = new Map<number, (answer: Record<string, unknown>) => void>();
  #context = '';
  #sent = 0;

  private constructor(process: ChildProcess, socket: WebSocket, folder: string) {
    this.#process = process;
    this.#socket = socket;
    this.#folder = folder;
    socket.addEventListener('message', ({ data }) => {
      const answer: unknown = JSON.parse(String(data));
      if (isRecord(answer) && typeof answer['id'] === 'number') this.#waiting.get(answer['id'])?.(answer);
    });
  }

  /**
   * @param prefs as in `about:config`
   * @throws naming what to install when this machine has no Firefox: a test that is skipped finds nothing
   */
  static async launch(prefs: Record<string, number | boolean | string> = {}): Promise<Firefox> {
    if (firefoxPath === undefined)
      throw new Error('Firefox is missing; install it (Debian: firefox-esr), or name it in FIREFOX_PATH.');
    const folder = await mkdtemp(join(tmpdir(), 'screening-firefox-'));
    const lines = Object.entries({ 'browser.shell.checkDefaultBrowser': false, ...prefs }).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    await writeFile(join(folder, 'user.js'), lines.join('\n'));
    const child = spawn(
      firefoxPath,
      ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0'],
      {
        env: { PATH: process.env['PATH'] ?? '', HOME: folder, MOZ_HEADLESS: '1' },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    const socket = new WebSocket(`${await addressOf(child)}/session`);
    await once(socket, 'open');
    const firefox = new Firefox(child, socket, folder);
    await firefox.#ask('session.new', { capabilities: {} });
    const { contexts } = await firefox.#ask('browsingContext.getTree', {});
    const [first]: unknown[] = Array.isArray(contexts) ? contexts : [];
    firefox.#context = isRecord(first) ? String(first['context']) : '';
    return firefox;
  }

  async open(url: string, width = 1200): Promise<void> {
    await this.#ask('browsingContext.setViewport', { context: this.#context, viewport: { width, height: 900 } });
    await this.#ask('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
  }

  /** @returns the value of an expression, or of its promise: a text, a number or a boolean */
  async evaluate(expression: string): Promise<unknown> {
    const { value } = await this.#evaluated(expression);
    return value;
  }

  /** Waits until an expression is true, also on the page that follows. */
  async until(expression: string): Promise<void> {
    await until(`Firefox sees ${expression}`, () => this.evaluate(expression).catch(() => false));
  }

  async shows(text: string): Promise<void> {
    await this.until(`document.body.innerText.includes(${JSON.stringify(text)})`);
  }

  /** Clicks as a script does, and waits for nothing. */
  async click(selector: string): Promise<void> {
    await this.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
  }

  /** Chooses files of this machine, as a person does. */
  async choose(selector: string, files: readonly string[]): Promise<void> {
    const { sharedId } = await this.#evaluated(`document.querySelector(${JSON.stringify(selector)})`);
    await this.#ask('input.setFiles', { context: this.#context, element: { sharedId }, files });
  }

  /** @returns a PNG of the whole page */
  async screenshot(): Promise<Buffer> {
    const { data } = await this.#ask('browsingContext.captureScreenshot', {
      context: this.#context,
      origin: 'document',
    });
    return Buffer.from(String(data), 'base64');
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#socket.close();
    this.#process.kill('SIGKILL');
    await exited;
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #evaluated(expression: string): Promise<Record<string, unknown>> {
    const { type, result, exceptionDetails } = await this.#ask('script.evaluate', {
      expression,
      target: { context: this.#context },
      awaitPromise: true,
    });
    if (type !== 'success' || !isRecord(result)) throw new Error(JSON.stringify(exceptionDetails));
    return result;
  }

  async #ask(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> {
    const id = ++this.#sent;
    const answer = await new Promise<Record<string, unknown>>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
    this.#waiting.delete(id);
    const { result, error, message } = answer;
    if (!isRecord(result)) throw new Error(`Firefox refuses ${method}: ${error} ${message}`);
    return result;
  }
}

async function addressOf({ stderr }: ChildProcess): Promise<string> {
  if (stderr)
    for await (const line of createInterface({ input: stderr })) {
      const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
      if (address !== undefined) {
        stderr.resume();
        return address;
      }
    }
  throw new Error('Firefox ended before it could be driven.');
}
