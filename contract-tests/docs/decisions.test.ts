import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

const FOLDER = 'docs/decisions';
const STATUSES = ['In force', 'Replaced', 'Withdrawn', 'Unused'];

const read = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8');
const rows = [...read('README.md').matchAll(/^\| (\d+) \| (.*?) \| (.*?) \| (.*?) \|$/gm)].map(
  ([, number, decision = '', line = '', status = '']) => ({ number: Number(number), decision, line, status }),
);

describe('the index of decisions', () => {
  it('lists each file under its number and title', () => {
    const files = readdirSync(FOLDER).filter((name) => name !== 'README.md');
    const titles = files.map((name) => {
      const [, number, title] = /^# (\d+)\. (.*)$/m.exec(read(name)) ?? [];
      expect(Number(number), name).to.equal(Number(name.slice(0, 4)));
      return { number: Number(number), decision: `[${title}](${name})` };
    });
    const listed = rows.filter(({ decision }) => decision.startsWith('['));
    expect(listed.map(({ number, decision }) => ({ number, decision }))).to.deep.equal(titles);
  });

  it('has each number once, in order, those without a file included', () => {
    expect(rows.map(({ number }) => number)).to.deep.equal(rows.map((_, index) => index + 1));
  });

  it('gives a line and a status to each, and a number without a file is not in force', () => {
    for (const { number, decision, line, status } of rows) {
      expect(line, `decision ${number}`).to.not.equal('');
      expect(STATUSES, `decision ${number}`).to.include(status);
      if (!decision.startsWith('[')) expect(status, `decision ${number}`).to.not.equal('In force');
    }
  });
});
