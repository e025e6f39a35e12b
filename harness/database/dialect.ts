/** The databases on which a test file runs. Imports nothing, because the runner reads the declarations without running the files. */
import { globSync, readFileSync } from 'node:fs';

export type Dialect = 'sqlite' | 'postgres';

/** What is exhaustive, and what no dialect decides within a file, runs in full at night. */
export const isNightly = process.env['TEST_RUN'] === 'nightly';

/** `npm test` is the daily run. Files without a database run beside the files on SQLite, which take less time. */
const RUNS = {
  /** Statements, transactions or locks decide the outcome. */
  both: { daily: ['sqlite', 'postgres'], nightly: ['sqlite', 'postgres'] },
  /** No dialect decides the outcome. On SQLite, these files take a third less CPU time. */
  either: { daily: ['sqlite'], nightly: ['sqlite', 'postgres'] },
  /** The tested behaviour exists on one database only. */
  sqlite: { daily: ['sqlite'], nightly: ['sqlite'] },
  postgres: { daily: ['postgres'], nightly: ['postgres'] },
  none: { daily: ['sqlite'], nightly: ['sqlite'] },
} as const satisfies Record<string, Record<'daily' | 'nightly', readonly Dialect[]>>;

type Declaration = keyof typeof RUNS;

/** The database of this run: TEST_DATABASE, or Postgres if the test files on the command line run nowhere else, or SQLite. */
export const dialect = chosenDialect();

/** Declares the databases of a test file, and whether only the nightly run has time for it. Call it once, below the imports, with literals. */
export function databases(declaration: Declaration, _run?: 'nightly'): void {
  if (runsOn(declaration, dialect)) return;
  const refusal = `This test file runs on ${declaration} only: run it with TEST_DATABASE=${declaration}.`;
  throw Object.assign(new Error(refusal), { stack: refusal });
}

/** @throws if the file declares no databases */
export function databasesOf(file: string, run: 'daily' | 'nightly'): readonly Dialect[] {
  const { declaration, isForNights } = declarationIn(file);
  if (declaration) return isForNights && run === 'daily' ? [] : RUNS[declaration][run];
  const values = Object.keys(RUNS).map((name) => `databases('${name}')`);
  throw new Error(`${file} does not declare its databases: add ${values.join(' or ')} below its imports.`);
}

/** Whether the file runs on the database when it is named on the command line. */
export function isFor(file: string, database: Dialect): boolean {
  return runsOn(declarationIn(file).declaration ?? 'both', database);
}

function runsOn(declaration: Declaration, database: Dialect): boolean {
  return declaration === 'none' || RUNS[declaration].nightly.some((one) => one === database);
}

function declarationIn(file: string): { declaration?: Declaration; isForNights: boolean } {
  const [, name = '', isForNights] = /^databases\('(\w+)'(, 'nightly')?\);$/m.exec(readFileSync(file, 'utf8')) ?? [];
  return { ...(isDeclaration(name) ? { declaration: name } : {}), isForNights: isForNights !== undefined };
}

function isDeclaration(name: string): name is Declaration {
  return Object.hasOwn(RUNS, name);
}

/** Kept in the environment for the processes of the run. */
function chosenDialect(): Dialect {
  const named = globSync(process.argv.slice(2).filter((argument) => argument.endsWith('.test.ts')));
  const isPostgresOnly = named.length > 0 && !named.some((file) => isFor(file, 'sqlite'));
  process.env['TEST_DATABASE'] ??= isPostgresOnly ? 'postgres' : 'sqlite';
  return process.env['TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite';
}
