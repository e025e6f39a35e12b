/**
 * `npm run samples -- FOLDER [--seed N]`: writes genuine and tampered documents of invented people, for trying the forensic analysis. Each
 * file's name says how it was made; the output lists the changes.
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

const { positionals, values } = asked();
const [folder = 'samples'] = positionals;
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed) || positionals.length > 1) misused();
// The reader of a pipe may stop early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
await mkdir(folder, { recursive: true });
for await (const { name, bytes, truth } of samples(seed, METHODS.length, { methods: METHODS })) {
  await writeFile(join(folder, name), bytes);
  const changes = truth.changes.map(({ target, before, after }) => `${target} ${before} → ${after}`);
  console.log(`${join(folder, name)}  ${changes.join(', ') || 'genuine'}`);
}

function asked() {
  try {
    return parseArgs({ allowPositionals: true, options: { seed: { type: 'string', default: '1' } } });
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

function misused(why = ''): never {
  if (why) console.error(why);
  console.error('Usage: npm run samples -- [FOLDER] [--seed N]');
  process.exit(2);
}
