import { once } from 'node:events';
import type { Child } from './child.ts';
import { createFrameReader, type Frame, Malformed } from './frames.ts';
import { watchMemory } from './memory.ts';

export interface Limits {
  /** From the moment at which it has all bytes. */
  seconds: number;
  memoryMib: number;
}

/**
 * How a conversation ended: with all that was to be said, or because of what the document did to its reader. One that never
 * said anything has no document to blame.
 */
export type Ending = 'finished' | 'too slow' | 'too much memory' | 'crashed' | 'malformed' | 'not started';

const START_SECONDS = 60;

/** What the kernel and V8 end a process with that went beyond its limits. */
const MEANINGS: Partial<Record<NodeJS.Signals, Ending>> = { SIGXCPU: 'too slow', SIGABRT: 'too much memory' };

/**
 * Gives a child a document and listens to its frames, of which the first says that it is ready. The child is killed in the end.
 * @param heard whether the frame was the last one; throws Malformed when it is none that was to be expected
 * @throws what reading the bytes throws
 */
export async function converse(
  child: Child,
  asked: { header: object; bytes: AsyncIterable<Uint8Array> },
  limits: Limits,
  heard: (frame: Frame) => boolean,
): Promise<Ending> {
  const over = new AbortController();
  const { promise: ending, resolve } = Promise.withResolvers<Ending>();
  let isReady = false;
  let timer = setTimeout(() => resolve('not started'), START_SECONDS * 1000);
  const end = (as: Ending) => resolve(isReady || as === 'malformed' ? as : 'not started');
  const stopWatching = watchMemory(child.pid, limits.memoryMib, () => end('too much memory'));
  listen(child, end, (frame) => {
    if (!isReady) {
      isReady = true;
      clearTimeout(timer);
      timer = setTimeout(() => end('too slow'), limits.seconds * 1000);
    }
    return heard(frame);
  });
  ending.then(() => over.abort());
  try {
    await feed(child, asked, () => timer.refresh(), over.signal);
    return await ending;
  } finally {
    over.abort();
    clearTimeout(timer);
    stopWatching();
    child.kill();
  }
}

function listen(child: Child, end: (ending: Ending) => void, heard: (frame: Frame) => boolean): void {
  const read = createFrameReader();
  const take = (piece: Uint8Array) => {
    try {
      for (const frame of read(piece)) if (heard(frame)) return stop('finished');
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      stop('malformed');
    }
  };
  const stop = (ending: Ending) => {
    child.output.off('data', take);
    end(ending);
  };
  child.output.on('data', take);
  // What it said last may still be on its way when it is gone.
  const gone = Promise.all([child.ended, once(child.output, 'close').catch(() => undefined)]);
  gone.then(([{ signal }]) => end((signal && MEANINGS[signal]) || 'crashed'));
}

/**
 * The timer starts anew with each piece that was taken: a slow store is not the document's fault. Bytes are read to their end
 * even when nobody listens any more: whoever gives them measures them.
 */
async function feed(
  { input }: Child,
  { header, bytes }: { header: object; bytes: AsyncIterable<Uint8Array> },
  taken: () => void,
  over: AbortSignal,
): Promise<void> {
  input.write(`${JSON.stringify(header)}\n`);
  for await (const piece of bytes) {
    if (over.aborted) continue;
    if (!input.write(piece)) await once(input, 'drain', { signal: over }).catch(() => undefined);
    taken();
  }
  input.end();
  taken();
}
