import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleOf } from '../samples.ts';
import type { Method } from '../truth.ts';
import type { Seed } from './mutations.ts';

/** Small files that cover every file structure. */
const METHODS: readonly Method[] = [
  'as-produced',
  'linearised',
  'object-streams',
  'encrypted',
  'signed',
  'form-filled',
  'overlay',
  'incremental-edit',
  'rewrite-orphan',
  'in-place',
  'scanned',
  'camera',
  'edited-screenshot',
];
const LARGEST = 200_000;
const FILES = 300;

/** Samples of the corpus, with their own seed. */
export async function sampleSeeds(seed: number, rounds: number, methods: readonly Method[] = METHODS): Promise<Seed[]> {
  const seeds: Seed[] = [];
  for (let round = 0; round < rounds; round++)
    for (const method of methods) {
      const { name, bytes } = await sampleOf(seed, round, method);
      seeds.push({ name, bytes });
    }
  return seeds;
}

/** Files of the analysed kinds, in a folder and its subfolders; mainly the test files that packages ship for PDF readers. */
export async function fileSeeds(folder: string): Promise<Seed[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(?:pdf|jpe?g|png)$/i.test(entry.name));
  const seeds: Seed[] = [];
  for (const file of files.slice(0, FILES)) {
    const bytes = await readFile(join(file.parentPath, file.name));
    if (bytes.length <= LARGEST) seeds.push({ name: file.name, bytes });
  }
  return seeds;
}
