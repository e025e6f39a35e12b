// Runs before start, test and the other commands, on whatever Node the machine has: a fresh clone installs itself.
// The Node that runs everything else comes with the dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (!existsSync('node_modules/.package-lock.json')) {
  console.log('Installing the dependencies (once)…');
  const { status } = spawnSync('npm', ['ci'], { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}
