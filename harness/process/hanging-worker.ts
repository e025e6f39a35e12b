/**
 * A worker that hangs at the worst moment until it is killed: `after-effects` between its visible effects and their record, `promoting`
 * between leasing rows to the queue and the commit, `sweeping` between releasing held deliveries and the commit.
 */
import { build } from '../../bin/service/build.ts';
import { startWorkers } from '../../bin/service/work.ts';
import { readConfig } from '../../core/settings/config.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { listSweeps, sweepWebhook } from '../../db/webhooks/webhook-sweeps.ts';
import type { JobName } from '../../jobs/runtime.ts';
import type { Providers } from '../../providers/providers.ts';
import type { Queue } from '../../queue/queue.ts';

const never = () => new Promise<never>(() => {});

function hangingAfter<Input extends unknown[]>(work: (...input: Input) => Promise<unknown>) {
  return (...input: Input) => work(...input).then(never);
}

function afterEffects(providers: Providers): Providers {
  const { kyc, eid, bank, mail, outbound } = providers;
  return {
    ...providers,
    kyc: { ...kyc, outcome: hangingAfter(kyc.outcome) },
    eid: { ...eid, documents: hangingAfter(eid.documents) },
    bank: bank && { ...bank, endConsent: hangingAfter(bank.endConsent) },
    mail: { ...mail, send: hangingAfter(mail.send) },
    outbound: { ...outbound, deliver: hangingAfter(outbound.deliver) },
    rehearseAnalysis: never,
  };
}

const { runtime } = await build(readConfig(process.env));
const { log } = runtime;

const promoting: Queue<JobName> = {
  ...runtime.queue,
  send: async () => {
    log.info('promoting');
    await never();
  },
};

async function sweepForEver(): Promise<void> {
  await inTransaction(runtime.db, async (trx) => {
    for (const webhook of await listSweeps(trx, 1)) await sweepWebhook(trx, webhook, new Date());
    log.info('sweeping');
    await never();
  });
}

if (process.argv[2] === 'sweeping') void sweepForEver();
else
  await startWorkers(
    process.argv[2] === 'promoting'
      ? { ...runtime, queue: promoting }
      : { ...runtime, providers: afterEffects(runtime.providers) },
  );
log.info({ pid: process.pid }, 'working');
