import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../../core/settings/config.ts';
import { DEFAULT_STOP } from '../../core/settings/stop-settings.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import { tidySetAside } from '../../db/work/set-aside.ts';
import type { WorkerLoops } from '../../http/operators/worker-loops.ts';
import { sendProgressMails } from '../../jobs/invitations/progress-mails.ts';
import { sendWebhookMails } from '../../jobs/members/webhook-mails.ts';
import { retain } from '../../jobs/privacy/retain.ts';
import type { JobName, Runtime } from '../../jobs/runtime.ts';
import { keepSealing } from '../../jobs/upkeep/audit-witnesses.ts';
import { chainAudit, logHead } from '../../jobs/upkeep/chain-audit.ts';
import { sealPlain } from '../../jobs/upkeep/seal-plain.ts';
import { sweepWebhooks } from '../../jobs/webhooks/sweep-webhooks.ts';
import { type Duty, lead } from '../../queue/leader.ts';
import { type LastKeys, promote } from '../../queue/promoter.ts';
import { ClaimingWorker } from '../../queue/worker.ts';
import { startBackgroundMigrations } from './background-migrations.ts';
import { jobNames, kinds, type Working } from './kinds.ts';
import { startOperatorMails } from './operator-mails.ts';
import { type StopSteps, stopSteps } from './stop-steps.ts';

/** The maximum delay of a retry beyond its back-off. */
const PROMOTE_MS = 250;
const CHAIN_MS = 5_000;
const KEEP_MS = 10_000;
const SEAL_MS = 5_000;
const SWEEP_MS = 500;
const PROGRESS_MS = MINUTE_MS;

type Workers = ReadonlyMap<JobName, ClaimingWorker<JobName>>;

/** A worker for every kind of work; each claims its rows first. */
export async function createWorkers(runtime: Working): Promise<Workers> {
  const create = async (name: JobName) => {
    const { turns, load, ...kind } = kinds[name];
    const begin = await load();
    return new ClaimingWorker(runtime, {
      name,
      kind,
      turns: turns(runtime),
      begin: (stopping) => begin(runtime, stopping),
    });
  };
  return new Map(await Promise.all(jobNames.map(async (name) => [name, await create(name)] as const)));
}

/** Like `startWorkers`, and also runs the background migrations. */
export async function startWork(
  config: Config,
  runtime: Runtime,
  loops?: WorkerLoops,
): Promise<(steps?: StopSteps) => Promise<void>> {
  const mails = await startOperatorMails(config, runtime);
  const stopWorkers = await startWorkers(runtime, loops, mails?.duties);
  const stopMigrations = startBackgroundMigrations(config, runtime);
  return (steps) => {
    stopMigrations();
    mails?.stop();
    return stopWorkers(steps);
  };
}

/** Runs the background work and, in one process at a time, the periodic duties. @returns a function that stops all of it */
export async function startWorkers(
  runtime: Working & Pick<Runtime, 'retention'>,
  loops?: WorkerLoops,
  duties: readonly Duty[] = [],
): Promise<(steps?: StopSteps) => Promise<void>> {
  const { queue } = runtime;
  logWork(runtime);
  const workers = await createWorkers(runtime);
  await queue.start(loops?.watch(workers) ?? workers);
  const lastKeys: LastKeys = new Map();
  const stopLeading = lead(runtime, [
    { name: 'promote', everyMs: PROMOTE_MS, work: () => promote(runtime, lastKeys) },
    { name: 'chain the audit log', everyMs: CHAIN_MS, work: () => chainAudit(runtime) },
    { name: 'keep the head of the audit log', everyMs: KEEP_MS, work: keepSealing(runtime) },
    { name: 'log the head of the audit log', everyMs: HOUR_MS, work: logHead(runtime) },
    { name: 'seal what earlier versions stored', everyMs: SEAL_MS, work: () => sealPlain(runtime) },
    { name: 'sweep paused and resumed webhooks', everyMs: SWEEP_MS, work: () => sweepWebhooks(runtime) },
    { name: 'mails about progress', everyMs: PROGRESS_MS, work: sendProgressMails(runtime) },
    { name: 'mails about failing webhooks', everyMs: MINUTE_MS, work: sendWebhookMails(runtime) },
    { name: 'retention', everyMs: HOUR_MS, work: () => retain(runtime) },
    { name: 'tidy work that was set aside', everyMs: HOUR_MS, work: () => tidyAside(runtime) },
    ...duties,
  ]);
  const drain = async () => {
    await stopLeading();
    await queue.stop();
    await Promise.all([...workers.values()].map((worker) => worker.drain()));
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

async function tidyAside({ db, now, log }: Pick<Runtime, 'db' | 'now' | 'log'>): Promise<void> {
  for (const { id, kind } of await tidySetAside(db, now()))
    log.error({ id, kind }, 'job given up: it was set aside, and no operator released it');
}

function logWork({ work, log }: Pick<Runtime, 'work' | 'log'>): void {
  work.on('completed', (job, id) => log.debug({ job, id }, 'job completed'));
  work.on('failed', (job, id, err) => log.error({ job, id, err }, 'job failed'));
  work.on('lease lost', (job, id) => log.warn({ job, id }, 'lease lost: another process has the job, or it ended'));
  work.on('lease expired', (job, id) => log.warn({ job, id }, 'lease expired: the job is enqueued again'));
  work.on('set aside', (job, id) => log.error({ job, id }, 'job set aside: its lease has expired too often'));
}
