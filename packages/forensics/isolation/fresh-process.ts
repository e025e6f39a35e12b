import type { Ending } from './supervise.ts';
import type { Taken } from './workers.ts';

interface Reading {
  taken: Taken;
  ending: Ending;
}

/**
 * Reads a document, and again in a new process if a used one failed: what an earlier document left behind must not count against this one.
 * @throws errors of reading, and if no process can be started
 */
export async function readWithFreshProcess<Result extends Reading>(
  read: () => Promise<Result>,
  hasFailed = ({ ending }: Result) => ending !== 'finished',
): Promise<Result> {
  let result = await read();
  if (hasFailed(result) && result.taken.isUsed) result = await read();
  if (result.ending === 'not started')
    throw new Error(`The process that reads documents does not start: ${result.taken.child.errorOutput()}`);
  return result;
}
