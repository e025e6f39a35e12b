import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import asvs from './asvs-5.0.json' with { type: 'json' };

databases('none');

const page = readFileSync('docs/security.md', 'utf8');
const [, requirements = ''] = page.split('## OWASP ASVS 5.0, levels 1 and 2');
const chapters = requirements.split(/^### V/m).slice(1);
const rows = [...requirements.matchAll(/^\| (\d.*) \|$/gm)].map(([, row = '']) => row.split(' | '));

const byNumber = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });

describe('the page about security', () => {
  it('has every requirement of levels 1 and 2 exactly once, in its chapter', () => {
    const named = chapters.flatMap((chapter) => {
      const numbers = chapter.match(/\b\d+\.\d+\.\d+\b/g) ?? [];
      const own = /^\d+/.exec(chapter)?.[0];
      expect(numbers.filter((number) => number.split('.', 1)[0] !== own)).to.deep.equal([]);
      return numbers;
    });
    expect(named.sort(byNumber)).to.deep.equal([...asvs.level1, ...asvs.level2].sort(byNumber));
  });

  it('says of each that applies what it asks for, what is here, and one of three states, with what is missing', () => {
    expect(rows).to.have.length.above(180);
    for (const [number, asks, here, status, ...rest] of rows) {
      expect(rest, number).to.have.length(1);
      expect([asks, here], number).to.not.include('');
      expect(status, number).to.match(/^(met|partly: \S.*|not met)$/);
    }
  });

  it('names evidence for each, which exists', () => {
    for (const [number, , , , evidence = ''] of rows) {
      const paths = evidence.split(', ').map((path) => /^`([^`]+)`$/.exec(path)?.[1] ?? path);
      expect(
        paths.filter((path) => !existsSync(path)),
        number,
      ).to.deep.equal([]);
    }
  });

  it('says in each chapter what does not apply, and why', () => {
    expect(chapters).to.have.length(17);
    for (const chapter of chapters)
      expect(chapter).to.match(/^Does not apply: (none\.|(?:\d+\.\d+\.\d+[^(]*\([^)]+\)(, |\.))+)$/m);
  });

  it('counts the states as they are', () => {
    const count = (state: string) => rows.filter(([, , , status = '']) => status.split(':', 1)[0] === state).length;
    const left = asvs.level1.length + asvs.level2.length - rows.length;
    expect(requirements).to.include(
      `${count('met')} are met, ${count('partly')} partly, ${count('not met')} not; ${left} do not apply.`,
    );
  });
});
