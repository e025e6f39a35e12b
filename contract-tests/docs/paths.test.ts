import { globSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const RULES = 'docs/rules.md';
const roots = readdirSync('.').filter((name) => !['data', 'node_modules'].includes(name));
const documents = globSync('**/*.md', { exclude: ['**/node_modules/**', 'data/**', 'docs/guides/**'] });

/** Whether a path exists. It may contain wildcards and omit the file extension. */
const exists = (path: string) => [path, `${path}.ts`].some((name) => globSync(name).length > 0);

/** A command, a path, or a file or folder of `contract-tests`. */
const isTest = (name: string) =>
  name.startsWith('npm run ') ||
  exists(name) ||
  exists(`contract-tests/${name}`) ||
  exists(`contract-tests/${name}.test`);

describe('The documentation for developers', () => {
  it('names only files and folders that exist', () => {
    const missing = documents.flatMap((document) =>
      [
        ...readFileSync(document, 'utf8').matchAll(
          /`([\w@.-]+\/[\w@./*-]*)`|\b((?:contract-tests|harness)\/[\w./*-]*\w)/g,
        ),
      ]
        .map(([, quoted, named]) => quoted ?? named ?? '')
        .filter(
          (path) => roots.includes(path.split('/')[0] ?? '') && !exists(path) && !(document === RULES && isTest(path)),
        )
        .map((path) => `${document}: ${path}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('names for each rule a test that exists, and a function that stands in its file', () => {
    const rows = readFileSync(RULES, 'utf8')
      .split('\n')
      .filter((line) => /^\| .* \| .* \| .*`/.test(line));
    expect(rows).to.have.length.above(80);
    const faults = rows.flatMap((row) => {
      const [, , homes = '', tests = ''] = row.split(/ ?\| ?/);
      const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, test = '']) => test);
      const functions = [...homes.matchAll(/`([\w./-]+\.ts)` `(\w+)`/g)];
      return [
        ...named.filter((test) => !isTest(test)),
        ...functions
          .filter(([, file = '', name = '']) => !readFileSync(file, 'utf8').includes(name))
          .map(([all]) => all),
      ];
    });
    expect(faults).to.deep.equal([]);
  });
});
