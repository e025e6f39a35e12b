import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

describe('the table of faults', () => {
  it('has a row for each fault program, and no other', () => {
    const programs = globSync('contract-tests/faults/*.test.ts').map((file) => basename(file, '.test.ts'));
    const rows = [...readFileSync('docs/reliability.md', 'utf8').matchAll(/^\| .* \| `([\w-]+)` \|$/gm)];
    expect([...new Set(rows.map(([, name]) => name))]).to.have.members(programs);
  });
});
