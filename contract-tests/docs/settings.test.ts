import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';

/** Guides whose readers run the service themselves. */
const OWN_SANDBOX = ['sandbox.md', 'first-call.md', 'mocking.md'];

describe('the settings', () => {
  it('are named nowhere in the contract and in the guides of those who only call the service', async () => {
    const operating = await readFile('docs/operating.md', 'utf8');
    // The programs of the guides have a PORT of their own.
    const names = [...operating.matchAll(/^\| `([A-Z][A-Z0-9_]+)`/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'PORT');
    expect(names.length).to.be.above(30);
    const guides = (await readdir('docs/guides')).filter((name) => name.endsWith('.md') && !OWN_SANDBOX.includes(name));
    const setting = new RegExp(`\\b(${names.join('|')})\\b`, 'g');
    for (const file of ['openapi.yaml', ...guides.map((name) => `docs/guides/${name}`)])
      expect((await readFile(file, 'utf8')).match(setting), file).to.equal(null);
  });

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
