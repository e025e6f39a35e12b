/**
 * `npm run demo`: starts the service with an empty data folder on a free port and walks through the whole story as an
 * integrator would, over HTTP, with its own webhook receiver. Exits 0 only if every step succeeds.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { commandLine } from '../../harness/process/command-line.ts';
import { onScreen } from '../../harness/process/on-screen.ts';
import { until } from '../../harness/process/until.ts';
import { tour } from './tour.ts';

commandLine('npm run demo', {});
const folder = await mkdtemp(join(tmpdir(), 'screening-demo-'));
const startedAt = performance.now();
/** The service's output, shown after a failure. */
let log = '';
const service = startService();
try {
  const credentials = await until('the service was up', readCredentials);
  console.log(`\n${onScreen(`The service is up with an empty data folder at ${credentials['BASE_URL']}`, '  ')}`);
  const steps = await tour(credentials, join(folder, 'mailbox'));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(styleText(['bold', 'green'], `\n  All ${steps} steps did what the contract says, in ${seconds} s.\n`));
} catch (error) {
  console.error(styleText(['bold', 'red'], `\n  ✘ ${error instanceof Error ? error.message : String(error)}\n`));
  process.exitCode = 1;
} finally {
  await stopService();
  if (process.exitCode) console.error((log.match(/^\{.*$/gm) ?? []).join('\n'));
  await rm(folder, { recursive: true, force: true });
}

function startService(): ChildProcess {
  const program = fileURLToPath(new URL('../../bin/api.ts', import.meta.url));
  const started = spawn(process.execPath, [program], {
    env: {
      PATH: process.env['PATH'],
      SETTINGS_FILE: '',
      PORT: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      SANDBOX_DELAY_MS: '700',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.stdout?.on('data', (text: Buffer) => (log += text.toString()));
  return started;
}

async function readCredentials(): Promise<Record<string, string> | undefined> {
  if (service.exitCode !== null) throw new Error('The service did not start.');
  const text = await readFile(join(folder, 'demo.env'), 'utf8').catch(() => undefined);
  return text === undefined
    ? undefined
    : Object.fromEntries(
        text
          .trim()
          .split('\n')
          .map((line) => line.split('=', 2)),
      );
}

async function stopService(): Promise<void> {
  if (service.exitCode !== null) return;
  const ended = new Promise((resolve) => service.once('exit', resolve));
  service.kill('SIGTERM');
  await ended;
}
