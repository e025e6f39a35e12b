import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

describe('the files at the root', () => {
  it('include a LICENSE that agrees with every package.json', async () => {
    const license = await readFile('LICENSE', 'utf8');
    for (const folder of ['', 'packages/forensics/', 'packages/forensics-corpus/', 'packages/webhook-tools/'])
      expect(license).to.include(JSON.parse(await readFile(`${folder}package.json`, 'utf8')).license);
  });
});
