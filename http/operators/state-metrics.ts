import { Gauge, Registry } from 'prom-client';
import { states } from '../../core/conditions/observation.ts';
import { poolUse } from '../../db/connection/pool-use.ts';
import type { Observed } from '../../jobs/conditions/look.ts';
import type { ConditionWatch } from '../../jobs/conditions/watch.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import {
  clockSkewSeconds,
  type ServiceState,
  serviceState,
  type WaitingWork,
  waitingWork,
} from '../../jobs/upkeep/service-state.ts';
import { measured } from './measured.ts';
import { parts, type Readiness } from './readiness.ts';

/** The minimum interval between database queries, regardless of the number and frequency of scrapes. */
const LIMITS = { freshMs: 5_000, waitMs: 1_000, staleMs: 60_000 };

/**
 * The current state, in the Prometheus format. While the database does not answer, metrics that need it are left out, and
 * `screening_database_up` is 0.
 */
export function stateMetrics(
  runtime: Pick<Runtime, 'db' | 'kinds' | 'now'> & { conditions: ConditionWatch },
  ready: () => Promise<Readiness>,
): () => Promise<string> {
  const { db, conditions } = runtime;
  const look = measured(() => stateOf(runtime), LIMITS);
  return async () => {
    const registry = new Registry();
    const [readiness, state, observed] = await Promise.all([
      ready(),
      look(),
      conditions.current({ waitMs: LIMITS.waitMs }),
    ]);
    const { set, setEach } = gauges(registry);
    set(
      'database_up',
      'Whether the database has answered within the last five seconds.',
      readiness.database === null ? 1 : 0,
    );
    setEach(
      'ready',
      'Whether each part of the process is ready; requests should go elsewhere when one is not.',
      'part',
      parts.map((part) => [part, readiness[part] === null ? 1 : 0]),
    );
    const { used, free, waiting } = poolUse(db);
    setEach('pool_connections', 'Connections to the database by state.', 'state', [
      ['in_use', used],
      ['free', free],
    ]);
    set('pool_waiting', 'Pieces of work that wait for a connection to the database.', waiting);
    setConditions(registry, observed);
    if (state) setState(registry, state);
    return registry.metrics();
  };
}

interface State extends ServiceState {
  work: WaitingWork[];
  skew: number;
}

async function stateOf({ db, kinds, now }: Pick<Runtime, 'db' | 'kinds' | 'now'>): Promise<State> {
  const moment = now();
  return {
    work: await waitingWork({ db, kinds }, moment),
    ...(await serviceState(db, moment)),
    skew: await clockSkewSeconds(db),
  };
}

function setState(registry: Registry, state: State): void {
  const { set, setEach } = gauges(registry);
  setEach(
    'oldest_due_seconds',
    'For how long the oldest due job of a kind has waited.',
    'kind',
    state.work.map(({ kind, oldestDueSeconds }) => [kind, oldestDueSeconds]),
  );
  setEach(
    'jobs_waiting',
    'Due jobs by kind that no worker has; counted up to 10,000.',
    'kind',
    state.work.map(({ kind, waiting }) => [kind, waiting]),
  );
  set('webhooks_paused', 'Webhooks whose deliveries are held until an operator resumes them.', state.pausedWebhooks);
  set(
    'mails_waiting',
    'Invitations that wait until the mail server takes mail of this service.',
    state.waitingMails.count,
  );
  set('eid_flows_hindered', 'National eID flows that their provider keeps from ending.', state.hinderedSignIns.count);
  set('audit_unchained', 'Audit entries that the hash chain lacks; counted up to 10,000.', state.unchainedEntries);
  set(
    'last_backup_age_seconds',
    'Since the last backup; +Inf when none is known.',
    state.backupAgeSeconds ?? Number.POSITIVE_INFINITY,
  );
  set(
    'partitions_ahead_seconds',
    'Until a table has no partition for new rows; +Inf where it has no partitions, as on SQLite.',
    state.partitionsAheadSeconds ?? Number.POSITIVE_INFINITY,
  );
  set('clock_skew_seconds', 'How far the clock of this machine is ahead of the database.', state.skew);
}

/** One series for each state of a condition: 1 for the one that it is in. */
export function setConditions(registry: Registry, observed: readonly Observed[]): void {
  const gauge = new Gauge({
    name: 'screening_condition',
    help: 'The state of each condition: 1 for the one that it is in.',
    labelNames: ['condition', 'state'],
    registers: [registry],
  });
  for (const { condition, state } of observed)
    for (const each of states) gauge.set({ condition, state: each }, each === state ? 1 : 0);
}

function gauges(registry: Registry) {
  const gauge = (name: string, help: string, labelNames: string[]) =>
    new Gauge({ name: `screening_${name}`, help, labelNames, registers: [registry] });
  return {
    set: (name: string, help: string, value: number) => gauge(name, help, []).set(value),
    setEach: (name: string, help: string, label: string, values: [value: string, amount: number][]) => {
      const each = gauge(name, help, [label]);
      for (const [value, amount] of values) each.set({ [label]: value }, amount);
    },
  };
}
