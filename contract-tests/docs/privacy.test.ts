import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { listColumns } from '../../harness/database/schema.ts';
import { startTestService } from '../../harness/service/service.ts';
import { impersonal } from './impersonal-columns.ts';

databases('sqlite');

describe('the privacy documentation', () => {
  it('names every table and every column about people, and no others', async () => {
    const documented = await documentedColumns();
    const test = await startTestService({ RUN_WORKERS: 'false' });
    try {
      const columns = await listColumns(test.service.runtime.db);
      // SQLite stores AUTOINCREMENT counters in its own table.
      const found = new Set(
        columns.map(({ table, column }) => `${table}.${column}`).filter((name) => !/^sqlite_/.test(name)),
      );
      expect([...found].filter((column) => !documented.has(column))).to.deep.equal([]);
      const known = [...documented].filter((column) => !/^(due_work|knex_migrations(_lock)?)\./.test(column));
      expect(known.filter((column) => !found.has(column))).to.deep.equal([]);
    } finally {
      await test.stop();
    }
  });

  it('puts every table about people into one activity of the record of processing', async () => {
    const [, record = ''] = (await readFile('docs/operating/data-protection.md', 'utf8')).split(
      '## Record of processing',
    );
    const [table = ''] = record.split('| Also required');
    const rows = table.split('\n').filter((line) => line.startsWith('| '));
    const recorded = rows.flatMap((row) => namesIn(row.split('|')[3]));
    const personal = new Set([...(await documentedColumns())].map((column) => column.split('.')[0] ?? ''));
    for (const name of Object.keys(impersonal)) personal.delete(name);
    expect(recorded).to.have.members([...personal]);
  });

  it('lists exactly the tables that hold nothing about applicants', async () => {
    const [, other = ''] = (await readFile('docs/privacy.md', 'utf8')).split(/^## Other tables$|^## Outside/m);
    const rows = other.split('\n').filter((line) => line.startsWith('| '));
    expect(rows.flatMap((row) => namesIn(row))).to.have.members(Object.keys(impersonal));
  });
});

/** In the form `table.column`. */
async function documentedColumns(): Promise<Set<string>> {
  const text = await readFile('docs/privacy.md', 'utf8');
  const [personal = ''] = text.split(/^## Other tables$/m);
  const work = namesIn(/^\| \*Work columns\* \|(.*)/m.exec(text)?.[1]);
  const pairs = personal
    .split('\n')
    .filter((line) => /^\| `[a-z_]+`/.test(line))
    .flatMap((row) => {
      const [, table, columns = ''] = row.split('|');
      const all = [...namesIn(columns), ...(columns.includes(' work columns') ? work : [])];
      return namesIn(table).flatMap((name) => all.map((column) => `${name}.${column}`));
    });
  const others = Object.entries(impersonal).flatMap(([table, columns]) => columns.map((name) => `${table}.${name}`));
  return new Set([...pairs, ...others]);
}

function namesIn(cell = ''): string[] {
  return [...cell.matchAll(/`([a-z_0-9]+)`/g)].map(([, name = '']) => name);
}
