import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { explain } from '../../bin/admin/cli/faults.ts';
import { createProgram } from '../../bin/admin/program.ts';
import { expectDocumented } from '../contract/documented-json.ts';
import { settingsOf } from '../database/databases.ts';
import { programEnv } from '../process/process.ts';
import type { Command, Ended } from './admin-host.ts';
import type { TestService } from './service.ts';

/** The actual command line beside a running service, on the same database and files. */
export class Admin {
  private readonly test: Pick<TestService, 'config' | 'folder'>;
  readonly settings: Record<string, string>;

  /**
   * @param settings of the commands, besides those for the database and the folder
   */
  constructor(test: Pick<TestService, 'config' | 'folder'>, settings: Record<string, string> = {}) {
    this.test = test;
    this.settings = settings;
  }

  get env(): Record<string, string> {
    const { config, folder } = this.test;
    return {
      DATA_DIR: folder,
      ...settingsOf(config.database),
      ...this.settings,
    };
  }

  /** Runs in a process beside the test's own, which other commands share in turn. */
  run(args: string[], env: Record<string, string> = {}, cwd = process.cwd(), input = ''): Promise<Ended> {
    return runInHost({ args, env: { ...programEnv(), ...this.env, ...env }, cwd, input });
  }

  /** Runs a command that must succeed and returns what it prints for people. */
  async text(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    expect({ code, stderr }, args.join(' ')).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.match(/[^\n]\n$/);
    return stdout;
  }

  /** Runs a command that must succeed and returns its JSON document, after checking it against the documentation. */
  async json<Document>(...args: string[]): Promise<Document> {
    const printed = JSON.parse(await this.text(...args, '--json'));
    expectDocumented(args, printed);
    return printed;
  }

  /** Runs a command that must fail in the expected way: one line, no stack trace, nothing on standard output. */
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
 * The command line's complaint about arguments; undefined when it accepts them. Parsing comes before anything is opened, so this needs no
 * process.
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

/** The names of the columns of a table for people, whose order and widths a command does not promise. */
export function columnsOf(table: string): string[] {
  return (table.split('\n', 1)[0] ?? '').split(/ {2,}/);
}

/** Expects a usage error for the arguments, and returns its message. */
export async function misunderstood(...args: string[]): Promise<string> {
  const fault = await usageFault(...args);
  return fault ?? expect.fail(`it was understood: ${args.join(' ')}`);
}

interface Host {
  process: ChildProcess;
  died: Promise<never>;
  /** Node reads this variable only at its start. */
  certificates: string | undefined;
}

/** Hosts that are not running a command, shared by all test files of this process. Concurrent commands have one each. */
const idleHosts: Host[] = [];

async function runInHost(command: Command): Promise<Ended> {
  const { NODE_EXTRA_CA_CERTS: certificates } = command.env;
  const found = idleHosts.findIndex((host) => host.certificates === certificates);
  const [host = startHost(certificates)] = found < 0 ? [] : idleHosts.splice(found, 1);
  host.process.ref();
  host.process.channel?.ref();
  const answer = once(host.process, 'message');
  host.process.send(command);
  const [ended] = await Promise.race([answer, host.died]);
  // An idle host does not keep the test process alive, and ends with it.
  host.process.channel?.unref();
  host.process.unref();
  idleHosts.push(host);
  return ended;
}

function startHost(certificates: string | undefined): Host {
  const env = { ...programEnv(), ...(certificates ? { NODE_EXTRA_CA_CERTS: certificates } : {}) };
  const started = fork(new URL('admin-host.ts', import.meta.url), { env, execArgv: [] });
  const died = once(started, 'exit').then(([code, signal]) =>
    Promise.reject(new Error(`The process of the command line died: ${signal ?? `code ${code}`}.`)),
  );
  return { process: started, died, certificates };
}
