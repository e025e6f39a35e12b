/**
 * `npm run clients`: generates a client with every generator whose toolchain is installed, compiles it and runs a story with it against the
 * service. `npm run clients -- java rust` tests only these stories of examples/clients.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { basePath } from '../../harness/contract/contract.ts';
import { commandLine, misused } from '../../harness/process/command-line.ts';
import { startTestService } from '../../harness/service/service.ts';
import { type Generator, generators, STORIES, versionOf } from './generators.ts';
import { type Stage, StoryError, tell } from './tell.ts';

/** The end of a failure's output, where compilers state the cause. */
const LINES = 60;

const stories = generators.map(({ story }) => story).join(', ');
const USAGE = `npm run clients [-- STORY...]\nStories: ${stories}`;
const { positionals: asked } = commandLine(USAGE, { allowPositionals: true });
const chosen = generators.filter(({ story }) => asked.length === 0 || asked.includes(story));
if (chosen.length < asked.length) misused(USAGE);

const folder = mkdtempSync(join(tmpdir(), 'screening-generators-'));
const lacksPip = chosen.some(({ fromPip }) => fromPip) ? faultOfPip() : undefined;
const test = await startTestService();
const stage: Stage = {
  baseUrl: `${test.service.url}${basePath}`,
  clientId: test.alice.clientId,
  clientSecret: test.alice.clientSecret,
  programs: join(folder, 'bin'),
};
const results = { passed: 0, failed: 0, 'not checked': 0 };
const languages = new Set<string>();
try {
  report('STORY', 'GENERATOR', 'COMPILED', 'STORY PASSED', 'SECONDS');
  for (const generator of chosen) results[await tried(generator)]++;
} finally {
  await test.stop();
  rmSync(folder, { recursive: true, force: true });
}
const counted = Object.entries(results).map(([result, count]) => `${count} ${result}`);
console.log(`${counted.join(', ')}; ${languages.size} languages: ${[...languages].sort().join(', ')}`);
process.exitCode = results.failed > 0 ? 1 : 0;

async function tried(generator: Generator): Promise<keyof typeof results> {
  const name = `${generator.name} ${versionOf(generator)}`;
  const lack = generator.needs.find(isMissing);
  const reason = lack ? `${lack} is not on this machine` : generator.fromPip ? lacksPip : undefined;
  if (reason) {
    report(generator.story, name, `not checked: ${reason}`);
    return 'not checked';
  }
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0);
  try {
    const { applicationId } = await tell(generator, stage);
    await test.alice.ok('getApplication', { params: { applicationId } });
    report(generator.story, name, 'yes', 'yes', seconds());
    languages.add(generator.language);
    return 'passed';
  } catch (error) {
    if (!(error instanceof StoryError)) throw error;
    report(generator.story, name, error.step === 'build' ? 'NO' : 'yes', 'NO', seconds());
    console.log(error.message.split('\n').slice(-LINES).join('\n'));
    return 'failed';
  }
}

function report(story: string, generator: string, ...rest: string[]): void {
  console.log(
    `${story.padEnd(30)}${generator.padEnd(32)}${rest
      .map((cell) => cell.padEnd(14))
      .join('')
      .trimEnd()}`,
  );
}

/** Installs the packages in `requirements.txt`. @returns why it could not */
function faultOfPip(): string | undefined {
  if (isMissing('python3')) return 'python3 is not on this machine';
  try {
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'pipe' });
    const requirements = fileURLToPath(new URL('requirements.txt', STORIES));
    execFileSync(join(folder, 'bin/python3'), ['-m', 'pip', 'install', '--quiet', '-r', requirements], {
      stdio: 'pipe',
    });
    return undefined;
  } catch (error) {
    return `pip does not install it (${error instanceof Error ? error.message.split('\n', 1) : error})`;
  }
}

function isMissing(program: string): boolean {
  return spawnSync('/bin/sh', ['-c', `command -v ${program}`]).status !== 0;
}
