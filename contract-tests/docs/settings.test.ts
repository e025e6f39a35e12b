import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';

describe('the settings', () => {
  it('are all in the tables of the documentation for operators', async () => {
    const files = (await readdir('core/settings')).filter(
      (name) => name === 'config.ts' || name.endsWith('-settings.ts'),
    );
    const code = await Promise.all(
      [...files.map((name) => `settings/${name}`), 'addresses/frame-ancestors.ts'].map((name) =>
        readFile(`core/${name}`, 'utf8'),
      ),
    );
    const read = new Set(
      [...code.join('\n').matchAll(/(?:env\[|oneOf\(|[nN]umber\(|days\(|read\w*Keys?\()'([A-Z][A-Z0-9_]+)'/g)].map(
        ([, name]) => name,
      ),
    );
    const documented = await readFile('docs/operating.md', 'utf8');
    const rows = documented.split('\n').filter((line) => line.startsWith('| `'));
    expect(read.size).to.be.above(30);
    const missing = [...read].filter(
      (name) => !rows.some((row) => row.split('|').slice(1, 3).join().includes(`\`${name}\``)),
    );
    expect(missing).to.deep.equal([]);
  });
});
