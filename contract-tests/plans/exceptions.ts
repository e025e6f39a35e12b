import type { Fault } from './watch.ts';

/** Accepted exceptions: statements whose cost may grow. */
interface Exception {
  statement: RegExp;
  /** An accepted fault. */
  fault: RegExp;
  why: string;
}

const exceptions: readonly Exception[] = [
  {
    statement: /^select [`"]id[`"] from [`"]deliveries[`"] limit /,
    fault: /^reads all of deliveries$/,
    why: 'Asks whether the database answers, after it did not. It ends with the first row.',
  },
  {
    statement: /^select .*from `audit_entries` where hash is null/,
    fault: /^reads all of audit_entries$/,
    why: 'SQLite reads the index `audit_entries_unchained` from its beginning: it has only the entries of the last seconds.',
  },
  {
    statement: /^delete from [`"]former_(webhook|client)_secrets[`"] where [`"]expires_at[`"] <=/,
    fault: /^reads all of former_(webhook|client)_secrets$/,
    why: 'Once an hour. It takes away what was replaced and has expired, so nothing gathers in these tables.',
  },
  {
    statement: /^delete from pgboss\.job where singleton_key = any/,
    fault: /^(reads all of|looks at) /,
    why: 'Only when somebody is erased or something is forgotten for its age. pg-boss has no index of it.',
  },
  {
    statement: /\.pgboss(queue-stats|\w+(failJobsByTimeout|failJobsByHeartbeat|deletion|cleanupDependencies))'/,
    fault: /^(reads all of|looks at|reads \d+ rows of) /,
    why: 'The supervision of pg-boss, which only one process does at a time. It costs as much as jobs are kept.',
  },
  {
    statement: /select id from pgboss\.job_common\s+where name = \$1 and state < 'active'/,
    fault: /^looks at \d+ pages$/,
    why: 'Jobs are taken in the order of an index of pg-boss, in which those that wait for their time stand too: 7 pages for a thousand.',
  },
];

export function isExpected({ text, why }: Fault): boolean {
  return exceptions.some(({ statement, fault }) => statement.test(text) && fault.test(why));
}
