/** `npm run conditions [-- <mocha options>]`: brings about each condition on both databases, one after the other; ends with code 1 when one is not named or does not clear. */
import { spawnSync } from 'node:child_process';
import { commandLine } from '../../harness/process/command-line.ts';

// The options are mocha's.
commandLine('npm run conditions [-- MOCHA OPTION...]', { strict: false });
const codes = ['sqlite', 'postgres'].map((database) => {
  const { status } = spawnSync('mocha', ['contract-tests/conditions/program.ts', ...process.argv.slice(2)], {
    env: { ...process.env, TEST_DATABASE: database },
    stdio: 'inherit',
  });
  return status ?? 1;
});
process.exitCode = codes.some((code) => code !== 0) ? 1 : 0;
