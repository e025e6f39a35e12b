import { rmSync } from 'node:fs';
import { access, constants, link, lstat, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { hasCode } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { DAY_MS } from '../../../core/time.ts';
import { OperatorError } from './faults.ts';
import { reason } from './read-file.ts';

/**
 * Writes a file that only its owner can read: first to a hidden file beside it, moved into place once `content` has ended without an
 * error.
 * @throws OperatorError when the file cannot be written, and any error of `content`; leaves nothing behind in either case
 */
export async function writePrivateFile(
  file: string,
  content: AsyncIterable<Uint8Array>,
  replaces: boolean,
): Promise<void> {
  await refuseUnfit(file);
  await removeAbandoned(dirname(file));
  const unfinished = join(dirname(file), `.${newId()}.part`);
  const forget = removeWhenStopped(unfinished);
  try {
    const handle = await open(unfinished, 'wx', 0o600).catch(refuse(file));
    await pipeline(content, handle.createWriteStream({ flush: true }));
    // Unlike rename, link fails when the file exists.
    await (replaces ? rename(unfinished, file) : link(unfinished, file)).catch(refuse(file));
  } finally {
    await rm(unfinished, { force: true });
    forget();
  }
}

/** For results of work that cannot be repeated. @throws OperatorError when the file exists or is not writable */
export async function refuseExisting(file: string): Promise<void> {
  await refuseUnfit(file);
  if (await lstat(file).catch(() => undefined)) throw new OperatorError(`${file} already exists; name another`);
  await access(dirname(file), constants.W_OK).catch(refuse(file));
}

/** Replacing a device, pipe or link, such as /dev/stdout, would destroy it. */
async function refuseUnfit(file: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found?.isDirectory()) throw new OperatorError(`${file} is a folder; name a file in it`);
  if (found && !found.isFile()) throw new OperatorError(`${file} is not a regular file, so it is not replaced`);
}

const UNFINISHED = /^\.[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\.part$/;

/**
 * Removes what killed processes left in a folder: nothing else would, and it may be decrypted. A file that was written to within a day may
 * belong to a command that still runs.
 */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!UNFINISHED.test(name)) continue;
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (!found?.isFile() || found.uid !== process.getuid?.() || Date.now() - found.mtimeMs < DAY_MS) continue;
    // Whatever prevents it must not prevent the command.
    await unlink(join(folder, name)).catch(() => {});
  }
}

/** Removes the unfinished file on Ctrl-C: it is decrypted and hidden. */
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
    if (hasCode(error, 'EEXIST')) throw new OperatorError(`${file} already exists; --force replaces it`);
    throw new OperatorError(`cannot write ${file}: ${reason(error)}`);
  };
}
