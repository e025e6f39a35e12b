#!/usr/bin/env node
// Starts the command line with this Node if it can load TypeScript, otherwise with the one among the dependencies.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../cli/main.ts', import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= 24) {
  await import('../cli/main.ts');
} else {
  const node = createRequire(import.meta.url).resolve(`node/bin/node${process.platform === 'win32' ? '.exe' : ''}`);
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1;
    if (signal === null) return;
    for (const passed of signals) process.removeAllListeners(passed);
    process.kill(process.pid, signal);
  });
}
