import { rmSync } from 'node:fs';
import { access, constants, link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { hasCode } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { OperatorError } from './faults.ts';
import { reason } from './read-file.ts';

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
export async function writePrivateFile(
  file: string,
  content: AsyncIterable<Uint8Array>,
  replaces: boolean,
): Promise<void> {
  await refuseUnfit(file);
  const unfinished = join(dirname(file), `.${newId()}.part`);
  const forget = removeWhenStopped(unfinished);
  try {
    const handle = await open(unfinished, 'wx', 0o600).catch(refuse(file));
    await pipeline(content, handle.createWriteStream({ flush: true }));
    // Only a link fails where there is a file already.
    await (replaces ? rename(unfinished, file) : link(unfinished, file)).catch(refuse(file));
  } finally {
    await rm(unfinished, { force: true });
    forget();
  }
}

/** For what is written at the end of a work that cannot be done again. @throws OperatorError when the file is there */
export async function refuseExisting(file: string): Promise<void> {
  await refuseUnfit(file);
  if (await lstat(file).catch(() => undefined)) throw new OperatorError(`${file} exists already; name another`);
  await access(dirname(file), constants.W_OK).catch(refuse(file));
}

/** A file would take the place of a device, a pipe or a link, such as /dev/stdout. */
async function refuseUnfit(file: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found?.isDirectory()) throw new OperatorError(`${file} is a folder; name a file in it`);
  if (found && !found.isFile()) throw new OperatorError(`${file} is no plain file, so it is not replaced`);
}

/** Half a document, decrypted and hidden, must not stay behind somebody who presses Ctrl+C. */
function removeWhenStopped(unfinished: string): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const stop = (_: NodeJS.Signals, number: number) => {
    rmSync(unfinished, { force: true });
    process.exit(128 + number);
  };
  for (const signal of signals) process.once(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

function refuse(file: string) {
  return (error: unknown): never => {
    if (hasCode(error, 'EEXIST')) throw new OperatorError(`${file} exists already; --force replaces it`);
    throw new OperatorError(`cannot write ${file}: ${reason(error)}`);
  };
}
