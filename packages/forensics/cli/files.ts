import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { FileFault, UsageFault } from './faults.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** @throws FileFault unless it is a readable file */
export async function expectContent(file: string): Promise<void> {
  const found = await stat(file).catch(cannot('read', file));
  if (found.isDirectory()) throw new FileFault(`${file} is a folder; name the files in it`);
  if (!found.isFile()) throw new FileFault(`${file} is not a regular file`);
  const handle = await open(file).catch(cannot('read', file));
  await handle.close();
}

/** @throws FileFault when the file cannot be read, or is truncated during the read */
export async function* streamFile(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file).catch(cannot('read', file));
  let bytesRead = 0;
  try {
    const { size } = await handle.stat();
    for await (const piece of handle.createReadStream({ autoClose: false })) {
      bytesRead += piece.length;
      yield piece;
    }
    if (bytesRead < size) throw new FileFault(`${file} became shorter while it was read; try again`);
  } catch (error) {
    throw error instanceof FileFault ? error : cannot('read', file)(error);
  } finally {
    await handle.close();
  }
}

/**
 * Rejects an output path before any work is done. A page may replace an earlier page, but never a document whose name was typed in the
 * wrong position.
 * @throws UsageFault, FileFault
 */
export async function expectPagePlace(file: string): Promise<void> {
  if (!/\.html?$/i.test(file)) throw new UsageFault('--html takes the name of a file that ends with .html');
  const folder = dirname(file);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new FileFault(`cannot write ${file}: there is no folder ${folder}`);
}

/** Writes a file that only its owner may read, atomically: a failure leaves nothing behind. @throws FileFault */
export async function writePrivately(file: string, content: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found?.isDirectory()) throw new FileFault(`${file} is a folder; name a file in it`);
  if (found && !found.isFile()) throw new FileFault(`${file} is not a regular file, so it is not replaced`);
  const unfinished = join(dirname(file), `.${randomUUID()}.part`);
  const stop = (_: NodeJS.Signals, number: number) => {
    rmSync(unfinished, { force: true });
    process.exit(128 + number);
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    await writeFile(unfinished, content, { flag: 'wx', mode: 0o600, flush: true });
    await rename(unfinished, file);
  } catch (error) {
    cannot('write', file)(error);
  } finally {
    await rm(unfinished, { force: true });
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

function cannot(action: 'read' | 'write', file: string) {
  return (error: unknown): never => {
    const errno = error instanceof Error && 'errno' in error ? error.errno : undefined;
    const reason = typeof errno === 'number' ? getSystemErrorMessage(errno) : String(error);
    throw new FileFault(`cannot ${action} ${file}: ${reason}`);
  };
}
