/** `npm run conditions [-- <mocha options>]`: brings about each condition on both databases, one after the other; ends with code 1 when one is not named or does not clear. */
import { spawnSync } from 'node:child_process';
import { commandLine } from '../../harness/process/command-line.ts';

// The options are mocha's.
commandLine('npm run conditions [-- MOCHA OPTION...]', { strict: false });
const outcomes = ['sqlite', 'postgres'].map((database) => {
  const { status } = spawnSync('mocha', ['contract-tests/conditions/program.ts', ...process.argv.slice(2)], {
    env: { ...process.env, TEST_DATABASE: database },
    stdio: 'inherit',
  });
  return { database, isWell: status === 0 };
});
for (const { database, isWell } of outcomes)
  console.log(`Conditions on ${database}: ${isWell ? 'each was named and cleared' : 'see the failures above'}.`);
process.exitCode = outcomes.every(({ isWell }) => isWell) ? 0 : 1;
