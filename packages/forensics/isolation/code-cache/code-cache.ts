import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MODULES } from '../dependencies.ts';
import { PACKAGE } from '../paths.ts';
import { type Program, sandboxed } from '../sandbox.ts';

/**
 * Node's compile cache for the worker: it saves half of the time and a quarter of the memory of each process. Node uses a cache only with
 * permission to write to it, so the kernel revokes write access again (`sandbox.ts`). A process that never reads a document fills the
 * cache.
 */

const [OUTERMOST = PACKAGE] = MODULES;
const FOLDER = join(OUTERMOST, '.cache/forensics');
const FILLER = join(PACKAGE, 'isolation/code-cache/fill-code-cache.ts');
const INSTALLED = join(OUTERMOST, '.package-lock.json');
/** Names the state of the sources for which the folder was filled. */
const MARK = join(FOLDER, 'filled-for.txt');

let state: Promise<{ isFilled: boolean }> | undefined;

/** The folder if it is filled. The first call starts filling it for later ones. */
export async function codeCache(program: Program): Promise<string | undefined> {
  // Without the kernel's limits a worker could write to the cache.
  if (process.platform === 'win32') return undefined;
  state ??= prepare(program).catch(() => ({ isFilled: false }));
  return (await state).isFilled ? FOLDER : undefined;
}

async function prepare(program: Program): Promise<{ isFilled: boolean }> {
  const sources = await stateOfSources();
  mkdirSync(FOLDER, { recursive: true });
  const cache = { isFilled: isFilledFor(sources) };
  const done = () => {
    cache.isFilled = isFilledFor(sources);
  };
  if (!cache.isFilled) await fill(program, sources, done);
  return cache;
}

function isFilledFor(sources: string): boolean {
  try {
    return readFileSync(MARK, 'utf8') === sources;
  } catch {
    return false;
  }
}

/** Detached: it outlives a command that analyses a single file. */
async function fill(program: Program, sources: string, done: () => void): Promise<void> {
  const command = await sandboxed({
    ...program,
    file: FILLER,
    arguments: [MARK, sources],
    codeCache: FOLDER,
    fillsCache: true,
    addons: true,
  });
  const [file, ...rest] = command.line;
  const filler = spawn(file, rest, { env: command.environment, cwd: '/', stdio: 'ignore', detached: true });
  filler.unref();
  filler.on('error', () => undefined);
  filler.on('exit', done);
}

/** Changes whenever the sources or the installed packages do. */
async function stateOfSources(): Promise<string> {
  const names = await readdir(PACKAGE, { recursive: true });
  const files = [INSTALLED, ...names.filter((name) => name.endsWith('.ts')).map((name) => join(PACKAGE, name))];
  const times = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  return `${process.version} ${files.length} ${Math.max(...times)}`;
}
