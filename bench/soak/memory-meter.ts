/** Preloaded into the service: reports its memory after a full garbage collection to the parent process. */
import { setImmediate as turn } from 'node:timers/promises';

export interface Held {
  /** JavaScript's heap, and the external memory that belongs to it: buffers, statements. */
  heapMib: number;
  rssMib: number;
  /** Since the start, in seconds, without collections. */
  cpuSeconds: number;
}

const MIB = 2 ** 20;
let collecting = 0;

process.on('message', async () => {
  const before = process.cpuUsage();
  // Finalizers of the first collection free more for the second.
  globalThis.gc?.();
  await turn();
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const spent = process.cpuUsage(before);
  collecting += spent.user + spent.system;
  const { user, system } = process.cpuUsage();
  const held: Held = {
    heapMib: (heapUsed + external) / MIB,
    rssMib: rss / MIB,
    cpuSeconds: (user + system - collecting) / 1e6,
  };
  process.send?.(held);
});
// The channel does not keep the process alive.
process.channel?.unref();
process.once('disconnect', () => process.exit());
