import { type Observation, ok, problem, warning } from '../../core/conditions/observation.ts';
import { memoized } from '../../core/memoized.ts';
import { HOUR_MS, isoAfter, MINUTE_MS } from '../../core/time.ts';
import type { Database } from '../../db/connection/database.ts';
import { type OutcomeKind, type Outcomes, readOutcomes } from '../../db/work/recent-outcomes.ts';
import type { Observers } from './look.ts';

const MIN_FAILURES = 5;
const MAX_FAILED_SHARE = 0.5;
const MAX_REQUESTS_FAILED_SHARE = 0.01;
const MAX_EXPIRED_LEASES = 3;
const LATELY_MS = 15 * MINUTE_MS;

/** What is said of each kind, and the command that shows more. */
const SHARED = {
  'failing-deliveries': { kind: 'deliveries', one: 'deliveries', command: 'delivery list --status failed' },
  'failing-mails': { kind: 'mails', one: 'mails', command: 'invite retry --failing' },
  'failing-analyses': { kind: 'analyses', one: 'analyses', command: 'forensics list --status failed' },
  'failing-kyc': { kind: 'kyc', one: 'steps of verifications (KYC)', command: 'kyc list' },
  'failing-eid': { kind: 'eid', one: 'steps of national eID flows', command: 'eid list' },
  'failing-banks': { kind: 'banks', one: 'steps of bank connections', command: undefined },
} as const satisfies Record<string, { kind: OutcomeKind; one: string; command: string | undefined }>;

type OfOutcomes = Pick<Observers, keyof typeof SHARED | 'requests' | 'leases' | 'jobs'>;

/** What succeeded and failed in the last hour, counted by the processes. */
export function ofOutcomes(db: Database, now: Date): OfOutcomes {
  const hourAgo = isoAfter(now, -HOUR_MS);
  const outcomes = memoized(() => readOutcomes(db, hourAgo));
  const inHour = async (kind: OutcomeKind) => (await outcomes())(kind, hourAgo);
  const lately = async () => {
    const sum = await outcomes();
    return (kind: OutcomeKind) => sum(kind, isoAfter(now, -LATELY_MS));
  };
  const share = (id: keyof typeof SHARED) => async () => failedShare(SHARED[id], await inHour(SHARED[id].kind));
  return {
    'failing-deliveries': share('failing-deliveries'),
    'failing-mails': share('failing-mails'),
    'failing-analyses': share('failing-analyses'),
    'failing-kyc': share('failing-kyc'),
    'failing-eid': share('failing-eid'),
    'failing-banks': share('failing-banks'),
    requests: async () => requests(await inHour('requests')),
    leases: async () => leases((await lately())('leases').failed),
    jobs: async () => jobs(await lately()),
  };
}

/** Whether so much fails that it is no longer single failures, which are retried. */
export function isFailing({ succeeded, failed }: Outcomes): boolean {
  return failed >= MIN_FAILURES && failed / (succeeded + failed) >= MAX_FAILED_SHARE;
}

function failedShare({ one, command }: { one: string; command: string | undefined }, outcomes: Outcomes): Observation {
  const all = outcomes.succeeded + outcomes.failed;
  if (all === 0) return ok(`No ${one} were attempted in the last hour.`);
  const found = `Failed ${one} in the last hour: ${outcomes.failed} of ${all}.`;
  return isFailing(outcomes) ? problem(found, undefined, command) : ok(found);
}

function requests({ succeeded, failed }: Outcomes): Observation {
  const all = succeeded + failed;
  const found = `Requests that failed with 5xx in the last hour: ${failed} of ${all}.`;
  if (failed >= MIN_FAILURES && failed / all >= MAX_REQUESTS_FAILED_SHARE) return problem(found);
  return failed > 0 ? warning(found) : ok(found);
}

const JOBS = ['mails', 'analyses', 'kyc', 'eid', 'banks'] as const;

function jobs(of: (kind: OutcomeKind) => Outcomes): Observation {
  const failed = JOBS.filter((kind) => of(kind).failed > 0);
  if (failed.length === 0) return ok('No job has failed within 15 minutes.');
  return warning(
    `Jobs that failed within 15 minutes: ${failed.map((kind) => `${of(kind).failed} of ${kind}`).join(', ')}.`,
  );
}

function leases(expired: number): Observation {
  if (expired === 0) return ok('No lease has expired within 15 minutes.');
  const found = `Leases that expired within 15 minutes: ${expired}.`;
  return expired >= MAX_EXPIRED_LEASES ? problem(found) : warning(found);
}
