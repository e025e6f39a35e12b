/**
 * `npm run samples -- FOLDER [--seed N]`: writes genuine and tampered documents of invented people, for trying the forensic analysis. Each
 * file's name says what it is; the output lists the changes.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sampleOf } from '../samples.ts';
import type { Method } from '../truth.ts';

/** What the file names say of each method. */
const NAMES: readonly (readonly [method: Method, what: string])[] = [
  ['as-produced', 'genuine'],
  ['signed', 'genuine-signed'],
  ['scanned', 'genuine-scanned'],
  ['overlay', 'value-covered'],
  ['incremental-edit', 'value-edited'],
  ['rewrite-clean', 'value-rewritten'],
  ['font-swap', 'value-retyped'],
];

const USAGE = 'Usage: npm run samples -- [FOLDER] [--seed N]';
const { positionals, values } = asked();
const [folder = 'samples'] = positionals;
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed) || positionals.length > 1) misused();
// The reader of a pipe may stop early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
await mkdir(folder, { recursive: true });
for (const [method, what] of NAMES) {
  const { bytes, truth } = await sampleOf(seed, 0, method);
  const name = `${truth.subject}-${what}.${truth.kind}`;
  await writeFile(join(folder, name), bytes);
  const changes = truth.changes.map(({ target, before, after }) => `${target} ${before} → ${after}`);
  console.log(`${join(folder, name)}  ${changes.join(', ') || 'genuine'}`);
}

function asked() {
  if (process.argv.slice(2).includes('--help')) {
    console.log(USAGE);
    process.exit(0);
  }
  try {
    return parseArgs({ allowPositionals: true, options: { seed: { type: 'string', default: '1' } } });
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

function misused(why = ''): never {
  if (why) console.error(why);
  console.error(USAGE);
  process.exit(2);
}
