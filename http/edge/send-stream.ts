import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Ends a download whose reader has almost stopped reading: downloads hold one of few turns. */
const DOWNLOAD_MS = 15 * 60_000;

/** Sends a download. A reader who leaves, or takes too long, is no failure. @throws the errors of the content */
export async function sendStream(
  res: ServerResponse,
  content: AsyncIterable<Uint8Array>,
  maxMs = DOWNLOAD_MS,
): Promise<void> {
  const limit = AbortSignal.timeout(maxMs);
  await pipeline(content, res, { signal: limit }).catch((error) => {
    // The pipeline gives errors of the content to the response; a reader who left leaves it without one.
    if (res.errored !== null && !limit.aborted) throw error;
  });
}
