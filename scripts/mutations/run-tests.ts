import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Dialect } from '../../harness/database/dialect.ts';
import { type Ended, runProgram } from './run-program.ts';

export interface TestRun {
  /** `unusable`: no test gave a verdict, because the program did not load or end. */
  outcome: 'passed' | 'failed' | 'unusable';
  /** The first test that failed, or why there is no verdict. */
  detail: string;
  seconds: number;
}

export interface TestOptions {
  folder: string;
  files: readonly string[];
  database: Dialect;
  env: Record<string, string>;
  limitMs: number;
}

/** Below the time limit of the run, so that a test that waits for what never comes fails under its own title. */
const MAX_TEST_SHARE = 0.5;

/** Runs test files on one database, up to the first failure. */
export async function runTests({ folder, files, database, env, limitMs }: TestOptions): Promise<TestRun> {
  const report = join(folder, 'mocha-report.json');
  rmSync(report, { force: true });
  const options = [
    ...['--bail', '--exit', '--timeout', String(Math.round(limitMs * MAX_TEST_SHARE))],
    ...['--reporter', 'json', '--reporter-option', `output=${report}`],
  ];
  const ended = await runProgram([join(folder, 'node_modules/mocha/bin/mocha.js'), ...options, ...files], {
    cwd: folder,
    env: { ...env, TEST_DATABASE: database },
    limitMs,
  });
  return { ...verdictOf(ended, report), seconds: ended.seconds };
}

function verdictOf({ code, output, isTimedOut }: Ended, report: string): Omit<TestRun, 'seconds'> {
  if (isTimedOut) return { outcome: 'unusable', detail: 'the tests took too long and were ended' };
  if (!existsSync(report)) return { outcome: 'unusable', detail: lastLines(output) };
  const { stats, failures } = readReport(report);
  const [first] = failures;
  if (first) return { outcome: 'failed', detail: first.fullTitle };
  if (code === 0 && stats.passes > 0) return { outcome: 'passed', detail: `${stats.passes} tests` };
  return { outcome: 'unusable', detail: lastLines(output) || 'no test ran' };
}

interface Report {
  stats: { passes: number };
  failures: { fullTitle: string }[];
}

/** Written by the JSON reporter of mocha. */
function readReport(file: string): Report {
  return JSON.parse(readFileSync(file, 'utf8'));
}

const MAX_LINES = 12;

export function lastLines(output: string): string {
  return stripVTControlCharacters(output).trim().split('\n').slice(-MAX_LINES).join('\n');
}
