import { Worker } from 'node:worker_threads';
import type { Drawing, Drawn } from './drawing.ts';

/** The longest report takes a second, on a slow machine ten. */
const MAX_DRAWING_MS = 60_000;
/** For how long the thread, whose start takes longer than a short report, waits for the next one. */
const IDLE_MS = 10_000;
const MAX_HEAP_MIB = 512;

let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Draws a report in a thread of its own, one after the other: in the thread of the requests, each would keep all callers waiting for a tenth
 * of a second, a long one for several. @throws when drawing fails, runs out of memory, or takes a minute
 */
export function drawInThread(drawing: Drawing): Promise<Drawn> {
  const drawn = last.then(() => drawNext(drawing));
  last = drawn.catch(() => {});
  return drawn;
}

async function drawNext(drawing: Drawing): Promise<Drawn> {
  clearTimeout(idle);
  const worker = thread ?? startThread();
  const { promise, resolve, reject } = Promise.withResolvers<Drawn>();
  const ended = () => reject(new Error('The thread that draws reports has ended.'));
  const late = setTimeout(() => reject(new Error('Drawing the report took too long.')), MAX_DRAWING_MS);
  worker.once('message', resolve).once('error', reject).once('exit', ended);
  worker.postMessage(drawing);
  try {
    const drawn = await promise;
    idle = setTimeout(endThread, IDLE_MS).unref();
    return drawn;
  } catch (error) {
    endThread();
    throw error;
  } finally {
    clearTimeout(late);
    worker.off('message', resolve).off('error', reject).off('exit', ended);
  }
}

function startThread(): Worker {
  const file = new URL('drawing.ts', import.meta.url);
  const started = new Worker(file, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } });
  const forget = () => {
    if (thread === started) thread = undefined;
  };
  started.on('error', forget).on('exit', forget);
  // The leases of reports tell what a process that ends has not drawn.
  started.unref();
  thread = started;
  return started;
}

function endThread(): void {
  void thread?.terminate();
  thread = undefined;
}
