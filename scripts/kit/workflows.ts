import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Kit } from './published-kit.ts';
import { type Outcome, run } from './tools.ts';

interface Job {
  commands: string;
  env: Record<string, string>;
}

/**
 * What a runner of GitHub does with the published workflow file, in an empty folder: its commands, with its secrets and variables.
 * @throws unless GitLab's file has the same commands and variables
 */
export async function runWorkflow({ folder, env, docsUrl }: Kit): Promise<Outcome> {
  const given: Record<string, string> = { ...env, DOCS_URL: docsUrl };
  const secretOf = (name: string) => given[name] ?? assert.fail(`The guide names no SANDBOX_${name}.`);
  const filled = ({ commands, env: declared }: Job, reference: RegExp): Job => ({
    commands: commands.trim(),
    env: Object.fromEntries(
      Object.entries(declared).map(([name, value]) => [name, value.replace(reference, (_, named) => secretOf(named))]),
    ),
  });
  const github = filled(await githubJob(folder), /^\$\{\{ (?:vars|secrets)\.SANDBOX_(\w+) \}\}$/);
  const gitlab = filled(await gitlabJob(folder), /^\$SANDBOX_(\w+)$/);
  assert.deepEqual(gitlab, github);
  const checkout = join(folder, 'checkout');
  await mkdir(checkout);
  return run('bash', ['-e', '-c', github.commands], checkout, github.env);
}

async function githubJob(folder: string): Promise<Job> {
  const { jobs }: { jobs: { contract: { steps: { run?: string; env?: Record<string, string> }[] } } } = parse(
    await readFile(join(folder, 'github-workflow.yml'), 'utf8'),
  );
  const { run: commands = '', env = {} } = jobs.contract.steps.find((step) => step.run) ?? {};
  return { commands, env };
}

async function gitlabJob(folder: string): Promise<Job> {
  const file: { 'contract-tests': { script: string[]; variables: Record<string, string> } } = parse(
    await readFile(join(folder, 'gitlab-ci.yml'), 'utf8'),
  );
  const { script, variables } = file['contract-tests'];
  return { commands: script.join('\n'), env: variables };
}
