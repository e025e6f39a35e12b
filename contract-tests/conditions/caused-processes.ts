import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { ConditionId } from '../../core/conditions/table.ts';
import { type ServiceProcess, startServiceProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { ago, LONG_AGO, MINUTE_MS, OF_METRIC, type Situation } from './situation.ts';
import type { World } from './world.ts';

const DEATHS = 3;
/** How much of each pulse the process is stopped for. */
const [PULSE_MS, STOPPED_MS] = [600, 450];
const NEARLY_ALL = 0.95;

const started = new Map<World, ServiceProcess[]>();
const pulses = new Map<World, NodeJS.Timeout>();

/** A further process of the service, once its heart has beaten. */
async function another(test: World): Promise<ServiceProcess> {
  const { db } = test.service.runtime;
  const process = await startServiceProcess({
    ...new Admin(test).env,
    ...test.settings,
    OPS_PORT: '0',
    RUN_WORKERS: 'false',
  });
  started.set(test, [...(started.get(test) ?? []), process]);
  await until('its heart has beaten', () =>
    db('processes')
      .where({ address: process.operatorsUrl ?? '' })
      .first(),
  );
  return process;
}

/** Killed without a farewell, a minute ago. */
async function killed(test: World, count: number): Promise<void> {
  const { db } = test.service.runtime;
  for (let death = 0; death < count; death++) {
    const process = await another(test);
    await process.kill();
    await db('processes')
      .where({ address: process.operatorsUrl ?? '' })
      .update({ beat_at: ago(MINUTE_MS), started_at: LONG_AGO });
  }
}

/** Ends the further processes; those that were killed are forgotten, as after a quarter of an hour. */
async function forget(test: World): Promise<void> {
  clearInterval(pulses.get(test));
  const processes = started.get(test) ?? [];
  started.delete(test);
  for (const process of processes) process.signal('SIGCONT');
  await Promise.all(processes.map((process) => process.kill()));
  const addresses = processes.map(({ operatorsUrl }) => operatorsUrl ?? '');
  await test.service.runtime.db('processes').whereIn('address', addresses).delete();
}

export const causedByProcesses: Partial<Record<ConditionId, Situation>> = {
  heartbeats: { begin: (test) => killed(test, 1), end: forget },
  restarts: { begin: (test) => killed(test, DEATHS), end: forget },
  descriptors: {
    begin: async (test) => {
      const { pid } = await another(test);
      const open = (await readdir(`/proc/${pid}/fd`)).length;
      // A limit that is nearly reached, as by connections that are never closed.
      await promisify(execFile)('prlimit', [`--pid=${pid}`, `--nofile=${Math.ceil(open / NEARLY_ALL)}`]);
    },
    end: forget,
  },
  'event-loop': {
    // The machine has no CPU for it most of the time.
    begin: async (test) => {
      const process = await another(test);
      const pulse = () => {
        process.signal('SIGSTOP');
        setTimeout(() => process.signal('SIGCONT'), STOPPED_MS);
      };
      pulses.set(test, setInterval(pulse, PULSE_MS));
    },
    end: forget,
    not: OF_METRIC,
  },
};
