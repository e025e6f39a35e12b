import { UnusableContract } from '../../core/contract.ts';
import { ProviderUnavailable } from '../../core/errors.ts';
import { type Log, logWritten } from '../../core/log.ts';
import { ConfigError } from '../../core/settings/config-error.ts';
import type { StopSettings } from '../../core/settings/stop-settings.ts';
import { oneLine } from '../../core/text.ts';
import { UnfitRoute } from '../../db/connection/postgres/route.ts';
import { NewerSchema } from '../../db/connection/schema-status.ts';
import { explainExternalError } from './explain-external-error.ts';

const SELF_EXPLANATORY = [ProviderUnavailable, NewerSchema, UnfitRoute, UnusableContract];
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** npm forwards a signal that a terminal has already sent to each process of its group. */
const REPEATED_MS = 1_000;
const PARENT_CHECK_MS = 250;
/** For the last lines of the log. */
const MAX_WRITE_MS = 500;

type Signal = (typeof SIGNALS)[number];
type Reason = Signal | 'uncaught error' | 'the npx that started it ended';

interface Running {
  /**
   * @param acceptMs how long to keep accepting requests
   */
  close(acceptMs: number): Promise<void>;
  log: Log;
  settings: StopSettings;
}

/**
 * Starts a program and drains it on SIGTERM or SIGINT, or after an uncaught error, with exit code 1. A second signal ends it immediately.
 * SIGINT comes from a terminal, where no load balancer needs to notice first.
 * @param start receives the signal that aborts when the process is to stop
 */
export async function run(start: (stopping: AbortSignal) => Promise<Running>): Promise<void> {
  const stopping = new AbortController();
  // Listens before the start: a supervisor may send the signal as soon as the program is up.
  const asked = Promise.race([firstSignal(), endOfNpx()]).finally(() => stopping.abort());
  try {
    const running = await start(stopping.signal);
    const ended = Promise.race([asked, firstUncaught(running.log)]).finally(() => stopping.abort());
    ended.then((reason) => stop(running, reason));
  } catch (error) {
    console.error(startFailure(error));
    await exitWritten(1);
  }
}

function firstSignal(): Promise<Signal> {
  return new Promise((resolve) => {
    let repeatedUntil = 0;
    const onSignal = (signal: Signal) => {
      if (repeatedUntil > 0 && performance.now() > repeatedUntil) process.exit(1);
      repeatedUntil ||= performance.now() + REPEATED_MS;
      resolve(signal);
    };
    for (const name of SIGNALS) process.on(name, () => onSignal(name));
  });
}

/** npx starts a shell that forwards no signal, and exits with it. */
function endOfNpx(): Promise<Reason> {
  return new Promise((resolve) => {
    if (process.env['npm_command'] !== 'exec') return;
    const parent = process.ppid;
    const check = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(check);
      resolve('the npx that started it ended');
    }, PARENT_CHECK_MS).unref();
  });
}

/** The process may be in any state afterwards: running work ends, and a supervisor starts another process. */
function firstUncaught(log: Log): Promise<Reason> {
  return new Promise((resolve) => {
    // Node turns an unhandled rejection into an uncaught exception.
    process.on('uncaughtException', (err) => {
      log.fatal({ err }, 'uncaught error');
      process.exitCode = 1;
      resolve('uncaught error');
    });
  });
}

async function stop({ close, log, settings: { drainMs, stopMs } }: Running, reason: Reason): Promise<void> {
  log.info({ reason }, 'stopping');
  // Stays armed until the process has ended, so that it also ends a stop that hangs.
  setTimeout(() => {
    log.error(
      { limitMs: stopMs },
      'stop deadline exceeded: leases of running jobs will expire and other processes take over',
    );
    log.reportSuppressed();
    exitWritten(1);
  }, stopMs).unref();
  try {
    await close(reason === 'SIGINT' ? 0 : drainMs);
    log.reportSuppressed();
    log.info('stopped');
  } catch (error) {
    log.error({ err: error }, 'stop failed');
    log.reportSuppressed();
    process.exitCode = 1;
  }
  // Output that standard output does not drain would keep the process alive.
  if (!(await logWritten(MAX_WRITE_MS))) process.exit();
}

async function exitWritten(code: number): Promise<void> {
  await logWritten(MAX_WRITE_MS);
  process.exit(code);
}

function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof Error && SELF_EXPLANATORY.some((kind) => error instanceof kind))
    return `The service cannot start: ${error.message}`;
  const explanation = explainExternalError(error);
  if (explanation) return `The service cannot start: ${explanation}`;
  return `The service cannot start: ${unexpected(error)}`;
}

/** A fault of the program, in one line with its place: troubleshooting.md tells operators to read the last line. */
function unexpected(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  const frame = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at ')) ?? '';
  const [, place = 'an unknown place'] = /(?<![\w./-])([\w./-]+:\d+):\d+\)?$/.exec(frame) ?? [];
  return oneLine(`${error.name}: ${error.message} (at ${place}). It is a fault of this program: report it`);
}
