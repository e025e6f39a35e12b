import { type Dialect, databasesOf } from '../../harness/database/dialect.ts';
import { type Mutation, StaleMutation, testFilesOf } from './mutation.ts';
import { runTests, type TestRun } from './run-tests.ts';
import type { WorkingCopy } from './working-copy.ts';

export interface Verdict {
  mutation: Mutation;
  outcome: 'caught' | 'missed' | 'stale' | 'unusable';
  /** The test that failed, or why there is no proof. */
  detail: string;
  seconds: number;
}

interface Proving {
  /** The environment of test runs on a database. */
  envFor(database: Dialect): Promise<Record<string, string>>;
  limitMs: number;
}

/** Proves that tests notice mutations. Each test file first passes without one, once on each database. */
export class Proof {
  readonly #proving: Proving;
  readonly #unbroken = new Map<string, Promise<TestRun>>();

  constructor(proving: Proving) {
    this.#proving = proving;
  }

  /** A mutation is caught when its tests fail on one of the databases on which `npm test` runs them. */
  async prove(mutation: Mutation, copy: WorkingCopy): Promise<Verdict> {
    const startedAt = performance.now();
    const verdict = await this.#verdictOn(mutation, copy).catch((error: unknown) => {
      if (error instanceof StaleMutation) return { outcome: 'stale' as const, detail: error.message };
      throw error;
    });
    return { mutation, ...verdict, seconds: (performance.now() - startedAt) / 1000 };
  }

  async #verdictOn(mutation: Mutation, copy: WorkingCopy): Promise<Pick<Verdict, 'outcome' | 'detail'>> {
    const files = testFilesOf(mutation);
    for (const database of ['sqlite', 'postgres'] as const) {
      const ofDatabase = files.filter((file) => runsOn(file, database));
      if (ofDatabase.length === 0) continue;
      for (const file of ofDatabase) {
        const { outcome, detail } = await this.#runUnbroken(file, database, copy);
        if (outcome !== 'passed') return { outcome: 'unusable', detail: `fails without the mutation: ${detail}` };
      }
      const broken = () => this.#run(ofDatabase, database, copy);
      const { outcome, detail } = await copy.withMutations([mutation], broken);
      if (outcome === 'failed') return { outcome: 'caught', detail: `${database}: ${detail}` };
      if (outcome === 'unusable') return { outcome, detail };
    }
    return { outcome: 'missed', detail: `${files.join(', ')} passed` };
  }

  #runUnbroken(file: string, database: Dialect, copy: WorkingCopy): Promise<TestRun> {
    const key = `${database} ${file}`;
    const known = this.#unbroken.get(key);
    if (known) return known;
    const run = async () => {
      const first = await this.#run([file], database, copy);
      // A busy machine may have delayed the first.
      return first.outcome === 'passed' ? first : this.#run([file], database, copy);
    };
    const started = run();
    this.#unbroken.set(key, started);
    return started;
  }

  async #run(files: readonly string[], database: Dialect, { folder }: WorkingCopy): Promise<TestRun> {
    const { envFor, limitMs } = this.#proving;
    return runTests({ folder, files, database, env: await envFor(database), limitMs });
  }
}

/** As in `npm test`. Tests of packages use no database. */
function runsOn(file: string, database: Dialect): boolean {
  return (file.startsWith('packages/') ? ['sqlite'] : databasesOf(file, 'daily')).includes(database);
}
