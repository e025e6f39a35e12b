/**
 * Waiting for facts of this process without polling. Whatever a test observes signals: requests and responses of the service and of its peers,
 * background work, log lines, mails, output of programs.
 */
import { subscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { WorkEvents } from '../../jobs/runtime.ts';
import { PATIENCE_MS } from './patience.ts';

/** An event may precede the commit that it announces, so a fact is checked again after each of these delays. */
const FOLLOW_UPS_MS = [10, 50, 250];
/** Between two checks passes this many times the duration of a check, because checking hundreds of rows takes CPU time from the work. */
const PAUSE_SHARE = 3;
const WORK_EVENTS = [
  ...(['claimed', 'started', 'completed', 'failed', 'lease lost', 'lease expired'] as const),
  ...(['delivery attempted', 'document analysed'] as const),
];

const signals = new EventEmitter<{ signal: [] }>().setMaxListeners(0);
for (const channel of ['http.server.request.start', 'http.server.response.finish']) subscribe(channel, signal);

/** Announces that something happened that a test may wait for. */
export function signal(): void {
  signals.emit('signal');
}

/** Signals each event of a service's background work. */
export function signalWork(work: EventEmitter<WorkEvents>): void {
  for (const event of WORK_EVENTS) work.on(event, signal);
}

/** Reads the output of a program piece by piece; each signals. */
export function hear(output: Readable | null | undefined, take: (text: string) => void): void {
  if (!output) throw new Error('The program has no such output.');
  output.on('data', (piece: Buffer) => {
    take(String(piece));
    signal();
  });
}

/** Reads the output of a program line by line; each signals. */
export function hearLines(output: Readable | null | undefined, take: (line: string) => void): void {
  if (!output) throw new Error('The program has no such output.');
  createInterface({ input: output }).on('line', (line) => {
    take(line);
    signal();
  });
}

/** Looks at a fact now and after each signal, until it is truthy, and returns it. Fails with the description when patience ends. */
export async function eventually<Fact>(
  description: string,
  look: () => Promise<Fact | undefined | null | false | ''> | Fact | undefined | null | false | '',
): Promise<Fact> {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  const timers = new Set<NodeJS.Timeout>();
  let wake = () => {};
  let isSignalled = true;
  const again = () => {
    isSignalled = true;
    wake();
  };
  const onSignal = () => {
    again();
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    for (const ms of FOLLOW_UPS_MS) timers.add(setTimeout(again, ms));
  };
  signals.on('signal', onSignal);
  deadline.addEventListener('abort', again);
  try {
    while (!deadline.aborted) {
      isSignalled = false;
      const startedAt = performance.now();
      const fact = await look();
      if (fact !== undefined && fact !== null && fact !== false && fact !== '') return fact;
      await wait((performance.now() - startedAt) * PAUSE_SHARE);
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (isSignalled) resolve();
      });
    }
    throw new Error(`No event was followed by what was expected: ${description}.`);
  } finally {
    signals.off('signal', onSignal);
    for (const timer of timers) clearTimeout(timer);
  }
}
