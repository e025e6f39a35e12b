import { globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

const FOLDERS = ['bin', 'core', 'db', 'handlers', 'http', 'jobs', 'providers', 'queue'];
/** In the order in which `git grep` lists files. */
const sources = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.ts`)).sort();
const MAX_FILES_READ = 6;

const rows = [
  ...readFileSync('docs/development.md', 'utf8').matchAll(/^\| (.*\?) \| `(.*)` \| `(.*)` `(\w+)` \|$/gm),
].map(([, question = '', word = '', file = '', name = '']) => ({ question, word, file, name }));

describe('a search for the obvious word', () => {
  it('answers ten questions', () => {
    expect(rows).to.have.length(10);
  });

  for (const { question, word, file, name } of rows)
    it(`leads within its first files to the deciding one: ${question}`, () => {
      const hits = sources.filter((path) => readFileSync(path, 'utf8').toLowerCase().includes(word.toLowerCase()));
      expect(hits.slice(0, MAX_FILES_READ)).to.include(file);
      expect(readFileSync(file, 'utf8')).to.match(new RegExp(`(function|class|const) ${name}\\b`));
    });
});
