/** Preloaded into every server: reports the resources that the process has used. */
import { flushCompileCache } from 'node:module';

export type Question = 'usage' | 'fill compile cache';

export interface Usage {
  /** CPU of all its threads since its start, in microseconds. */
  cpuMicros: number;
  rssMib: number;
}

process.on('message', (question: Question) => {
  if (question === 'fill compile cache') flushCompileCache();
  const { user, system } = process.cpuUsage();
  const usage: Usage = { cpuMicros: user + system, rssMib: process.memoryUsage.rss() / 2 ** 20 };
  process.send?.(usage);
});
process.once('disconnect', () => process.exit());
