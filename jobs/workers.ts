import { completeEid } from './complete-eid.ts';
import { completeKyc } from './complete-kyc.ts';
import { Deliverer } from './deliverer.ts';
import type { JobName, Worker } from './queue.ts';
import { runForensic } from './run-forensic.ts';
import type { Runtime } from './runtime.ts';
import { sendInvite } from './send-invite.ts';
import { claiming } from './work.ts';

/** The exhaustive table: every job has a worker, and every worker claims its row before it works. */
export function createWorkers(runtime: Runtime): { workers: Record<JobName, Worker>; drain(): Promise<void> } {
  const worker = (name: JobName, work: (runtime: Runtime, id: string) => Promise<void>): Worker =>
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
    // What a job leaves behind for later.
    drain: () => deliverer.stop(),
  };
}
