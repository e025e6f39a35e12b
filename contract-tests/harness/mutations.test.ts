import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { databases, databasesOf } from '../../harness/database/dialect.ts';
import { mutated, roomOf, StaleMutation, testFilesOf } from '../../scripts/mutations/mutation.ts';
import { mutations } from '../../scripts/mutations/table.ts';

databases('none');

const ROOMS = ['bin', 'core', 'db', 'handlers', 'http', 'jobs', 'packages/forensics', 'providers', 'queue'];

/** `npm run mutations` proves that tests notice each of them. */
describe('the table of mutations', () => {
  it('covers every room with at least forty guarded lines', () => {
    expect(mutations.length).to.be.at.least(40);
    expect([...new Set(mutations.map(roomOf))]).to.include.members(ROOMS);
    expect(new Set(mutations.map(({ id }) => id)).size).to.equal(mutations.length);
  });

  for (const [file, ofFile] of Map.groupBy(mutations, (mutation) => mutation.file))
    it(`has each text once in ${file}`, () => {
      const source = readFileSync(file, 'utf8');
      for (const mutation of ofFile) expect(mutated(source, [mutation])).to.not.equal(source);
      // The type check applies them together.
      expect(mutated(source, ofFile)).to.not.equal(source);
    });

  it('names test files that exist and that npm test runs', () => {
    for (const file of mutations.flatMap(testFilesOf)) {
      expect(existsSync(file), file).to.equal(true);
      if (file.startsWith('contract-tests')) expect(databasesOf(file, 'daily'), file).to.not.be.empty;
      else expect(file).to.not.include('nightly');
    }
  });

  it('says what to update when a text is missing, repeated, or overlaps another', () => {
    const mutation = { id: 'one', hurts: '', file: 'core/one.ts', text: 'if (a)', replacement: 'if (b)', tests: [] };
    const broken = (source: string, ...more: string[]) =>
      mutated(source, [mutation, ...more.map((text) => ({ ...mutation, id: text, text }))]);
    expect(broken('if (a) c();')).to.equal('if (b) c();');
    expect(() => broken('if (c)')).to.throw(StaleMutation, 'one: its text is not in core/one.ts any more');
    expect(() => broken('if (a) if (a)')).to.throw(StaleMutation, 'one: its text is more than once');
    expect(() => broken('if (a) c();', '(a) c')).to.throw(StaleMutation, 'overlaps');
  });
});
