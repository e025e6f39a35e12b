import { type Observation, ok, problem, warning } from '../../core/conditions/observation.ts';
import { overdueBefore } from '../../core/rules/overdue.ts';
import type { Config } from '../../core/settings/config.ts';
import { sentence } from '../../core/text.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { listReachedLimits } from '../../db/access/daily-uses.ts';
import { countFailedInvites } from '../../db/applications/invites.ts';
import type { Database } from '../../db/connection/database.ts';
import { countErasureRequests } from '../../db/privacy/erasure-requests.ts';
import { countFailedDeliveries } from '../../db/webhooks/delivery-lists.ts';
import { listSetAside } from '../../db/work/set-aside.ts';
import { countOverdue, MAX_COUNTED } from '../../db/work/work-lists.ts';
import { type Hindered, type StateRead, stateRead } from '../upkeep/service-state.ts';
import type { Observers } from './look.ts';

const counted = (count: number) => (count >= MAX_COUNTED ? `${MAX_COUNTED} or more` : String(count));

type OfWork = Pick<
  Observers,
  'workers' | 'set-aside' | 'invites' | 'sign-ins' | 'webhooks' | 'deliveries' | 'limits' | 'erasures'
>;

/** Whether background work gets done and succeeds. The cost of each is bounded. */
export function ofWork(
  db: Database,
  config: Pick<Config, 'runWorkers'>,
  now: Date,
  state: StateRead = stateRead(db, now),
): OfWork {
  return {
    workers: () => overdueWork(db, config, now),
    'set-aside': () => setAside(db),
    invites: async () => failedInvites(db, (await state()).waitingMails),
    'sign-ins': async () => hinderedSignIns((await state()).hinderedSignIns),
    webhooks: async () => pausedWebhooks((await state()).pausedWebhooks),
    deliveries: () => failedDeliveries(db, now),
    limits: () => reachedLimits(db, now),
    erasures: () => erasureRequests(db, now),
  };
}

/** A running worker claims due work within seconds, whether it succeeds or not. */
async function overdueWork(db: Database, { runWorkers }: Pick<Config, 'runWorkers'>, now: Date): Promise<Observation> {
  const overdue = (await countOverdue(db, overdueBefore(now))).flatMap(({ name, count }) =>
    count > 0 ? [`${counted(count)} of ${name.replaceAll('_', ' ')}`] : [],
  );
  if (overdue.length === 0) return ok('No job has waited for more than a minute.');
  return problem(
    `Jobs have waited for more than a minute: ${overdue.join(', ')}.`,
    runWorkers ? 'Start the service, which runs the jobs.' : 'RUN_WORKERS is false: start npm run worker.',
  );
}

async function setAside(db: Database): Promise<Observation> {
  const rows = await listSetAside(db, MAX_COUNTED);
  if (rows.length === 0) return ok('No work has been set aside.');
  const kinds = [...new Set(rows.map(({ kind }) => kind.replaceAll('_', ' ')))].join(', ');
  return problem(
    `Work that was set aside, because it killed its worker: ${counted(rows.length)} of ${kinds}.`,
    undefined,
    'work set-aside',
  );
}

/** Mails that wait for the operator come first: they will fail, too, when nothing is done. */
async function failedInvites(db: Database, { count, failure }: Hindered): Promise<Observation> {
  if (count > 0)
    return problem(
      `Invitations that wait, because their mail cannot be sent: ${counted(count)}. ${sentence(`The latest: ${failure}`)}`,
      undefined,
      'invite retry --failing',
    );
  const failed = await countFailedInvites(db, MAX_COUNTED);
  if (failed === 0) return ok('No invitation has failed.');
  return warning(
    `Invitations that did not go out: ${counted(failed)}.`,
    'Why each failed:',
    'invite list --status failed',
  );
}

/** The provider, or this service's registration there, keeps people from proving their identity. */
function hinderedSignIns({ count, failure }: Hindered): Observation {
  if (count === 0) return ok('The provider of national identities keeps no one from finishing.');
  return problem(
    `National eID flows that the provider keeps from ending: ${counted(count)}. ${sentence(`The latest: ${failure}`)}`,
    undefined,
    'eid list',
  );
}

function pausedWebhooks(paused: number): Observation {
  if (paused === 0) return ok('No webhook is paused.');
  return problem(
    `Webhooks that are paused: ${paused}. Their deliveries are held.`,
    undefined,
    'webhook list --status paused',
  );
}

async function failedDeliveries(db: Database, now: Date): Promise<Observation> {
  const failed = await countFailedDeliveries(db, isoAfter(now, -DAY_MS), MAX_COUNTED);
  if (failed === 0) return ok('No delivery has failed within a day.');
  return warning(
    `Deliveries that failed within a day: ${counted(failed)}.`,
    undefined,
    'delivery list --status failed',
  );
}

const MAX_KEYS_NAMED = 3;

/** What an API key asks for beyond a limit waits or is refused until the next day. */
async function reachedLimits(db: Database, now: Date): Promise<Observation> {
  const reached = await listReachedLimits(db, now, MAX_KEYS_NAMED + 1);
  if (reached.length === 0) return ok('No API key has reached a daily limit.');
  const named = reached.slice(0, MAX_KEYS_NAMED).map(({ client_id, kind, used }) => `${client_id} (${used} ${kind})`);
  return warning(
    `API keys that have reached a daily limit: ${named.join(', ')}${reached.length > MAX_KEYS_NAMED ? ' and more' : ''}.`,
  );
}

/** People who asked to be erased wait for an answer, which the law requires in time. */
async function erasureRequests(db: Database, now: Date): Promise<Observation> {
  const { count, earliest } = await countErasureRequests(db, MAX_COUNTED);
  if (earliest === undefined) return ok('No request for erasure is open.');
  const day = earliest.slice(0, '2026-01-01'.length);
  return earliest <= now.toISOString()
    ? problem(`Requests for erasure: ${counted(count)}. One was due on ${day}.`, undefined, 'privacy requests')
    : warning(
        `Requests for erasure: ${counted(count)}. The next answer is due by ${day}.`,
        undefined,
        'privacy requests',
      );
}
