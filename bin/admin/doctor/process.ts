import { setTimeout as wait } from 'node:timers/promises';
import { notChecked, type Observation, ok, problem, warning } from '../../../core/conditions/observation.ts';
import type { Config } from '../../../core/settings/config.ts';
import { oneLine, sentence } from '../../../core/text.ts';
import type { Database } from '../../../db/connection/database.ts';
import { findProcess } from '../../../db/work/processes.ts';
import { ANSWER_MS, type Observers } from '../../../jobs/conditions/look.ts';
import { because, isLate } from '../../../jobs/conditions/of-providers.ts';
import { fetchWhole } from '../../../providers/outbound/bounded-fetch.ts';
import { listeningUrl } from '../../service/own-address.ts';

/** Four heartbeats: a machine at its limit delays them, a frozen process sends none. */
const FROZEN_MS = 12_000;
const LOOK_AGAIN_MS = 500;
/** Within the time of the doctor. */
export const PROCESS_MS = 18_000;
const NO_PORT = 'OPS_PORT is not set: the heartbeats say how the processes are.';

/** Asks the process with our OPS_PORT whether it is alive and ready. */
export function examineProcess(
  operators: Config['operators'],
  answering: Promise<Database | undefined>,
): Pick<Observers, 'process' | 'ready'> {
  if (!operators) return { process: async () => ok(NO_PORT), ready: async () => ok(NO_PORT) };
  const url = listeningUrl(operators.host, operators.port);
  return { process: () => alive(url, answering), ready: () => ready(url) };
}

async function alive(url: string, answering: Promise<Database | undefined>): Promise<Observation> {
  try {
    await fetchWhole(`${url}/livez`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return ok(`The process answers at ${url}.`);
  } catch (error) {
    if (!isLate(error)) return problem(`Nothing answers at ${url}${because(error)}.`, 'Start the service.');
    return judge(url, await answering);
  }
}

/** A process that answers slowly is not frozen while its heart beats. */
async function judge(url: string, db: Database | undefined): Promise<Observation> {
  const slow = `The process behind ${url} does not answer within ${ANSWER_MS / 1000} s`;
  if (!db) return notChecked(`${slow}. Its heartbeats are in the database.`, 'First mend the database.');
  const [first, beganAt] = [await findProcess(db, url), Date.now()];
  for (;;) {
    const row = await findProcess(db, url);
    if (row && row.beat_at !== first?.beat_at)
      return warning(`${slow}, but its heart beats: it is slow.`, 'Give it more CPU, or start more processes.');
    // The first heartbeat of a process that has just started may be under way.
    const silentMs = Date.now() - (first ? Date.parse(first.beat_at) : beganAt);
    if (silentMs > FROZEN_MS)
      return first
        ? problem(`${slow}, and its heart has not beaten for ${Math.round(silentMs / 1000)} s: it is frozen.`)
        : problem(`${slow}, and no heartbeat of it is known: it is not of this service, or frozen.`);
    await wait(LOOK_AGAIN_MS);
  }
}

async function ready(url: string): Promise<Observation> {
  try {
    const answer = await fetchWhole(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS - 500) });
    if (answer.ok) return ok(`The process is ready, says ${url}/readyz.`);
    return problem(
      sentence(`The process is not ready: ${oneLine(await answer.text())}`),
      'See docs/operating/monitor.md.',
    );
  } catch (error) {
    return notChecked(`Nothing is answered at ${url}/readyz${isLate(error) ? ' in time' : because(error)}.`);
  }
}
