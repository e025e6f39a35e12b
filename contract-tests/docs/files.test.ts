import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

describe('the files at the root', () => {
  it('include a LICENSE that agrees with every package.json', async () => {
    const license = await readFile('LICENSE', 'utf8');
    for (const manifest of ['package.json', ...globSync('packages/*/package.json')])
      expect(license, manifest).to.include(JSON.parse(await readFile(manifest, 'utf8')).license);
  });
});
