import { open, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { OperatorError } from './faults.ts';

/** The absolute path of a file, from where the operator typed it: npm runs programs in the package's folder. */
export function typedPath(file: string): string {
  return resolve(process.env['INIT_CWD'] ?? '', file);
}

/** @throws OperatorError when the file cannot be read */
export async function readGivenFile(typed: string): Promise<Buffer> {
  const file = typedPath(typed);
  return readFile(file).catch(refuse(file));
}

export async function readStandardInput(): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(process.stdin));
}

/**
 * Reads a secret from a file, or from standard input for `-`. Drops one line break at the end, which most likely
 * belongs to the file or to echo.
 * @throws OperatorError when it cannot be read or is empty
 */
export async function readSecretFile(typed: string): Promise<{ secret: string; hadLineBreak: boolean }> {
  const isInput = typed === '-';
  const content = decode(isInput ? await readStandardInput() : await readGivenFile(typed));
  const secret = content.replace(/\r?\n$/, '');
  if (secret === '') throw new OperatorError(`there is no secret: ${isInput ? 'standard input' : 'the file'} is empty`);
  return { secret, hadLineBreak: secret !== content };
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new OperatorError('the secret is not in UTF-8');
  }
}

/** Streams the file. @throws OperatorError when it cannot be read or is truncated meanwhile */
export async function* streamGivenFile(typed: string): AsyncGenerator<Uint8Array> {
  const file = typedPath(typed);
  const handle = await open(file).catch(refuse(file));
  let bytesRead = 0;
  try {
    const { size } = await handle.stat();
    const pieces: AsyncIterable<Uint8Array> = handle.createReadStream({ autoClose: false });
    for await (const piece of pieces) {
      bytesRead += piece.length;
      yield piece;
    }
    if (bytesRead < size) throw new OperatorError(`${file} was truncated while it was read; try again`);
  } catch (error) {
    throw error instanceof OperatorError ? error : refuse(file)(error);
  } finally {
    await handle.close();
  }
}

function refuse(file: string) {
  return (error: unknown): never => {
    throw new OperatorError(`cannot read ${file}: ${reason(error)}`);
  };
}

/** The system's message without its error code. */
export function reason(error: unknown): string {
  const errno = error instanceof Error && 'errno' in error && typeof error.errno === 'number' ? error.errno : undefined;
  return errno === undefined ? String(error) : getSystemErrorMessage(errno);
}
