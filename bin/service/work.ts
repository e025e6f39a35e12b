import type { Log } from '../../core/log.ts';
import { retain } from '../../jobs/privacy/retain.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { chainAudit, logHead } from '../../jobs/upkeep/chain-audit.ts';
import { sweep } from './sweep.ts';
import { createWorkers, type Working } from './workers.ts';

const SWEEP_MS = 5_000;
const CHAIN_MS = 5_000;
const HEAD_MS = 3_600_000;
const FORGET_MS = 3_600_000;
/** Analyses and mails still running by then are ended; another process reclaims them. */
const DRAIN_MS = 10_000;

/** Runs the jobs, the sweep for rows whose job was lost, the audit chain and the retention. Returns what stops all of it. */
export async function startWorkers(runtime: Working & Pick<Runtime, 'retention'>): Promise<() => Promise<void>> {
  const { workers, drain } = createWorkers(runtime);
  await runtime.queue.start(workers);
  const { log } = runtime;
  const stops = [
    repeat(SWEEP_MS, () => sweep(runtime), log, 'sweep failed'),
    repeat(CHAIN_MS, () => chainAudit(runtime), log, 'audit log not chained'),
    repeat(HEAD_MS, logHead(runtime), log, 'head of the audit log not told'),
    repeat(FORGET_MS, () => retain(runtime), log, 'old data not forgotten'),
  ];
  return async () => {
    const patience = setTimeout(() => {
      runtime.forensics.close();
      runtime.providers.mail.close();
    }, DRAIN_MS);
    await Promise.all(stops.map((stop) => stop()));
    await runtime.queue.stop();
    clearTimeout(patience);
    await drain();
  };
}

/** Runs now and at each interval, never twice at once. Returns what stops it. */
function repeat(intervalMs: number, work: () => Promise<unknown>, log: Log, failure: string): () => Promise<void> {
  let turn: Promise<unknown> = Promise.resolve();
  const next = () => {
    turn = turn.then(work).catch((error) => log.error({ err: error }, failure));
  };
  next();
  const timer = setInterval(next, intervalMs);
  return async () => {
    clearInterval(timer);
    await turn;
  };
}
