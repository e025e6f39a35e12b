import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { refusals } from '../../core/fair-turns.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { namesOf } from '../../queue/kind.ts';
import type { RequestEnded } from '../edge/request-log.ts';

/** In seconds. A read takes milliseconds; a request is given up after eight seconds. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WORK_BUCKETS = [0.01, 0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 300, 600];

/** What happens in this process, counted from its events. Labels have a limited number of values, and none is an id. */
export function processMetrics({ kinds, work }: Pick<Runtime, 'kinds' | 'work'>): {
  registry: Registry;
  requestEnded: RequestEnded;
} {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'screening_request_duration_seconds',
    help: 'Requests by operation of the contract ("other" beside it) and status.',
    labelNames: ['operation', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const jobs = new Histogram({
    name: 'screening_job_duration_seconds',
    help: 'Jobs by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    buckets: WORK_BUCKETS,
    registers,
  });
  const leases = new Counter({
    name: 'screening_leases_expired_total',
    help: 'Jobs handed over again because their worker died or hung.',
    labelNames: ['kind'],
    registers,
  });
  const deliveries = new Counter({
    name: 'screening_delivery_attempts_total',
    help: 'Attempts to deliver an event, by outcome: success, or why there was none.',
    labelNames: ['outcome'],
    registers,
  });
  const documents = new Histogram({
    name: 'screening_forensic_duration_seconds',
    help: 'Analyses of documents by outcome.',
    labelNames: ['outcome'],
    buckets: WORK_BUCKETS,
    registers,
  });
  new Counter({
    name: 'screening_turns_refused_total',
    help: 'Requests refused with 503 because their API key, operator or address had too much under way, by resource.',
    labelNames: ['resource'],
    registers,
    collect() {
      this.reset();
      for (const [resource, count] of Object.entries(refusals)) this.inc({ resource }, count);
    },
  });
  // A series that begins above 0 does not count as an increase.
  for (const kind of namesOf(kinds)) {
    leases.inc({ kind }, 0);
    for (const outcome of ['completed', 'failed']) jobs.zero({ kind, outcome });
  }
  // The start time by id, because many run concurrently.
  const started = new Map<string, number>();
  const end = (kind: string, id: string, outcome: string) => {
    const startedAt = started.get(id);
    started.delete(id);
    if (startedAt !== undefined) jobs.observe({ kind, outcome }, (performance.now() - startedAt) / 1000);
  };
  work.on('started', (_kind, id) => started.set(id, performance.now()));
  work.on('completed', (kind, id) => end(kind, id, 'completed'));
  work.on('failed', (kind, id) => end(kind, id, 'failed'));
  work.on('lease expired', (kind) => leases.inc({ kind }));
  work.on('delivery attempted', (outcome) => deliveries.inc({ outcome }));
  work.on('document analysed', (outcome, durationMs) => documents.observe({ outcome }, durationMs / 1000));
  return {
    registry,
    requestEnded: (operation = 'other', status, durationMs) =>
      requests.observe({ operation, status }, durationMs / 1000),
  };
}
