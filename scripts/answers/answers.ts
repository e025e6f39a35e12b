import { createForensicEngine } from '@tenant-screening/forensics/analyse';
import { judgedAnswers } from './judged-answers.ts';

/**
 * Measures how often the answers about files that people hand in are right: `npm run answers -- [seed] [count]`. Prints the files
 * that were answered wrongly, and the share of right answers.
 */
const [seed = 'measured', count = '200'] = process.argv.slice(2);
const engine = createForensicEngine();
let right = 0;
for await (const { file, answers, isRight } of judgedAnswers(engine, seed, [...Array(Number(count)).keys()])) {
  if (isRight) right += 1;
  else
    console.log(`${file.name}: says ${file.says}, is ${file.is}, must ${file.must}; told ${JSON.stringify(answers)}`);
}
await engine.close();
console.log(`${right} of ${count} files are answered rightly: ${((right / Number(count)) * 100).toFixed(1)} %.`);
