import { parentPort, workerData } from 'node:worker_threads';
import { faultsOf, foundIn } from './judge.ts';
import { fileSeeds, sampleSeeds } from './seeds.ts';

/** A worker thread that processes cases in sequence. */
export interface Progress {
  number: number;
  found: string[];
}

const { seed, from, to, files }: { seed: number; from: number; to: number; files: string } = workerData;
const seeds = [...(await sampleSeeds(seed, 3)), ...(await fileSeeds(files))];
const found = await foundIn(seeds);
for (let number = from; number < to; number++) {
  const progress: Progress = { number, found: await faultsOf(seeds, number, found) };
  parentPort?.postMessage(progress);
}
