import { type Condition, PAGE, TICKET } from './condition.ts';

/** The processes of the service, by what they say about themselves every few seconds. */
export const ofProcesses = {
  process: {
    meaning: 'The process behind OPS_PORT is ready.',
    seen: 'machine',
    threshold: 'Frozen: no answer and no heartbeat for 12 seconds. Slow is a warning: its heart beats.',
    remedy: 'If it is frozen, restart it, and read the end of its log.',
    alert: { ...PAGE, forMinutes: 1, name: 'ScreeningDown', expression: 'up{job="screening"} == 0' },
  },
  ready: {
    meaning: 'Every process can take requests and work.',
    seen: 'machine',
    threshold: 'A part of /readyz fails.',
    remedy: 'Deploy the version of its schema, or restart it if its workers are stuck.',
    alert: {
      ...PAGE,
      forMinutes: 5,
      name: 'ScreeningNotReady',
      expression: 'screening_ready{part=~"schema|workers"} == 0',
    },
  },
  heartbeats: {
    meaning: 'Every process that has not stopped says every 3 seconds that it runs.',
    seen: 'database',
    threshold: '15 seconds of silence without a successor: it froze, was killed, or cannot reach the database.',
    remedy: 'Restart the process, and read the end of its log.',
    alert: { ...PAGE, forMinutes: 1 },
  },
  restarts: {
    meaning: 'Processes end only when they are asked to.',
    seen: 'database',
    threshold: '3 ends without a farewell within 15 minutes: one may be chance, such as a lost machine.',
    remedy: 'Read the end of their logs, and the kernel log: processes without enough memory are killed.',
    alert: { ...PAGE, forMinutes: 0 },
  },
  leases: {
    meaning: 'Workers finish the work that they begin.',
    seen: 'database',
    threshold: '3 leases that expired within 15 minutes: workers die or hang.',
    remedy: 'Look for killed processes, for example for lack of memory.',
    alert: {
      ...TICKET,
      name: 'ScreeningWorkersDie',
      expression: 'sum(increase(screening_leases_expired_total[15m])) > 0',
    },
  },
  jobs: {
    meaning: 'Jobs do not fail.',
    seen: 'database',
    threshold: 'A warning for any failure within 15 minutes: failed jobs are retried.',
    remedy: 'Look for "job failed" in the log.',
    alert: {
      ...TICKET,
      name: 'ScreeningJobsFail',
      expression: 'sum(increase(screening_job_duration_seconds_count{outcome="failed"}[15m])) > 0',
    },
  },
  'event-loop': {
    meaning: 'The event loops turn.',
    seen: 'database',
    threshold: 'A 99th percentile of more than 250 ms between two heartbeats: every answer waits that long.',
    remedy: 'Give the process more CPU, or start more processes.',
    alert: {
      ...TICKET,
      forMinutes: 5,
      name: 'ScreeningEventLoopBlocked',
      expression: 'nodejs_eventloop_lag_p99_seconds > 0.25',
    },
  },
  pool: {
    meaning: 'No work waits for a connection to the database.',
    seen: 'database',
    threshold: 'Anything that waits at a heartbeat: the pool is used up.',
    remedy: 'Check DATABASE_POOL_SIZE, and what holds locks.',
    alert: { ...TICKET, forMinutes: 2, name: 'ScreeningPoolExhausted', expression: 'screening_pool_waiting > 0' },
  },
  descriptors: {
    meaning: 'The processes may open more files and connections.',
    seen: 'database',
    threshold: '90 percent of the limit in use: connections are refused beyond it. A warning from 75 percent on.',
    remedy: 'Raise the limit (ulimit -n, LimitNOFILE), and look for what keeps connections open.',
    alert: { ...PAGE, forMinutes: 1 },
  },
  requests: {
    meaning: 'Requests do not fail with 5xx.',
    seen: 'database',
    threshold: '1 percent of the requests of the last hour, and at least 5. A warning for any.',
    remedy: 'Look for level "error" in the log.',
    alert: {
      ...PAGE,
      forMinutes: 1,
      name: 'ScreeningServerErrors',
      expression: 'sum(increase(screening_request_duration_seconds_count{status=~"5.."}[5m])) > 0',
    },
  },
} as const satisfies Record<string, Condition>;
