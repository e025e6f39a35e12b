import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ProviderUnavailable } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';

/** Replaces the disk's errors, which contain paths and would be logged. @throws ProviderUnavailable */
export function onDisk<Answer>(work: Promise<Answer>): Promise<Answer> {
  return work.catch((error) => {
    throw withoutPath(error);
  });
}

/** Replaces system errors only. */
export function withoutPath(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  return new ProviderUnavailable(`The documents in DATA_DIR cannot be used just now (${error.code}).`);
}

/** Writes a temporary file and renames it, so that neither a reader nor a crash leaves half a file. */
export async function writeAtomically(file: string, content: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${newId()}`;
  await writeFile(unfinished, content, { mode: 0o600, flush: true });
  await rename(unfinished, file);
}
