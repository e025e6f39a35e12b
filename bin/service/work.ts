import type { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../core/log.ts';
import type { Config } from '../../core/settings/config.ts';
import { DEFAULT_STOP } from '../../core/settings/stop-settings.ts';
import type { WorkerLoops } from '../../http/operators/worker-loops.ts';
import { runForensic } from '../../jobs/documents/run-forensic.ts';
import { completeEid } from '../../jobs/identity/complete-eid.ts';
import { completeKyc } from '../../jobs/identity/complete-kyc.ts';
import { sendInvite } from '../../jobs/invitations/send-invite.ts';
import { retain } from '../../jobs/privacy/retain.ts';
import type { JobName } from '../../jobs/queue/kinds.ts';
import type { LanePolicy } from '../../jobs/queue/lanes.ts';
import { lead } from '../../jobs/queue/leader.ts';
import { promote } from '../../jobs/queue/promoter.ts';
import type { WorkEvents } from '../../jobs/queue/queue.ts';
import { turnsAt } from '../../jobs/queue/turns.ts';
import { ClaimingWorker } from '../../jobs/queue/worker.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { chainAudit, logHead } from '../../jobs/upkeep/chain-audit.ts';
import { sealPlain } from '../../jobs/upkeep/seal-plain.ts';
import { createDeliverer } from '../../jobs/webhooks/deliverer.ts';
import { sweepWebhooks } from '../../jobs/webhooks/sweep-webhooks.ts';
import { startBackgroundMigrations } from './background-migrations.ts';
import { type StopSteps, stopSteps } from './stop-steps.ts';

/** The maximum delay of a retry beyond its back-off. */
const PROMOTE_MS = 250;
const CHAIN_MS = 5_000;
const SEAL_MS = 5_000;
const SWEEP_MS = 500;
const HOUR_MS = 3_600_000;

/** What the work needs of the service. */
export type Working = Omit<Runtime, 'mode' | 'profileDays' | 'addresses' | 'retention'>;

/** The exhaustive table: every kind of work has a worker, and every worker claims its row first. */
export function createWorkers(runtime: Working): Record<JobName, ClaimingWorker> {
  const worker = (name: JobName, work: (runtime: Working, id: string) => Promise<void>, lanes?: LanePolicy) =>
    new ClaimingWorker(runtime, name, (id) => work(runtime, id), lanes);
  return {
    'send-invite': worker('send-invite', sendInvite, turnsAt(runtime.mailsAtOnce)),
    'complete-kyc': worker('complete-kyc', completeKyc),
    'complete-eid': worker('complete-eid', completeEid),
    'run-forensic': worker('run-forensic', runForensic),
    'deliver-webhook': createDeliverer(runtime),
  };
}

/** Like `startWorkers`, and also runs the background migrations. */
export async function startWork(
  config: Pick<Config, 'database'>,
  runtime: Runtime,
  loops?: WorkerLoops,
): Promise<(steps?: StopSteps) => Promise<void>> {
  const stopWorkers = await startWorkers(runtime, loops);
  const stopMigrations = startBackgroundMigrations(config, runtime);
  return (steps) => {
    stopMigrations();
    return stopWorkers(steps);
  };
}

/** Runs the background work and, in one process at a time, the periodic duties. @returns a function that stops all of it */
export async function startWorkers(
  runtime: Working & Pick<Runtime, 'retention'>,
  loops?: WorkerLoops,
): Promise<(steps?: StopSteps) => Promise<void>> {
  const { log, queue } = runtime;
  logWork(runtime.work, log);
  const workers = createWorkers(runtime);
  await queue.start(loops?.watch(workers) ?? workers);
  const stopLeading = lead(runtime, [
    { name: 'promote', everyMs: PROMOTE_MS, work: () => promote(runtime) },
    { name: 'chain the audit log', everyMs: CHAIN_MS, work: () => chainAudit(runtime) },
    { name: 'log the head of the audit log', everyMs: HOUR_MS, work: logHead(runtime) },
    { name: 'seal what earlier versions stored', everyMs: SEAL_MS, work: () => sealPlain(runtime) },
    { name: 'sweep paused and resumed webhooks', everyMs: SWEEP_MS, work: () => sweepWebhooks(runtime) },
    { name: 'retention', everyMs: HOUR_MS, work: () => retain(runtime) },
  ]);
  const drain = async () => {
    await stopLeading();
    await queue.stop();
    await Promise.all(Object.values(workers).map((worker) => worker.drain()));
  };
  return async ({ workMs, leasesMs } = stopSteps(DEFAULT_STOP)) => {
    // Running analyses and mails are aborted; another process repeats them.
    const patience = setTimeout(() => {
      runtime.forensics.close();
      runtime.providers.mail.close();
    }, workMs);
    // Abandons running work; its leases expire and other processes repeat it.
    await Promise.race([drain(), wait(leasesMs, undefined, { ref: false })]);
    clearTimeout(patience);
  };
}

function logWork(work: EventEmitter<WorkEvents>, log: Log): void {
  work.on('completed', (job, id) => log.debug({ job, id }, 'work done'));
  work.on('failed', (job, id, err) => log.error({ job, id, err }, 'work failed'));
  work.on('lease lost', (job, id) =>
    log.warn({ job, id }, 'lease lost: another process has the work, or it was ended'),
  );
  work.on('lease expired', (job, id) => log.warn({ job, id }, 'lease expired: the work is handed over again'));
}
