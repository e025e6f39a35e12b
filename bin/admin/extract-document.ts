import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { newId } from '../../core/ids.ts';
import { OperatorError } from './faults.ts';
import { reason } from './given-file.ts';

const LONGEST_NAME = 50;

/**
 * A document's name as the name of a file in the current folder: it came from outside, and must neither lead elsewhere
 * nor hide. The end is kept, which says what it is.
 */
export function fileNameOf(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, '_');
  const kept = Array.from(plain).slice(-LONGEST_NAME).join('');
  return kept.replace(/^[.\s-]+|[.\s]+$/g, '') || 'document';
}

/**
 * Writes a document beside its place and moves it there once it is whole and proved to be unchanged.
 * @throws OperatorError when the file cannot be written, and whatever the content throws; then nothing is left
 */
export async function extractTo(file: string, content: AsyncIterable<Uint8Array>, replaces: boolean): Promise<void> {
  const unfinished = join(dirname(file), `.${newId()}.part`);
  const handle = await open(unfinished, 'wx', 0o600).catch(refuse(file));
  try {
    await pipeline(content, handle.createWriteStream({ flush: true }));
    if (!replaces) await reserve(file);
    await rename(unfinished, file).catch(refuse(file));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Nothing moves a file only where none is; so the name is taken first, which fails where there is one. */
async function reserve(file: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600).catch(refuse(file));
  await handle.close();
}

function refuse(file: string) {
  return (error: unknown): never => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new OperatorError(`${file} exists already; --force replaces it`);
    throw new OperatorError(`cannot write ${file}: ${reason(error)}`);
  };
}
