import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MODULES, PACKAGE } from './places.ts';
import { commandFor, type Program } from './walls.ts';

/**
 * Where Node keeps the code of the analysing program compiled, which saves half of the time and a quarter of the memory of each
 * process. Node uses it only where it may also write, so that the kernel has to forbid that (`walls.ts`). What is there
 * comes from a process that met no document.
 */

const FOLDER = join(MODULES, '.cache/forensics');
const FILLER = join(PACKAGE, 'isolation/fill-code-cache.ts');
const INSTALLED = join(MODULES, '.package-lock.json');
/** Says what the folder was filled for. */
const MARK = join(FOLDER, 'filled-for.txt');

let looking: Promise<{ isFilled: boolean }> | undefined;

/**
 * The folder, if it is filled; whoever asks first has it filled for those who come later.
 * @param program for which it is
 */
export async function codeCache(program: Program): Promise<string | undefined> {
  // Without the kernel's limits nothing forbids writing.
  if (process.platform === 'win32') return undefined;
  looking ??= look(program).catch(() => ({ isFilled: false }));
  return (await looking).isFilled ? FOLDER : undefined;
}

async function look(program: Program): Promise<{ isFilled: boolean }> {
  const state = await stateOfSources();
  mkdirSync(FOLDER, { recursive: true });
  const cache = { isFilled: isFilledFor(state) };
  const done = () => {
    cache.isFilled = isFilledFor(state);
  };
  if (!cache.isFilled) await fill(program, state, done);
  return cache;
}

function isFilledFor(state: string): boolean {
  try {
    return readFileSync(MARK, 'utf8') === state;
  } catch {
    return false;
  }
}

/** It goes on when this process ends, as a command does that analyses one file. */
async function fill(program: Program, state: string, done: () => void): Promise<void> {
  const command = await commandFor({
    ...program,
    file: FILLER,
    arguments: [MARK, state],
    codeCache: FOLDER,
    mayFillCache: true,
    addons: true,
  });
  const [file, ...rest] = command.line;
  const filler = spawn(file, rest, { env: command.environment, cwd: '/', stdio: 'ignore', detached: true });
  filler.unref();
  filler.on('error', () => undefined);
  filler.on('exit', done);
}

/** Changes whenever the program or what it is made of does. */
async function stateOfSources(): Promise<string> {
  const names = await readdir(PACKAGE, { recursive: true });
  const files = [INSTALLED, ...names.filter((name) => name.endsWith('.ts')).map((name) => join(PACKAGE, name))];
  const times = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  return `${process.version} ${files.length} ${Math.max(...times)}`;
}
