import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { explain } from '../../bin/admin/cli/faults.ts';
import { createProgram } from '../../bin/admin/program.ts';
import { expectDocumented } from '../contract/documented-json.ts';
import { programEnv } from '../process/process.ts';
import type { TestService } from './service.ts';

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** The real command line beside a running service, on the same database and the same files. */
export class Admin {
  private readonly test: Pick<TestService, 'config' | 'folder'>;
  readonly settings: Record<string, string>;

  /** @param settings of the commands beside those that name the database and the folder */
  constructor(test: Pick<TestService, 'config' | 'folder'>, settings: Record<string, string> = {}) {
    this.test = test;
    this.settings = settings;
  }

  get env(): Record<string, string> {
    const { config, folder } = this.test;
    const { database } = config;
    return {
      DATA_DIR: folder,
      DATABASE_URL: database.dialect === 'sqlite' ? `sqlite:${database.file}` : database.url,
      ...this.settings,
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

  /** Runs a command that must succeed and returns its one JSON document, which is as it is documented. */
  async json<Document>(...args: string[]): Promise<Document> {
    const printed = JSON.parse(await this.text(...args, '--json'));
    expectDocumented(args, printed);
    return printed;
  }

  /** Runs a command that must fail as is foreseen: one line, no stack trace, nothing on standard output. */
  async refused(code: 1 | 2, args: string[], env: Record<string, string> = {}): Promise<string> {
    const ended = await this.run(args, env);
    expect(ended, args.join(' ')).to.deep.include({ code, stdout: '' });
    expect(ended.stderr, args.join(' ')).to.match(/^Error: [^\n]+\n$/);
    return ended.stderr;
  }

  /** A file to name on the command line; anything but text and bytes is written as JSON. */
  async file(content: unknown, name = `${randomUUID()}.json`): Promise<string> {
    const path = join(this.test.folder, name);
    await writeFile(path, typeof content === 'string' || content instanceof Buffer ? content : JSON.stringify(content));
    return path;
  }
}

/**
 * What the command line says of arguments; undefined when it understands them. It finds that out before anything is opened, so
 * that asking takes no process.
 */
export async function usageFault(...args: string[]): Promise<string | undefined> {
  const understood = new Error('understood');
  const program = await createProgram(args);
  program.hook('preAction', () => {
    throw understood;
  });
  const error: unknown = await program.parseAsync(args, { from: 'user' }).catch((thrown: unknown) => thrown);
  if (error === understood) return undefined;
  const { exitCode, message } = explain(error);
  expect(exitCode, args.join(' ')).to.equal(2);
  expect(message, args.join(' ')).to.match(/^Error: [^\n]+$/);
  return message;
}

/** Expects that the arguments are not understood, and returns what is said of them. */
export async function misunderstood(...args: string[]): Promise<string> {
  const fault = await usageFault(...args);
  return fault ?? expect.fail(`it was understood: ${args.join(' ')}`);
}
