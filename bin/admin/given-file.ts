import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { OperatorError } from './faults.ts';

/** @throws OperatorError when the file cannot be read */
export async function readGivenFile(file: string): Promise<Buffer> {
  return readFile(file).catch((error: unknown) => {
    throw new OperatorError(`cannot read ${resolve(file)}: ${reason(error)}`);
  });
}

/** The file piece by piece. @throws OperatorError when it cannot be read */
export async function* streamGivenFile(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    throw new OperatorError(`cannot read ${resolve(file)}: ${reason(error)}`);
  }
}

/** What the system says, without its codes. */
export function reason(error: unknown): string {
  const errno = error instanceof Error && 'errno' in error && typeof error.errno === 'number' ? error.errno : undefined;
  return errno === undefined ? String(error) : getSystemErrorMessage(errno);
}
