import { once } from 'node:events';
import type { Child } from './child.ts';
import { type CpuWatch, watchCpu } from './cpu.ts';
import { createFrameReader, type Frame, Malformed, pieceLength } from './frames.ts';
import { watchMemory } from './memory.ts';

interface Limits {
  /** CPU time, counted from when the child has all bytes. */
  seconds: number;
  memoryMib: number;
}

/** Why supervision ended. `not started`: the child never reported that it was ready, so the document is not to blame. */
export type Ending = 'finished' | 'too slow' | 'too much memory' | 'crashed' | 'malformed' | 'not started';

const START_SECONDS = 60;

/** The signals by which the kernel and V8 end a process that exceeds its limits. */
const SIGNAL_ENDINGS: Partial<Record<NodeJS.Signals, Ending>> = { SIGXCPU: 'too slow', SIGABRT: 'too much memory' };

/**
 * Feeds a document to a child and reads its frames within limits:
 * 1. Memory is watched from the start. The child has a minute to send its first frame, which reports that it is ready.
 * 2. From then on CPU time is watched too; the count restarts with each piece of the document that the child takes.
 * 3. Supervision ends with the last frame, a broken protocol, an exceeded limit or the child's death, whichever comes first.
 * 4. The child is killed unless it finished: then the caller has another document for it, or kills it.
 * @param onFrame returns whether the frame was the last; throws Malformed for an unexpected one
 * @throws errors of reading the bytes
 */
export async function supervise(
  child: Child,
  request: { header: object; bytes: AsyncIterable<Uint8Array> },
  limits: Limits,
  onFrame: (frame: Frame) => boolean,
): Promise<Ending> {
  const over = new AbortController();
  const { promise: ending, resolve } = Promise.withResolvers<Ending>();
  let hasFinished = false;
  const watched = () => watchCpu(child.pid, limits.seconds, () => end('too slow'));
  let watch: CpuWatch | undefined;
  const timer = child.isReady ? undefined : setTimeout(() => resolve('not started'), START_SECONDS * 1000);
  const end = (as: Ending) => resolve(child.isReady || as === 'malformed' ? as : 'not started');
  const stopWatching = watchMemory(child.pid, limits.memoryMib, () => end('too much memory'));
  listen(child, end, (frame) => {
    child.isReady = true;
    clearTimeout(timer);
    watch ??= watched();
    return onFrame(frame);
  });
  if (child.isReady) watch = watched();
  ending.then(() => over.abort());
  try {
    await feed(child, request, () => watch?.restart(), over.signal);
    const how = await ending;
    hasFinished = how === 'finished';
    return how;
  } finally {
    over.abort();
    clearTimeout(timer);
    watch?.stop();
    stopWatching();
    if (!hasFinished) child.kill();
  }
}

function listen(child: Child, end: (ending: Ending) => void, onFrame: (frame: Frame) => boolean): void {
  const read = createFrameReader();
  const take = (piece: Uint8Array) => {
    try {
      for (const frame of read(piece)) if (onFrame(frame)) return stop('finished');
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
  child.gone.then(({ signal }) => end((signal && SIGNAL_ENDINGS[signal]) || 'crashed'));
}

/**
 * Restarts the watch with each piece taken, because a slow source is not the document's fault. Reads all bytes even after the child is
 * gone, because the source measures them.
 */
async function feed(
  { input }: Child,
  { header, bytes }: { header: object; bytes: AsyncIterable<Uint8Array> },
  onTaken: () => void,
  over: AbortSignal,
): Promise<void> {
  const head = Buffer.from(JSON.stringify(header));
  input.write(Buffer.concat([pieceLength(head), head]));
  for await (const piece of bytes) {
    if (over.aborted) continue;
    if (piece.length === 0) continue;
    input.write(pieceLength(piece));
    // Not joined with its length: a copy of each piece would double the memory of the service.
    if (!input.write(piece)) await once(input, 'drain', { signal: over }).catch(() => undefined);
    onTaken();
  }
  input.write(pieceLength(new Uint8Array()));
  onTaken();
}
