import { createForensicEngine } from '@tenant-screening/forensics/analyse';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { judgedAnswers } from '../../scripts/answers/judged-answers.ts';

databases('none', 'nightly');

const FILES = 200;
const MIN_RIGHT = 0.95;

describe('the answers to files that people hand in', () => {
  it(`are right for ${MIN_RIGHT * 100} % of ${FILES} mixed files`, async function () {
    this.timeout(1_800_000);
    const engine = createForensicEngine();
    const wrong: string[] = [];
    for await (const { file, answers, isRight } of judgedAnswers(engine, 'nightly', [...Array(FILES).keys()]))
      if (!isRight) wrong.push(`${file.name}: ${JSON.stringify(answers)}`);
    await engine.close();
    expect(1 - wrong.length / FILES, wrong.join('\n')).to.be.at.least(MIN_RIGHT);
  });
});
