/**
 * `npm run samples -- FOLDER [--seed N]`: genuine and changed documents of invented people, to try the forensic analysis on. Each
 * file's name says how it was made; what was changed is printed.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { samples } from '../samples.ts';
import type { Method } from '../truth.ts';

const METHODS: Method[] = [
  'as-produced',
  'signed',
  'scanned',
  'overlay',
  'incremental-edit',
  'rewrite-clean',
  'splice',
];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' } },
});
const [folder = 'samples'] = positionals;
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed) || positionals.length > 1) {
  console.error('Usage: npm run samples -- FOLDER [--seed N]');
  process.exit(2);
}
await mkdir(folder, { recursive: true });
for await (const { name, bytes, truth } of samples(seed, METHODS.length, { methods: METHODS })) {
  await writeFile(join(folder, name), bytes);
  const changes = truth.changes.map(({ target, before, after }) => `${target} ${before} → ${after}`);
  console.log(`${join(folder, name)}  ${changes.join(', ') || 'genuine'}`);
}
