/**
 * `npm run recipes`: builds the receiver of each framework in examples/recipes whose toolchain is installed, and proves it at its
 * extremes: the largest event, a changed one, a rotated secret, a retry, and work that outlasts the deadline. `npm run recipes -- flask`
 * proves only that one.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, misused } from '../../harness/process/command-line.ts';
import { until } from '../../harness/process/until.ts';
import { type Delivery, provedBy, SECRETS } from './extremes.ts';

const RECIPES = fileURLToPath(new URL('../../examples/recipes/', import.meta.url));
const BUILD_MS = 15 * 60_000;
/** Longer than the checks take, so that work which ran before the answer would be seen. */
const WORK_SECONDS = '4';

/** The programs that a recipe needs beside Node. */
const NEEDS: Record<string, readonly string[]> = {
  flask: ['python3'],
  django: ['python3'],
  go: ['go'],
  laravel: ['php', 'composer'],
  rails: ['ruby', 'bundle'],
  spring: ['javac', 'mvn'],
};

const names = readdirSync(RECIPES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const USAGE = `npm run recipes [-- NAME...]\nNames: ${names.join(', ')}`;
const { positionals: asked } = commandLine(USAGE, { allowPositionals: true });
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) misused(USAGE);

const counts = { passed: 0, failed: 0, 'not checked': 0 };
for (const name of names.filter((each) => asked.length === 0 || asked.includes(each))) {
  const result = await tried(name);
  counts[result.status]++;
  console.log(`${name.padEnd(10)}${result.status}${result.reason ? `: ${result.reason}` : ''}`);
}
console.log(
  Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(', '),
);
process.exitCode = counts.failed > 0 ? 1 : 0;

async function tried(name: string): Promise<{ status: keyof typeof counts; reason?: string }> {
  const lack = (NEEDS[name] ?? []).find(
    (program) => spawnSync('/bin/sh', ['-c', `command -v ${program}`]).status !== 0,
  );
  if (lack) return { status: 'not checked', reason: `${lack} is not on this machine` };
  const folder = mkdtempSync(join(tmpdir(), `screening-recipe-${name}-`));
  let child: ChildProcess | undefined;
  let printed = '';
  const keep = (text: Buffer) => {
    printed += text;
  };
  try {
    cpSync(join(RECIPES, name), folder, { recursive: true });
    execFileSync('/bin/sh', ['-eu', 'build.sh'], { cwd: folder, timeout: BUILD_MS, stdio: 'pipe', maxBuffer: 2 ** 26 });
    const port = await freePort();
    const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: SECRETS.old, WORK_SECONDS };
    child = spawn('/bin/sh', ['run.sh'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', keep);
    const send = (delivery: Delivery) => post(`http://127.0.0.1:${port}/hook`, delivery);
    await until('the receiver answered', async () => {
      assert(child?.exitCode === null, 'The receiver ended.');
      return send({ body: '', headers: {} }).then(Boolean, () => false);
    });
    const timesOf = (id: string) => printed.split(`${id} `).length - 1;
    await provedBy(send, timesOf);
    return { status: 'passed' };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { status: 'failed', reason: `${said}\n${printed.split('\n').slice(-20).join('\n')}` };
  } finally {
    // Java and Flask start processes of their own; a receiver that ended has none left.
    if (child?.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function post(url: string, { body, headers }: Delivery): Promise<number> {
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return status;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port.')),
      );
    });
  });
}
