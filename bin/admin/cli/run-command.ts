import type { Command } from 'commander';
import { createLog } from '../../../core/log.ts';
import { type Config, readConfig } from '../../../core/settings/config.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import { hideProgress } from './progress.ts';
import { showWide } from './terminal.ts';

/** The result of a command: one JSON document, and the same as text for people. */
export interface Output {
  json: object;
  text: string;
  /** Set when a check failed. */
  exitCode?: 1;
}

/**
 * The entry point for reading a command: makes a commander action of `work`.
 *
 * 0. `bin/admin.ts` reads the settings file; `program.ts` loads the typed noun, whose file declares commands and options; commander
 *    parses the arguments with the readers of `values.ts`.
 * 1. Reads the settings, with logging off unless LOG_LEVEL is set. @throws ConfigError
 * 2. Imports and builds the service's parts without workers or a port. Help and usage errors come before this, so they are fast.
 *    Mail, outbound HTTP and forensics open on first use.
 * 3. Runs `work` with the parts, the arguments and the options.
 * 4. Prints the output, as JSON with --json, and sets the exit code. Before closing, because a failure to close must not lose a
 *    secret that is shown once.
 * 5. Closes everything, after an error too. `faults.ts` turns an error into a message and an exit code in `bin/admin.ts`.
 */
export function withRuntime<Input extends unknown[]>(
  work: (runtime: Runtime & { config: Config }, ...input: Input) => Promise<Output>,
) {
  return async function action(this: Command, ...input: Input): Promise<void> {
    prepareOutput(this);
    const config = readConfig({ ...process.env, LOG_LEVEL: process.env['LOG_LEVEL'] || 'silent' });
    const { build } = await import('../../service/build.ts');
    const log = createLog(config.logLevel, process.stderr);
    const { runtime, close } = await build(config, { log, isCommand: true });
    try {
      print(this, await work({ ...runtime, config }, ...input));
    } finally {
      await close();
    }
  };
}

/** Like `withRuntime`, for commands that need neither the settings nor the service's parts, or open their own. */
export function standalone<Input extends unknown[]>(work: (...input: Input) => Promise<Output>) {
  return async function action(this: Command, ...input: Input): Promise<void> {
    prepareOutput(this);
    print(this, await work(...input));
  };
}

/** Whether the program may end although something still waits for a silent party. */
export const ending = { mayAbandon: false };

/**
 * Like `standalone`, for a command that prints its answers as they come; with --json, all of them at the end.
 * @param work receives a function that prints a part of the text
 */
export function streamed(work: (print: (text: string) => void) => Promise<Output>) {
  return async function action(this: Command): Promise<void> {
    prepareOutput(this);
    const isJson = wantsJson(this);
    print(this, await work((text) => isJson || process.stdout.write(`${text}\n`)));
    ending.mayAbandon = true;
  };
}

function prepareOutput(command: Command): void {
  if (wantsJson(command)) hideProgress();
  showWide(command.optsWithGlobals()['wide'] === true);
}

function wantsJson(command: Command): boolean {
  return command.optsWithGlobals()['json'] === true;
}

function print(command: Command, { json, text, exitCode }: Output): void {
  process.stdout.write(`${wantsJson(command) ? JSON.stringify(json, null, 2) : text}\n`);
  process.exitCode = exitCode;
}

/** The package's `bin` entry, which sets ADMIN_ENTRY to its own name; undefined when started by npm's script. */
export function entry(): string | undefined {
  return process.env['ADMIN_ENTRY'] || undefined;
}

/** The beginning of usage lines. */
export function programName(): string {
  return entry() ?? 'npm run admin --';
}

/** A command as the operator has to type it, for examples and advice. */
export function commandLine(command: string): string {
  return `${entry() ?? 'npm run --silent admin --'} ${command}`;
}

/** The examples below a command's help. */
export function example(...commands: string[]): string {
  return `\nExample:\n${commands.map((command) => `  ${commandLine(command)}`).join('\n')}`;
}
