import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = [
  ...['bin', 'core', 'db', 'docs', 'examples', 'generated', 'handlers', 'harness', 'http'],
  ...['jobs', 'packages', 'providers', 'queue', 'scripts', 'site'],
];
const FILES = ['openapi.yaml', 'package.json'];

/** The programs and what they read, to be damaged. */
export async function copiedTree(): Promise<{ root: string; stop: () => Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), 'screening-tree-'));
  for (const name of [...FOLDERS, ...FILES]) await cp(join(ROOT, name), join(root, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return { root, stop: () => rm(root, { recursive: true, force: true }) };
}
