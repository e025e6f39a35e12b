import { createCompleteEid } from './complete-eid.ts';
import { createCompleteKyc } from './complete-kyc.ts';
import { createDeliverWebhook } from './deliver-webhook.ts';
import type { JobName, Worker } from './queue.ts';
import { createRunForensic } from './run-forensic.ts';
import type { Runtime } from './runtime.ts';
import { createSendInvite } from './send-invite.ts';

/** The exhaustive table: every job has a worker. */
export function createWorkers(runtime: Runtime): Record<JobName, Worker> {
  return {
    'send-invite': createSendInvite(runtime),
    'complete-kyc': createCompleteKyc(runtime),
    'complete-eid': createCompleteEid(runtime),
    'run-forensic': createRunForensic(runtime),
    'deliver-webhook': createDeliverWebhook(runtime),
  };
}
