/**
 * `npm test`: every check, and the test files on the databases that they declare. `npm run test:nightly`: every file, on both wherever it runs on both.
 * The last line is `N passed, N failed`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters, styleText } from 'node:util';
import { type Dialect, databasesOf } from '../harness/database/dialect.ts';
import { commandLine } from '../harness/process/command-line.ts';

interface Step {
  title: string;
  command: string[];
  env?: Record<string, string>;
  /** Parses the numbers of passed and failed tests from the output; without it, the step counts as one test. */
  count?: (output: string) => { passed: number; failed: number };
}

const { values } = commandLine('npm test | npm run test:nightly', { options: { nightly: { type: 'boolean' } } });
const RUN = values.nightly ? 'nightly' : 'daily';

const LAYERS = ['bin', 'http', 'handlers', 'jobs', 'queue', 'db', 'providers', 'core', 'generated', 'site'];
const BESIDE = ['packages', 'harness', 'scripts', 'bench', 'contract-tests', 'examples'];

const checks: Step[] = [
  { title: 'What is generated is that of the contract', command: ['node', 'scripts/generate/generate.ts', '--check'] },
  { title: 'Lint of the contract', command: ['node', 'scripts/lint/lint.ts'] },
  { title: 'Change gate: nothing breaks unannounced', command: ['node', 'scripts/gate/gate.ts'] },
  { title: 'Prose: no phrases that read as translated', command: ['node', 'scripts/prose/prose.ts'] },
  {
    title: 'Types',
    // Each further checker checks shared types again, and a heap this small is collected too often: 15 instead of 22 s of CPU.
    command: ['node', 'node_modules/typescript-7/bin/tsc', '-p', '.', '--checkers', '1'],
    env: { GOGC: '400' },
  },
  { title: 'Style of the code', command: ['biome', 'ci', '.'] },
  {
    title: 'Layers and rooms: imports go one way',
    command: ['depcruise', '--output-type', 'err', ...LAYERS, ...BESIDE],
  },
];

/** Four commands run at a time, each with so many files: with more, the same tests take more CPU time. */
const MOCHA = ['mocha', '--parallel', '--jobs', '2'];

/** These files and folders come first, so that none of their files runs alone at the end. */
const LONGEST = [
  ...['access/isolation-matrix', 'operations/run-forensic', 'service', 'console/live', 'pages/documents-browser'],
  ...['webhooks', 'differential', 'properties', 'providers/document-bucket', 'access/fair-share', 'plans', 'queue'],
  ...['admin/audit-archive', 'conditions', 'documents', 'privacy', 'upkeep', 'pages', 'console', 'identity'],
];
const rank = (file: string) => {
  const place = LONGEST.findIndex((name) => file.startsWith(join('contract-tests', name)));
  return place < 0 ? LONGEST.length : place;
};
const files = globSync('contract-tests/**/*.test.ts')
  .sort()
  .sort((one, other) => rank(one) - rank(other));

const databases = ['postgres', 'sqlite'] as const;
const filesOn = (database: Dialect) => files.filter((file) => databasesOf(file, RUN).includes(database));
const testsOn = (database: Dialect, some: readonly string[], part = ''): Step => ({
  title: `Tests on ${database}${part}`,
  command: [...MOCHA, ...some],
  env: { TEST_DATABASE: database, TEST_RUN: RUN },
  count: counted,
});
/** Files that mostly wait, for a database that is down for instance. In one command with files that compute, they would take their turns. */
const isWaiting = (file: string) => file.startsWith(join('contract-tests', 'faults'));
const busyOn = (database: Dialect) => filesOn(database).filter((file) => !isWaiting(file));
const waiting = databases.map((database) => testsOn(database, filesOn(database).filter(isWaiting), ', which wait'));
const partsOn = (database: Dialect, parts: number) =>
  Array.from({ length: parts }, (_, part) =>
    testsOn(
      database,
      busyOn(database).filter((_file, at) => at % parts === part),
      `, part ${part + 1} of ${parts}`,
    ),
  );
/** These run wherever something else has ended: half of both cores was idle at the end otherwise. */
const partsOnSqlite = partsOn('sqlite', 8);

/** In separate processes: rendering depends on the fonts that a process opens first. */
const packages: Step = {
  title: 'Tests of the packages',
  command: [...MOCHA, RUN === 'nightly' ? 'packages/*/tests/**/*.test.ts' : 'packages/*/tests/*.test.ts'],
  count: counted,
};

const contract: Step = {
  title: 'Dredd over every operation and status, and every example seen',
  command: ['node', 'contract-tests/contract.ts'],
  count: (output) => ({ passed: lastNumber(/(\d+) passed/g, output), failed: lastNumber(/(\d+) failed/g, output) }),
};

const tour: Step = { title: 'The tour of a new integrator', command: ['node', 'scripts/tour/demo.ts'] };

const IS_WINDOWS = process.platform === 'win32';
/** Only what hangs takes as long, even on a machine that runs much else. */
const LIMIT_MINUTES = 60;
const MAX_LINES = 30;
const MAX_SLOWEST = 10;

const running = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const child of running) end(child);
    process.exit(1);
  });

// Kept between runs, because compiling takes longer than the rest of a program's start.
process.env['NODE_COMPILE_CACHE'] = fileURLToPath(new URL('../node_modules/.cache/node-tests', import.meta.url));

/** Each test file appends a line with its duration. */
const times = join(mkdtempSync(join(tmpdir(), 'screening-times-')), 'times.jsonl');
process.env['TEST_TIMES'] = times;

const total = { passed: 0, failed: 0 };
/** Repeated at the end, where they show even in a truncated log. */
const faults: string[] = [];
// The checks, which compile, keep a core busy while the tests wait.
const onPostgres = partsOn('postgres', 2).map((part) => [part]);
await Promise.all([...onPostgres, waiting, [...checks, contract, tour, packages]].map(inTurn));
console.log(['', 'Slowest test files:', ...slowest()].join('\n'));
console.log(['', ...faults, `${total.passed} passed, ${total.failed} failed`].join('\n'));
process.exitCode = total.failed > 0 ? 1 : 0;

/** Runs the steps, and then what has not begun of the parts on SQLite. */
async function inTurn(steps: readonly Step[]): Promise<void> {
  for (const step of steps) await run(step);
  for (let step = partsOnSqlite.shift(); step; step = partsOnSqlite.shift()) await run(step);
}

function slowest(): string[] {
  const lines = readFileSync(times, 'utf8').trim().split('\n');
  rmSync(dirname(times), { recursive: true });
  const files: { file: string; database: string; ms: number }[] = lines.map((line) => JSON.parse(line));
  return files
    .sort((one, other) => other.ms - one.ms)
    .slice(0, MAX_SLOWEST)
    .map(({ file, database, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file} on ${database}`);
}

function counted(output: string): { passed: number; failed: number } {
  return { passed: lastNumber(/(\d+) passing/g, output), failed: lastNumber(/(\d+) failing/g, output) };
}

async function run({ title, command, env = {}, count }: Step): Promise<void> {
  const startedAt = performance.now();
  const { code, output } = await execute(command, env);
  const { passed, failed } = count?.(output) ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
  const broken = code !== 0 && failed === 0 ? 1 : 0;
  const empty = code === 0 && passed === 0 ? 1 : 0;
  total.passed += passed;
  total.failed += failed + broken + empty;
  const good = failed + broken + empty === 0;
  const mark = good ? styleText('green', '✔') : styleText('red', '✘');
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (count || !good) console.log(output.trimEnd());
  if (!good) faults.push(`${mark} ${title}\n${faultsIn(output)}\n`);
  console.log(`${mark} ${title}${count ? `: ${passed} passed, ${failed} failed` : ''} (${seconds} s)`);
}

/**
 * Runs it in its own process group, so that leftover processes end with it: a process started by a failed test would keep its
 * output open forever.
 */
function execute(command: string[], env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env: { ...process.env, ...env }, shell: IS_WINDOWS, detached: !IS_WINDOWS });
  running.add(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk));
  const limit = setTimeout(() => {
    output += `\nIt did not end within ${LIMIT_MINUTES} minutes.\n`;
    end(child);
  }, LIMIT_MINUTES * 60_000);
  return new Promise((resolve) => {
    const done = (code: number | null) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ code, output });
    };
    child.on('error', (error) => {
      output += error.message;
      done(1);
    });
    child.on('exit', () => end(child));
    child.on('close', done);
  });
}

function end({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(IS_WINDOWS ? pid : -pid, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}

/** The failures that mocha lists, or the end of the output. */
function faultsIn(output: string): string {
  const text = stripVTControlCharacters(output).trimEnd();
  const listed = text.search(/^ +\d+ failing$/m);
  return listed < 0 ? text.split('\n').slice(-MAX_LINES).join('\n') : text.slice(listed);
}

function lastNumber(pattern: RegExp, text: string): number {
  return Number([...text.matchAll(pattern)].at(-1)?.[1] ?? 0);
}
