// Runs before start, test and the other commands, on any Node that the machine has: a fresh clone installs itself, then the
// packages in the folders named as arguments. The Node that runs everything else comes with the dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

for (const folder of ['.', ...process.argv.slice(2)]) {
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) continue;
  console.log(`Installing the dependencies${folder === '.' ? '' : ` of ${folder}`} (once)…`);
  const { status } = spawnSync('npm', ['ci'], { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}
