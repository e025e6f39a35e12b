import type { Command } from 'commander';
import { createLog } from '../../../core/log.ts';
import { readConfig } from '../../../core/settings/config.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import { hideProgress } from './progress.ts';

/** What a command found or did: one JSON document, and the same for people. */
export interface Output {
  json: object;
  text: string;
  /** Where what was looked at is not as it should be. */
  exitCode?: 1;
}

/**
 * Makes the action of a command of what it does with the service's parts. The parts are opened for the one command and
 * always closed. The output is printed before that, because a secret that is shown once must not be lost to a failure.
 */
export function withRuntime<Input extends unknown[]>(work: (runtime: Runtime, ...input: Input) => Promise<Output>) {
  return async function action(this: Command, ...input: Input): Promise<void> {
    if (wantsJson(this)) hideProgress();
    const config = readConfig({ ...process.env, LOG_LEVEL: process.env['LOG_LEVEL'] || 'silent' });
    // Only now: help and usage faults need none of the service, and come at once without it.
    const { build } = await import('../../service/build.ts');
    const log = createLog(config.logLevel, process.stderr);
    const { runtime, close } = await build(config, { log, isCommand: true });
    try {
      print(this, await work(runtime, ...input));
    } finally {
      await close();
    }
  };
}

/** As `withRuntime`, for what sends jobs: when the queue cannot be opened, nothing has been changed. */
export function withQueue<Input extends unknown[]>(work: (runtime: Runtime, ...input: Input) => Promise<Output>) {
  return withRuntime(async (runtime, ...input: Input) => {
    await runtime.queue.start({});
    return work(runtime, ...input);
  });
}

/** Makes the action of a command of what it does with nothing but its arguments: no database, no folder, no key. */
export function alone<Input extends unknown[]>(work: (...input: Input) => Promise<Output>) {
  return async function action(this: Command, ...input: Input): Promise<void> {
    if (wantsJson(this)) hideProgress();
    print(this, await work(...input));
  };
}

function wantsJson(command: Command): boolean {
  return command.optsWithGlobals()['json'] === true;
}

function print(command: Command, { json, text, exitCode }: Output): void {
  process.stdout.write(`${wantsJson(command) ? JSON.stringify(json, null, 2) : text}\n`);
  process.exitCode = exitCode;
}

/** Whether the package's `bin` entry was started, which says as what, rather than npm's script. */
export function isEntry(): boolean {
  return entry() !== undefined;
}

function entry(): string | undefined {
  return process.env['ADMIN_ENTRY'] || undefined;
}

/** What usage lines begin with. */
export function programName(): string {
  return entry() ?? 'npm run admin --';
}

/** The command as it is to be typed, for examples and advice. */
export function typed(command: string): string {
  return `${entry() ?? 'npm run --silent admin --'} ${command}`;
}

/** What follows a command's help. */
export function example(...commands: string[]): string {
  return `\nExample:\n${commands.map((command) => `  ${typed(command)}`).join('\n')}`;
}
