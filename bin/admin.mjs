#!/usr/bin/env node
// The package's `bin` entry: runs the command line on the Node version installed with the dependencies, regardless of which Node runs
// this file.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const node = `${root}/node_modules/.bin/node${process.platform === 'win32' ? '.cmd' : ''}`;

// Matches npm's scripts: the default data folder is the package's, and file arguments are relative to the folder where the command was
// typed.
process.env.INIT_CWD = process.cwd();
process.chdir(root);
// Help and advice show the command as the operator started it.
process.env.ADMIN_ENTRY = process.env.npm_command === 'exec' ? 'npx screening-admin' : 'screening-admin';

if (process.env.npm_command === 'exec') endWithNpx();

if (!existsSync(`${root}/node_modules/.package-lock.json`) || !existsSync(node)) {
  console.error(
    `Error: the dependencies are not installed. Run this first:\n  npm ci --prefix ${JSON.stringify(root)}`,
  );
  process.exitCode = 1;
} else if (realpathSync(node) === realpathSync(process.execPath)) {
  await import('./admin.ts');
} else {
  hand(
    spawn(node, [`${root}/bin/admin.ts`, ...process.argv.slice(2)], { stdio: 'inherit', shell: node.endsWith('.cmd') }),
  );
}

/** The shell between npx and this process does not forward signals; its exit stands for one. */
function endWithNpx() {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 250).unref();
}

/** Forwards signals to the child, and its exit status to the parent. */
function hand(child) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`Error: ${node} cannot be started (${error.message}).`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    for (const passed of signals) process.removeAllListeners(passed);
    process.kill(process.pid, signal);
  });
}
