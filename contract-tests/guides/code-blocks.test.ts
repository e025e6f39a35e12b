import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { blocksOf, guideNames } from './guide.ts';

databases('none');

/** What Biome formats. It joins short lists in JSON, which some readers find harder to read. */
const LANGUAGES = ['js', 'mjs', 'ts'];

describe('code in the guides', () => {
  const blocks = guideNames.flatMap((name) => blocksOf(name).map((block) => ({ name, ...block })));
  for (const { name, heading, language, text } of blocks.filter((block) => LANGUAGES.includes(block.language)))
    it(`has the line breaks of a formatter for code, not for prose: ${name}, ${heading}`, () => {
      const options = [`--stdin-file-path=block.${language}`];
      const { status, stdout } = spawnSync('biome', ['format', ...options], { input: `${text}\n`, encoding: 'utf8' });
      expect(status).to.equal(0);
      expect(stdout).to.equal(`${text}\n`);
    });

  it('has no line of prose in a shell command: each continues after a backslash, a pipe or an open quote', () => {
    const shells = blocks.filter(({ language }) => language === 'sh');
    expect(shells).to.have.length.above(20);
    for (const { name, heading, text } of shells) {
      const { status, stderr } = spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' });
      expect(status, `${name}, ${heading}: ${stderr}`).to.equal(0);
    }
  });
});
