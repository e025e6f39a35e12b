import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';

/**
 * The body of a request, which can still be answered when it is not read to its end. Fails when its caller leaves, however late it is read: a request that
 * has failed already would neither end nor fail.
 */
export function bodyStream(req: IncomingMessage): Readable {
  const body = new PassThrough();
  // Its reader gets the error, however late.
  body.on('error', () => {});
  const cut = () => body.destroy(new Error('The body ends early.'));
  // A pipe listens for `data`, by which `server.ts` knows that someone waits for the rest of a broken body.
  const end = () => (req.readableEnded ? body.end() : cut());
  if (req.destroyed) end();
  else req.once('error', cut).once('close', end).pipe(body);
  return body;
}
