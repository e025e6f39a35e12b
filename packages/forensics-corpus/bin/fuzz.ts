/**
 * `npm run fuzz:forensics [-- --count 50000] [--from 0] [--seed 1] [--files FOLDER]`: mutates files in many ways and analyses them in a
 * separate process. Exits with 1 when a check fails, the process crashes, a file takes longer than two minutes, or an invisible mutation
 * removes a finding. A case is identified by its number and replayed with `--from NUMBER --count 1`.
 */

import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Progress } from '../fuzz/program.ts';

const USAGE = 'Usage: npm run fuzz:forensics -- [--count N] [--from N] [--seed N] [--files FOLDER]';
const { values } = asked();
const CASE_SECONDS = 120;
const REPORTED = 50;
const [from, count, seed] = [Number(values.from), Number(values.count), Number(values.seed)];
if (![from, count, seed].every(Number.isSafeInteger)) misused();

const faults: string[] = [];
let next = from;
while (next < from + count && faults.length < REPORTED) next = await run(next);
console.log(`${next - from} cases, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;

function asked() {
  if (process.argv.slice(2).includes('--help')) {
    console.log(USAGE);
    process.exit(0);
  }
  try {
    return parseArgs({
      options: {
        count: { type: 'string', default: '50000' },
        from: { type: 'string', default: '0' },
        seed: { type: 'string', default: '1' },
        files: { type: 'string', default: 'node_modules' },
      },
    });
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

function misused(why = ''): never {
  if (why) console.error(why);
  console.error(USAGE);
  process.exit(2);
}

/** Runs cases until all are done or one crashes the worker. @returns the number of the next case */
function run(start: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const about = { seed, from: start, to: from + count, files: values.files };
  const worker = new Worker(new URL('../fuzz/program.ts', import.meta.url), { workerData: about });
  let at = start;
  let timer: NodeJS.Timeout | undefined;
  const end = (fault: string) => {
    clearTimeout(timer);
    tell(at, fault);
    void worker.terminate().then(() => resolve(at + 1));
  };
  worker.on('message', ({ number, found }: Progress) => {
    for (const fault of found) tell(number, fault);
    at = number + 1;
    if (at % 1000 === 0) console.log(`${at - from} of ${count}`);
    clearTimeout(timer);
    timer = setTimeout(() => end('takes too long'), CASE_SECONDS * 1000);
  });
  worker.once('error', (error) => end(`ends the process: ${error}`));
  worker.once('exit', (code) => {
    clearTimeout(timer);
    if (code === 0) resolve(at);
  });
  return promise;
}

function tell(number: number, fault: string): void {
  faults.push(fault);
  console.log(`case ${number}: ${fault}`);
}
