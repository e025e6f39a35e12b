import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const WORKSPACES = '@tenant-screening';
/** Copied, because the sandbox for documents opens no link to them. */
const COPIED = ['sharp', '@img'];

/** Gives a copy of the repository the packages installed in the original, and its own workspaces. */
export function linkPackages(original: string, copy: string): void {
  const installed = join(original, 'node_modules');
  mkdirSync(join(copy, 'node_modules', WORKSPACES), { recursive: true });
  const place = (name: string) => join(copy, 'node_modules', name);
  for (const name of COPIED) cpSync(join(installed, name), place(name), { recursive: true });
  // Each copy has its own caches.
  const others = readdirSync(installed).filter((name) => ![WORKSPACES, '.cache', ...COPIED].includes(name));
  for (const name of others) symlinkSync(join(installed, name), place(name));
  for (const name of readdirSync(join(copy, 'packages')))
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules', WORKSPACES, name));
}
