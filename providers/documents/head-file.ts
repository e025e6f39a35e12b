import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onDisk, writeAtomically } from './disk.ts';
import type { HeadKeeper } from './port.ts';

/** In the data folder, which processes on several machines share. */
export function createHeadFile(dataDir: string): HeadKeeper {
  const file = join(dataDir, 'audit-head');
  return {
    place: file,
    read: () => onDisk(readFile(file, 'utf8').then((text) => text.trim(), unlessMissing)),
    write: (text) => onDisk(writeAtomically(file, Buffer.from(`${text}\n`))),
  };
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
