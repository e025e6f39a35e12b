/**
 * `npm run samples -- FOLDER [--seed N]`: writes genuine and tampered documents of an invented person, for trying the forensic analysis. Each
 * file's name says what it is; the output lists the changes.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { randomOf } from '../random.ts';
import { sampleOf } from '../samples.ts';
import { applicantOf } from '../sets/applicant.ts';
import type { Method, Sample, Subject } from '../truth.ts';

/** The documents of one person, and what their file names say of each method. */
const DOCUMENTS: readonly (readonly [subject: Subject, method: Method, what: string])[] = [
  ['payslip', 'as-produced', 'genuine'],
  ['statement', 'as-produced', 'genuine'],
  ['payslip', 'signed', 'genuine-signed'],
  ['payslip', 'overlay', 'value-covered'],
  ['statement', 'incremental-edit', 'value-edited'],
  ['statement', 'rewrite-clean', 'value-rewritten'],
  ['payslip', 'font-swap', 'value-retyped'],
];
/** Changed until it is an amount, which contradicts no other document. */
const ATTEMPTS = 40;

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
const applicant = applicantOf('en-GB', 'plain', randomOf('samples', seed));
for (const [subject, method, what] of DOCUMENTS) {
  const { bytes, truth } = await changedAmount(subject, method);
  const name = `${subject}-${what}.${truth.kind}`;
  await writeFile(join(folder, name), bytes);
  const changes = truth.changes.map(({ target, before, after }) => `${target} ${before} → ${after}`);
  console.log(`${join(folder, name)}  ${changes.join(', ') || 'genuine'}`);
}

async function changedAmount(subject: Subject, method: Method): Promise<Sample> {
  for (let number = 0; ; number++) {
    const sample = await sampleOf(seed, number, method, { wanted: { subjects: [subject], applicant } });
    if (number === ATTEMPTS || sample.truth.changes.every(({ target }) => target === 'amount')) return sample;
  }
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
