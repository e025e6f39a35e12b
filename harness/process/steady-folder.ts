import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasCode } from '../../core/errors.ts';

/**
 * A new folder for a copy of the programs, under the same path as in the last run: Node finds what it compiled by the path of the source, so
 * under another path all of it is compiled again, and stays in the cache for nothing. @param name says what the folder is for
 */
export async function steadyFolder(name: string): Promise<{ path: string; stop: () => Promise<void> }> {
  for (let number = 0; ; number += 1) {
    const path = join(tmpdir(), `screening-${name}-${number}`);
    // Another run uses it, or was killed and left it behind: the next number is as good.
    if (await isNew(path)) return { path, stop: () => rm(path, { recursive: true, force: true }) };
  }
}

async function isNew(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}
