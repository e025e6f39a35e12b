import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { ValidationError } from '../../core/errors.ts';
import { tooLargeBody } from '../../core/messages.ts';
import { faultOfField, MAX_FIELDS, tooManyFields } from './fields.ts';

export interface SentFile {
  /** The name of its field. */
  field: string;
  /** The file's name on the person's device; empty when no file was chosen. */
  name: string;
  content: Readable;
}

export interface SentForm {
  headers: IncomingHttpHeaders;
  content: Readable;
  /** How many files are taken; the others are left out. */
  files: number;
  /** Longer fields are cut. All of them have at most twice as much. */
  fieldBytes: number;
}

const MAX_HEADER_BYTES = 8 * 1024;
/** What the parser handles at once: hundreds of parts fit into it, which cost more than the bytes. */
const PIECE_BYTES = 4 * 1024;

/**
 * Streams the files of a form, in sequence; fields that precede a file are known by then. Reads and discards what `take` leaves of a file,
 * and what follows a fault, so that the person gets an answer instead of a broken connection. Reads the next file once one is read, whatever
 * `take` still does with it: the form must arrive in time, work on it need not end.
 * @returns the fields of the form
 * @throws ValidationError, and what `take` throws
 */
export async function readMultipart(
  form: SentForm,
  take: (file: SentFile, fields: URLSearchParams) => Promise<void>,
): Promise<URLSearchParams> {
  const { fieldBytes } = form;
  const parser = parserOf(form);
  const fields = new URLSearchParams();
  let latest: Readable | undefined;
  let reading = Promise.resolve();
  const taken: Promise<void>[] = [];
  let failure: { error: unknown } | undefined;
  let refusal: unknown;
  let bytes = 0;
  parser.on('partsLimit', () => {
    refusal ??= tooManyFields();
  });
  parser.on('field', (name = '', value) => {
    bytes += Buffer.byteLength(value);
    refusal ??=
      bytes > 2 * fieldBytes ? new ValidationError([], tooLargeBody(2 * fieldBytes)) : faultOfField(name, value);
    fields.append(name, value);
  });
  parser.on('file', (field = '', stream, name = '') => {
    const content = stream.pipe(new PassThrough());
    latest = content;
    content.on('error', () => {});
    stream.on('error', (error) => content.destroy(error));
    const isRead = new Promise<void>((resolve) => content.once('close', resolve)).then(() => void stream.resume());
    reading = reading.then(() => {
      const work = failure ? Promise.resolve() : take({ field, name, content }, fields);
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
  // Watched from the beginning: it ends with the last delimiter, before the content does.
  const parsed = finished(parser);
  parsed.catch(() => {});
  const parse = (piece: Buffer) => new Promise<void>((resolve) => parser.write(piece, () => resolve()));
  try {
    // By a pipe, `edge/server.ts` knows that someone waits for the rest of a broken body.
    await pipeline(form.content, new PassThrough(), async (chunks) => {
      for await (const chunk of chunks)
        for (let at = 0; at < chunk.length && !refusal; at += PIECE_BYTES)
          await parse(chunk.subarray(at, at + PIECE_BYTES));
      if (refusal) throw refusal;
      parser.end();
      await parsed;
    });
  } catch {
    latest?.destroy(new Error('The form ended early.'));
    await reading;
    await Promise.all(taken);
    throw refusal ?? new ValidationError([], 'The form cannot be read: it ends early or is malformed.');
  }
  await reading;
  await Promise.all(taken);
  if (failure) throw failure.error;
  return fields;
}

/** @throws ValidationError */
function parserOf({ headers, files, fieldBytes }: SentForm) {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: { parts: MAX_FIELDS + files, files, fieldSize: fieldBytes, headerSize: MAX_HEADER_BYTES },
    });
  } catch {
    throw new ValidationError([], 'Send the form as multipart/form-data.');
  }
}
