/** The lint of the contract: Redocly's recommended rules and our own over openapi.yaml, or over the files that are named. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../harness/process/command-line.ts';

const REDOCLY = 'node_modules/@redocly/cli/bin/cli.js';
/** Runs offline: no telemetry and no update check. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

// The options are Redocly's.
commandLine('npm run lint [-- FILE... [REDOCLY OPTION...]]', { strict: false });
const asked = process.argv.slice(2);
const files = asked.some((argument) => !argument.startsWith('-')) ? asked : ['openapi.yaml', ...asked];
const child = spawn(process.execPath, [REDOCLY, 'lint', ...files, '--config', 'redocly.yaml'], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  env: { ...process.env, ...QUIET },
  stdio: 'inherit',
});
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
