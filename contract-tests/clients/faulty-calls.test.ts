import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { blocksOf, exampleFile } from '../guides/guide.ts';
import { Reader } from '../guides/reader.ts';

databases('none', 'nightly');

const TSC = 'node_modules/typescript/bin/tsc';
const OPTIONS = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck'];

describe('the guide to typed clients', () => {
  const program = readFileSync(exampleFile('examples/typed-client.ts'), 'utf8').trimEnd();
  const [faulty = '', unchecked = ''] = blocksOf('clients.md')
    .filter(({ language, heading }) => language === 'ts' && heading === 'What the compiler finds')
    .map(({ text }) => text);
  const reader = suiteFixture(() => Reader.create());
  before(async () => {
    await reader.save('package.json', '{ "type": "module" }');
    await reader.save('openapi.d.ts', readFileSync(new URL('../../generated/openapi.d.ts', import.meta.url), 'utf8'));
  });

  /** The lines that the compiler rejects, counted from the end of the program. */
  const complaints = async (added: string) => {
    await reader.save('client.ts', `${program}\n${added}`);
    const said = await reader.node(TSC, ...OPTIONS, 'client.ts').catch(String);
    const lines = [...said.matchAll(/^client\.ts\((\d+),/gm)].map(([, line]) => Number(line));
    return [...new Set(lines.map((line) => line - program.split('\n').length))];
  };

  it('shows calls that the compiler refuses, and no other line', async () => {
    const lines = faulty.split('\n');
    expect(lines).to.have.length.above(5);
    expect(await complaints(faulty)).to.deep.equal(lines.map((_, index) => index + 1));
  });

  it('shows code that compiles without `satisfies`', async () => {
    expect(await complaints(unchecked)).to.deep.equal([]);
  });
});
