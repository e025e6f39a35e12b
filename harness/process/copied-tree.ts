import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { steadyFolder } from './steady-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = [
  ...['bin', 'core', 'db', 'docs', 'examples', 'generated', 'handlers', 'harness', 'http'],
  ...['jobs', 'packages', 'providers', 'queue', 'scripts', 'site'],
];
const FILES = ['openapi.yaml', 'package.json'];

/** The programs and what they read, to be damaged. */
export async function copiedTree(): Promise<{ root: string; stop: () => Promise<void> }> {
  const { path: root, stop } = await steadyFolder('tree');
  for (const name of [...FOLDERS, ...FILES]) await cp(join(ROOT, name), join(root, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return { root, stop };
}
