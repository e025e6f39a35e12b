import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { programEnv } from '../../harness/process/process.ts';
import { eventually, hear } from '../../harness/process/signals.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

/** Programs that guides require and a machine may lack. */
const STAND_INS = ['curl', 'openssl'] as const;

/** A program of a guide that is running. */
export interface Running {
  /** Its output so far. */
  printed(): string;
  /** The port that it reports. */
  port: number;
}

/** A reader who follows a guide: saves its files in a folder and runs its commands there. */
export class Reader {
  readonly folder: string;
  private readonly path: string;
  private readonly children: ChildProcess[] = [];

  private constructor(folder: string, path: string) {
    this.folder = folder;
    this.path = path;
  }

  /** With this repository's packages installed, and stand-ins for programs that the machine lacks. */
  static async create(standIns: readonly string[] = STAND_INS.filter(isMissing)): Promise<Reader> {
    const folder = await mkdtemp(join(tmpdir(), 'screening-reader-'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const programs = join(folder, 'programs');
    await mkdir(programs);
    for (const name of standIns) {
      const source = join(ROOT, 'contract-tests/guides/stand-ins', `${name}.ts`);
      await writeFile(join(programs, name), `#!/bin/sh\nexec '${process.execPath}' '${source}' "$@"\n`);
      await chmod(join(programs, name), 0o755);
    }
    return new Reader(folder, [programs, process.env['PATH']].join(delimiter));
  }

  save(name: string, text: string): Promise<void> {
    return writeFile(join(this.folder, name), `${text}\n`);
  }

  /** Pastes commands into one shell and returns what each printed. @throws when one fails */
  async paste(commands: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
    const script = commands.map((command) => `${command}\nprintf '\\036'\n`).join('');
    const output = await this.execute('/bin/sh', ['-euc', script], env);
    return output.split('\x1e').slice(0, -1);
  }

  /** Runs Node to its end and returns what it printed. @throws when it fails */
  node(...args: string[]): Promise<string> {
    return this.execute(process.execPath, args, {});
  }

  /** Starts a server of a guide on a free port. */
  async serve(args: string[], env: Record<string, string> = {}): Promise<Running> {
    const child = spawn(process.execPath, args, {
      ...this.options({ ...env, PORT: '0' }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.children.push(child);
    let printed = '';
    hear(child.stdout, (text) => {
      printed += text;
    });
    const port = await eventually('the program listened', () => /127\.0\.0\.1:(\d+)/.exec(printed)?.[1]);
    return { printed: () => printed, port: Number(port) };
  }

  async stop(): Promise<void> {
    for (const child of this.children) child.kill('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }

  private execute(program: string, args: string[], env: Record<string, string>): Promise<string> {
    return new Promise((resolve, reject) => {
      execFile(program, args, this.options(env), (error, stdout, stderr) => {
        if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
        else resolve(stdout);
      });
    });
  }

  private options(env: Record<string, string>) {
    return { cwd: this.folder, env: { ...programEnv(), PATH: this.path, ...env } };
  }
}

function isMissing(program: string): boolean {
  try {
    execFileSync('/bin/sh', ['-c', `command -v ${program}`]);
    return false;
  } catch {
    return true;
  }
}
