import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A contract-testing tool with the kit's files in the folder where it runs. */
export interface Tool {
  name: string;
  /** The whole run, or one short enough to be repeated for each deviation. */
  run(folder: string, env: Record<string, string>, isShort?: boolean): Promise<Outcome>;
}

export interface Outcome {
  /** Whether the tool found nothing. */
  isClean: boolean;
  output: string;
}

const DREDD = fileURLToPath(new URL('../../node_modules/dredd/bin/dredd', import.meta.url));
export const SCHEMATHESIS_VERSION = '4.32.5';
/** Kept between runs, outside the repository. */
const VENV = join(homedir(), '.cache', 'tenant-screening', `schemathesis-${SCHEMATHESIS_VERSION}`);

export const dredd: Tool = {
  name: 'Dredd',
  run: (folder, env) =>
    run(
      process.execPath,
      [
        '--no-warnings',
        DREDD,
        'openapi.json',
        env['BASE_URL'] ?? '',
        '--hookfiles=./dredd-hooks.js',
        '--loglevel=error',
      ],
      folder,
      env,
    ),
};

/** @throws without Python, or without a package index at the first call */
export async function openSchemathesis(): Promise<Tool> {
  const program = join(VENV, 'bin', 'schemathesis');
  if (!existsSync(program)) {
    const command = promisify(execFile);
    await command('python3', ['-m', 'venv', VENV]);
    await command(join(VENV, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${SCHEMATHESIS_VERSION}`]);
  }
  return {
    name: 'Schemathesis',
    run: (folder, env, isShort = false) => {
      const short = isShort ? ['--max-examples', '3', '--max-failures', '1', '--generation-deterministic'] : [];
      const report = isShort ? [] : ['--report', 'har', '--report-har-path', 'exchanges.har'];
      return run(program, ['--no-color', 'run', 'openapi.json', ...short, ...report], folder, env);
    },
  };
}

export function run(program: string, args: string[], cwd: string, env: Record<string, string>): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ isClean: code === 0, output }));
  });
}
