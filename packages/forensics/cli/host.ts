import type { Command } from 'commander';
import type { EngineSettings } from '../analysis.ts';

/** A command's result: one JSON document, and the same as text. */
export interface Output {
  json: object;
  text: string;
  exitCode?: 1;
}

/** What the program that offers the commands provides: this package (`main.ts`) or another program. */
export interface Host {
  /** Turns a command's work into its action, which prints the output, as JSON if requested. */
  action<Input extends unknown[]>(
    work: (...input: Input) => Promise<Output>,
  ): (this: Command, ...input: Input) => Promise<void>;
  /** The end of a help text: example commands as typed in this program. */
  example(...commands: string[]): string;
  /** The absolute path of a file name as typed. */
  resolve(typed: string): string;
  settings(): EngineSettings;
  /** Shows progress on a terminal: the calls of `tick` out of `total`. */
  withProgress<Result>(
    title: string,
    total: number,
    work: (tick: (done: number) => void) => Promise<Result>,
  ): Promise<Result>;
  table<Row extends Record<string, string>>(rows: readonly Row[], layout: TableLayout<keyof Row & string>): string;
}

interface TableLayout<Column extends string> {
  columns: Column[];
  /** Columns that may be cut short on a narrow terminal. */
  cut: Column[];
  /** Shown when there are no rows. */
  empty: string;
}
