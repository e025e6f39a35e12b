import { runForensic } from '../../jobs/documents/run-forensic.ts';
import { completeEid } from '../../jobs/identity/complete-eid.ts';
import { completeKyc } from '../../jobs/identity/complete-kyc.ts';
import { sendInvite } from '../../jobs/invitations/send-invite.ts';
import { claiming } from '../../jobs/queue/claims.ts';
import type { JobName, Worker } from '../../jobs/queue/queue.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { Deliverer } from '../../jobs/webhooks/deliverer.ts';

/** What the jobs need of the service. */
export type Working = Omit<Runtime, 'mode' | 'profileDays' | 'addresses' | 'retention'>;

/** The exhaustive table: every job has a worker, and every worker claims its row before it works. */
export function createWorkers(runtime: Working): { workers: Record<JobName, Worker>; drain(): Promise<void> } {
  const worker = (name: JobName, work: (runtime: Working, id: string) => Promise<void>): Worker =>
    claiming(runtime, name, (id) => work(runtime, id));
  const deliverer = new Deliverer(runtime);
  return {
    workers: {
      'send-invite': worker('send-invite', sendInvite),
      'complete-kyc': worker('complete-kyc', completeKyc),
      'complete-eid': worker('complete-eid', completeEid),
      'run-forensic': worker('run-forensic', runForensic),
      'deliver-webhook': deliverer.take,
    },
    // Deliveries outlive the job that took them.
    drain: () => deliverer.stop(),
  };
}
