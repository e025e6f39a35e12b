import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { type Generator, STORIES } from './generators.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Installed by `npm run clients` and at night. */
export const PROGRAMS = fileURLToPath(new URL('node_modules', import.meta.url));
/** Composer's settings for a machine with Debian's php-guzzlehttp-guzzle, on which Packagist need not be reached. */
const COMPOSER = fileURLToPath(new URL('composer', import.meta.url));
const DEBIAN_GUZZLE = '/usr/share/php/GuzzleHttp/autoload.php';
/** Compiling every dependency of a client in Rust takes minutes. */
const TIMEOUT_MS = 20 * 60_000;

/** The service's address for a story, and programs that are not on the PATH. */
export interface Stage {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  programs?: string;
}

export interface Told {
  /** The output of generating and compiling. */
  built: string;
  /** The application that the story created, read and printed. */
  applicationId: string;
}

/** A failed step of a story; the message is its output. */
export class StoryError extends Error {
  readonly step: 'build' | 'run';

  constructor(step: 'build' | 'run', said: string) {
    super(said);
    this.step = step;
  }
}

/** Generates a client in a separate folder, compiles it and runs the story. @throws StoryError */
export async function tell({ story }: Pick<Generator, 'story'>, stage: Stage): Promise<Told> {
  const folder = await mkdtemp(join(tmpdir(), 'screening-client-'));
  try {
    await cp(fileURLToPath(new URL(story, STORIES)), folder, { recursive: true });
    await cp(join(ROOT, 'openapi.yaml'), join(folder, 'openapi.yaml'));
    await symlink(PROGRAMS, join(folder, 'node_modules'));
    if (existsSync(DEBIAN_GUZZLE)) await cp(COMPOSER, join(folder, '.composer'), { recursive: true });
    const built = await shell('build', folder, stage);
    const printed = await shell('run', folder, stage);
    const [, applicationId] = /^Studio \((\S+)\)\r?\n {2}amina\.diallo@mail\.example: pending$/m.exec(printed) ?? [];
    if (!applicationId) throw new StoryError('run', printed);
    return { built, applicationId };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function shell(
  step: 'build' | 'run',
  cwd: string,
  { baseUrl, clientId, clientSecret, programs }: Stage,
): Promise<string> {
  const path = [programs, join(PROGRAMS, '.bin'), join(ROOT, 'node_modules/.bin'), process.env['PATH']]
    .filter(Boolean)
    .join(delimiter);
  const env = {
    ...process.env,
    // npm's messages about its own settings do not concern the client.
    npm_config_loglevel: 'error',
    PATH: path,
    ...(existsSync(join(cwd, '.composer')) && { COMPOSER_HOME: join(cwd, '.composer') }),
    BASE_URL: baseUrl,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
  };
  const options = { cwd, env, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 };
  return new Promise((resolve, reject) => {
    execFile('/bin/sh', ['-eu', `${step}.sh`], options, (error, stdout, stderr) => {
      const said = stripVTControlCharacters(`${stdout}${stderr}`);
      if (error) reject(new StoryError(step, said));
      else resolve(said);
    });
  });
}
