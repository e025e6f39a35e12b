/**
 * `node packages/forensics-corpus/bin/cost.ts`: the CPU time of the sandboxed workers for one page, and for four documents of one person, and
 * the share of the worker's start in it. Linux only; fills the code cache first.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createForensicEngine } from '@tenant-screening/forensics/analyse';
import { sampleOf } from '../samples.ts';

const ROUNDS = 5;
const SEVERAL = 4;
const CACHE_FILLED_MS = 15_000;
/** Linux reports CPU time in these units. */
const TICKS_A_SECOND = 100;

const { bytes } = await sampleOf(1, 0, 'as-produced', { wanted: { subjects: ['payslip'] } });
await cpuSecondsOf(1);
await delay(CACHE_FILLED_MS);
const one = median(await measured(1));
const several = median(await measured(SEVERAL));
const document = (several - one) / (SEVERAL - 1);
const start = one - document;
console.log(`one document  ${one.toFixed(2)} s`);
console.log(`${SEVERAL} documents  ${several.toFixed(2)} s, ${(several / SEVERAL).toFixed(2)} s each`);
console.log(`start of the worker  ${start.toFixed(2)} s, ${((100 * start) / one).toFixed(0)} % of one document`);

async function measured(count: number): Promise<number[]> {
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) seconds.push(await cpuSecondsOf(count));
  return seconds;
}

/** The CPU time of an engine's workers, which end with it. */
async function cpuSecondsOf(count: number): Promise<number> {
  const before = ofChildren();
  const engine = createForensicEngine({ ocr: false, parallel: 1 });
  await engine.analyse(
    Array.from({ length: count }, (_, index) => ({
      id: String(index),
      name: 'payslip.pdf',
      async *read() {
        yield bytes;
      },
    })),
  );
  await engine.close();
  await delay(500);
  return ofChildren() - before;
}

function ofChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The program's name, in brackets, may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
