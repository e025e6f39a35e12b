import type { Mutation } from '../mutation.ts';

/** Leases, retries, lanes and the leader. */
export const queueMutations: readonly Mutation[] = [
  {
    id: 'retry-exhausted',
    hurts: 'Work that always fails is retried forever, and no operator learns of it.',
    file: 'queue/worker.ts',
    text: 'retryDelay(retry, { failures })',
    replacement: 'retryDelay(retry, { failures: Math.min(failures, 1) })',
    tests: ['operations/run-forensic', 'invitations/send-invite'],
  },
  {
    id: 'useless-retry',
    hurts: 'A mail that its server refused for good is sent again for three days.',
    file: 'queue/worker.ts',
    text: 'const delayMs = isPermanent?.(error) ?',
    replacement: "const delayMs = isPermanent?.(error) && reason(error) === '' ?",
    tests: ['invitations/send-invite'],
  },
  {
    id: 'heartbeat',
    hurts: 'Long work is done twice, because its lease expires while it continues.',
    file: 'queue/worker.ts',
    text: 'setInterval(extend, LEASE_MS / 3)',
    replacement: 'setInterval(extend, LEASE_MS * 3)',
    tests: ['queue/work', 'webhooks/deliverer'],
  },
  {
    id: 'lost-lease',
    hurts: 'A worker plans retries of work that another process has taken over.',
    file: 'queue/worker.ts',
    text: 'if (!kept.has(row.id) && this.#holds(row)) this.#lose(row);',
    replacement: "if (!kept.has(row.id) && row.id === '') this.#lose(row);",
    tests: ['queue/work', 'webhooks/deliverer'],
  },
  {
    id: 'leader-only',
    hurts: 'Every process does the periodic work, and the database does it many times.',
    file: 'queue/leader.ts',
    text: 'performance.now() < ledUntil',
    replacement: 'performance.now() > ledUntil - LEASE_MS',
    tests: ['queue/leader'],
  },
  {
    id: 'promoter-survives-a-table',
    hurts: 'One broken table stops the background work of all kinds.',
    file: 'queue/promoter.ts',
    text: ".catch((err) => log.error({ job, err }, 'due jobs not enqueued'))",
    replacement: ".finally(() => log.debug({ job }, 'due jobs enqueued'))",
    tests: ['queue/promoter'],
  },
  {
    id: 'bounded-lane',
    hurts: 'The deliveries of one endpoint fill the memory of every process.',
    file: 'queue/lanes.ts',
    text: 'const MAX_LANE_LENGTH = 500;',
    replacement: 'const MAX_LANE_LENGTH = 500_000;',
    tests: ['webhooks/delivery-lanes', 'queue/turns'],
  },
];
