import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import type { Request } from 'express';
import { ValidationError } from '../../core/errors.ts';

export interface SentFile {
  /** The file's name on the person's device; empty when no file was chosen. */
  name: string;
  content: Readable;
}

const FIELDS = 10;
/** Tickets of resumable uploads are the longest. */
const MAX_FIELD_BYTES = 16 * 1024;
const MAX_HEADER_BYTES = 8 * 1024;

/**
 * Streams the files of a form, in sequence; fields that precede a file are known by then. Reads and discards what `take` leaves of a file,
 * so that the person gets an answer instead of a broken connection. Reads the next file once one is read, whatever `take` still does
 * with it: the form must arrive in time, work on it need not end.
 * @returns the fields of the form
 * @throws ValidationError, and what `take` throws
 */
export async function readMultipart(
  req: Request,
  files: number,
  take: (file: SentFile, fields: ReadonlyMap<string, string>) => Promise<void>,
): Promise<ReadonlyMap<string, string>> {
  const parser = parserOf(req, files);
  const fields = new Map<string, string>();
  let latest: Readable | undefined;
  let reading = Promise.resolve();
  const taken: Promise<void>[] = [];
  let failure: { error: unknown } | undefined;
  parser.on('field', (name, value) => fields.set(name, value));
  parser.on('file', (_field, stream, name) => {
    const content = stream.pipe(new PassThrough());
    latest = content;
    content.on('error', () => {});
    stream.on('error', (error) => content.destroy(error));
    const isRead = new Promise<void>((resolve) => content.once('close', resolve)).then(() => void stream.resume());
    reading = reading.then(() => {
      const work = failure ? Promise.resolve() : take({ name: name ?? '', content }, fields);
      taken.push(
        work
          .catch((error: unknown) => {
            failure ??= { error };
          })
          .finally(() => content.destroy()),
      );
      return isRead;
    });
  });
  if (/\b100-continue\b/i.test(req.headers.expect ?? '')) req.res?.writeContinue();
  try {
    await pipeline(req, parser);
  } catch {
    latest?.destroy(new Error('The form ended early.'));
    await reading;
    await Promise.all(taken);
    throw new ValidationError([], 'The form cannot be read: it ends early or is malformed.');
  }
  await reading;
  await Promise.all(taken);
  if (failure) throw failure.error;
  return fields;
}

/** @throws ValidationError */
function parserOf({ headers }: Request, files: number) {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: { fields: FIELDS, fieldSize: MAX_FIELD_BYTES, files, headerSize: MAX_HEADER_BYTES },
    });
  } catch {
    throw new ValidationError([], 'Send the form as multipart/form-data.');
  }
}
