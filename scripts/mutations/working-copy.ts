import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkPackages } from '../../harness/process/linked-packages.ts';
import { type Mutation, mutated } from './mutation.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A copy of the checkout, changes that are not committed included, in which lines are broken and restored. */
export class WorkingCopy {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
    for (const file of new Set(listed.toString().split('\0')))
      if (file !== '' && existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(folder, file));
    linkPackages(ROOT, folder);
  }

  /**
   * Restores the files after the work.
   * @throws StaleMutation before anything is changed
   */
  async withMutations<Result>(mutations: readonly Mutation[], work: () => Promise<Result>): Promise<Result> {
    const files = [...Map.groupBy(mutations, ({ file }) => file)].map(([file, ofFile]) => {
      const path = join(this.folder, file);
      const source = readFileSync(path, 'utf8');
      return { path, source, broken: mutated(source, ofFile) };
    });
    try {
      for (const { path, broken } of files) writeFileSync(path, broken);
      return await work();
    } finally {
      for (const { path, source } of files) writeFileSync(path, source);
    }
  }
}
