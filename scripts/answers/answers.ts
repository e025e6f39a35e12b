import { createForensicEngine } from '@tenant-screening/forensics/analyse';
import { commandLine } from '../../harness/process/command-line.ts';
import { judgedAnswers } from './judged-answers.ts';

/**
 * Measures how often the answers about files that people hand in are right: `npm run answers -- [seed] [count] [first]`. Prints the files
 * that were answered wrongly, the share of right answers, and how far it is, so that a run may be done in portions.
 */
const { positionals } = commandLine('npm run answers [-- SEED [COUNT [FIRST]]]', { allowPositionals: true });
const [seed = 'measured', count = '200', first = '0'] = positionals;
const PORTION = 20;
const numbers = Array.from({ length: Number(count) }, (_, index) => Number(first) + index);
const engine = createForensicEngine();
let [right, seen] = [0, 0];
for await (const { file, answers, isRight } of judgedAnswers(engine, seed, numbers)) {
  seen += 1;
  if (isRight) right += 1;
  else
    console.log(`${file.name}: says ${file.says}, is ${file.is}, must ${file.must}; told ${JSON.stringify(answers)}`);
  if (seen % PORTION === 0 || seen === numbers.length)
    console.log(
      `${right} of ${seen} files from ${first} are answered rightly: ${((right / seen) * 100).toFixed(1)} %.`,
    );
}
await engine.close();
