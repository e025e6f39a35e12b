import type { Database } from './run-tests.ts';

/** Test files of packages use no database. */
export function databasesOf(file: string): readonly Database[] {
  return file.startsWith('packages/') ? ['sqlite'] : ['sqlite', 'postgres'];
}
