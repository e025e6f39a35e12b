import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { newId } from '../../core/ids.ts';

/** Writes beside the place and renames, so that a reader or a crash never meets half a file. */
export async function writeWhole(file: string, content: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${newId()}`;
  await writeFile(unfinished, content, { mode: 0o600, flush: true });
  await rename(unfinished, file);
}
