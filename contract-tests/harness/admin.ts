import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { programEnv } from './program-env.ts';
import type { TestService } from './service.ts';

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** The real command line beside a running service, on the same database and the same files. */
export class Admin {
  readonly env: Record<string, string>;
  private readonly folder: string;

  constructor({ config, folder }: TestService) {
    const { database } = config;
    this.folder = folder;
    this.env = {
      DATA_DIR: folder,
      DATABASE_URL: database.dialect === 'sqlite' ? `sqlite:${database.file}` : database.url,
    };
  }

  run(args: string[], env: Record<string, string> = {}, cwd = process.cwd(), input = ''): Promise<Ended> {
    const program = new URL('../../bin/admin.ts', import.meta.url).pathname;
    const options = { cwd, env: { ...programEnv(), ...this.env, ...env } };
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
        const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
        resolve({ code, stdout, stderr });
      });
      // A program that is over before it read what it was given is no fault of the test.
      child.stdin?.on('error', () => {}).end(input);
    });
  }

  /** Runs a command that must succeed and returns what it prints for people. */
  async text(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    expect({ code, stderr }, args.join(' ')).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.match(/[^\n]\n$/);
    return stdout;
  }

  /** Runs a command that must succeed and returns its one JSON document. */
  async json<Document>(...args: string[]): Promise<Document> {
    return JSON.parse(await this.text(...args, '--json'));
  }

  /** Runs a command that must fail as is foreseen: one line, no stack trace, nothing on standard output. */
  async refused(code: 1 | 2, args: string[], env: Record<string, string> = {}): Promise<string> {
    const ended = await this.run(args, env);
    expect(ended, args.join(' ')).to.deep.include({ code, stdout: '' });
    expect(ended.stderr, args.join(' ')).to.match(/^Error: [^\n]+\n$/);
    return ended.stderr;
  }

  /** A file to name on the command line; what is neither text nor bytes is written as JSON. */
  async file(content: unknown, name = `${randomUUID()}.json`): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, typeof content === 'string' || content instanceof Buffer ? content : JSON.stringify(content));
    return path;
  }
}
