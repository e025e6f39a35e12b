/**
 * `npm run public:forensics -- FOLDER`: examines every PDF, JPEG and PNG file in a folder, each within a limit of time, and prints how many
 * had which outcome, those that took too long or failed, and each accusation with its reason, to be read by hand: files of other people
 * are the only ones that no rule was written for. Nothing is sent, and no file is changed.
 */
import { readdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { extname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Examined } from '../public/program.ts';

const USAGE = 'Usage: npm run public:forensics -- FOLDER [--seconds N] [--parallel N] [--ocr] [--json FILE]';
const READ: ReadonlySet<string> = new Set(['.pdf', '.jpg', '.jpeg', '.png']);
const HEAP_MIB = 1024;
const CLOCK_FACTOR = 20;

type Result = Examined | 'too slow' | 'crashed';

const { folder, seconds, parallel, ocr, json } = asked();
const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && READ.has(extname(entry.name).toLowerCase()))
  .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
  .sort();
const results = new Map<string, Result>();
const waiting = files.values();
await Promise.all(Array.from({ length: parallel }, lane));
report();
if (json) await writeFile(json, `${JSON.stringify(Object.fromEntries([...results].sort()), null, 2)}\n`);

/** Examines files in one thread, which a file that takes too long or crashes it ends. */
async function lane(): Promise<void> {
  let worker: Worker | undefined;
  for (const file of waiting) {
    worker ??= startWorker();
    const result = await examined(worker, join(folder, file));
    results.set(file, result);
    tell(file, result);
    if (typeof result === 'string') {
      await worker.terminate();
      worker = undefined;
    }
    if (results.size % 500 === 0) process.stderr.write(`${results.size} of ${files.length}\n`);
  }
  await worker?.terminate();
}

function startWorker(): Worker {
  const worker = new Worker(new URL('../public/program.ts', import.meta.url), {
    workerData: { ocr },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    // Libraries warn about damaged files.
    stdout: true,
    stderr: true,
  });
  // Its exit follows.
  return worker.on('error', () => undefined);
}

function examined(worker: Worker, path: string): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>();
  const begun = performance.now();
  let before: NodeJS.CpuUsage | undefined;
  // A busy machine makes no file slow, so CPU time counts; a thread that waits uses none.
  const timer = setInterval(async () => {
    const used = await worker.cpuUsage().catch(() => undefined);
    before ??= used;
    const passed = used && before ? used.user + used.system - before.user - before.system : 0;
    if (passed > seconds * 1e6 || performance.now() - begun > CLOCK_FACTOR * seconds * 1000) resolve('too slow');
  }, 1000);
  const crashed = () => resolve('crashed');
  worker.once('message', resolve).once('exit', crashed);
  worker.postMessage(path);
  return promise.finally(() => {
    clearInterval(timer);
    worker.off('message', resolve).off('exit', crashed);
  });
}

/** What is to be read by hand. */
function tell(file: string, result: Result): void {
  const lines = typeof result === 'string' ? [] : [...result.accusations, ...result.faults];
  if (typeof result !== 'string' && lines.length === 0) return;
  console.log([`${outcomeOf(result)}  ${file}`, ...lines.map((line) => `    ${line}`)].join('\n'));
}

function outcomeOf(result: Result): string {
  return typeof result === 'string' ? result : result.outcome;
}

function report(): void {
  const counts = Map.groupBy(results.values(), outcomeOf);
  const percent = (count: number) => `${((100 * count) / Math.max(files.length, 1)).toFixed(1)}%`;
  console.log(`${files.length} files`);
  for (const [outcome, { length }] of counts) console.log(`${outcome}  ${length} (${percent(length)})`);
}

function asked() {
  if (process.argv.slice(2).includes('--help')) {
    console.log(USAGE);
    process.exit(0);
  }
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        seconds: { type: 'string', default: '30' },
        parallel: { type: 'string', default: String(availableParallelism()) },
        ocr: { type: 'boolean', default: false },
        json: { type: 'string' },
      },
    });
    const [given, ...others] = positionals;
    const [limit, lanes] = [Number(values.seconds), Number(values.parallel)];
    if (given === undefined || others.length > 0 || !(limit > 0) || !Number.isSafeInteger(lanes) || lanes < 1)
      return misused();
    return { folder: given, seconds: limit, parallel: lanes, ocr: values.ocr, json: values.json };
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

function misused(why = ''): never {
  if (why) console.error(why);
  console.error(USAGE);
  process.exit(2);
}
