import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { dialect } from '../../harness/database/databases.ts';
import { columnsOf, tables } from '../../harness/database/every-column.ts';
import { startTestService } from '../../harness/service/service.ts';

describe(`the documentation of privacy, on ${dialect}`, () => {
  it('names every table and every column that there is, and none that there is not', async () => {
    const documented = await documentedColumns();
    const test = await startTestService({ RUN_WORKERS: 'false' });
    try {
      const { db } = test.service.runtime;
      const found = new Set<string>();
      for (const table of await tables(db)) {
        const name = table.replace(/^public\./, '');
        // The queue's own schema is described as a whole; SQLite counts rows in a table of its own.
        if (/^pgboss\.|^sqlite_/.test(name)) continue;
        for (const column of await columnsOf(db, table)) found.add(`${name}.${column}`);
      }
      expect([...found].filter((column) => !documented.has(column))).to.deep.equal([]);
      const known = [...documented].filter((column) => !/^(due_work|knex_migrations(_lock)?)\./.test(column));
      expect(known.filter((column) => !found.has(column))).to.deep.equal([]);
    } finally {
      await test.stop();
    }
  });
});

/** As `table.column`. */
async function documentedColumns(): Promise<Set<string>> {
  const text = await readFile('docs/privacy.md', 'utf8');
  const rows = text.split('\n').filter((line) => /^\| `[a-z_]+`/.test(line));
  const names = (cell = '') => [...cell.matchAll(/`([a-z_0-9]+)`/g)].map(([, name]) => name);
  const pairs = rows.flatMap((row) => {
    const [, table, columns] = row.split('|');
    return names(table).flatMap((name) => names(columns).map((column) => `${name}.${column}`));
  });
  return new Set(pairs);
}
