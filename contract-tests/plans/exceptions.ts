import type { Fault } from '../../harness/plans/watch.ts';

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
    statement: /^select .*from `(audit_entries` where action = 'database.backup'|webhooks` .*`paused_at` is not null)/,
    fault: /^reads all of (audit_entries|webhooks)$/,
    why: 'SQLite reads an index that has only the backups, from the last one on, or only the paused webhooks.',
  },
  {
    statement: /from "landlord_settings" inner join "api_keys" .* where \(mails_progress = 1 or mails_reminders = 1\)/,
    fault: /^reads all of api_keys$/,
    why: 'Once a minute in one process. Postgres reads the API keys when that costs less than looking up those of each landlord with such mails.',
  },
  {
    statement: /from `landlord_settings` inner join `api_keys` .* where \(mails_progress = 1 or mails_reminders = 1\)/,
    fault: /^reads all of landlord_settings$/,
    why: 'SQLite reads an index that has only landlords with such mails.',
  },
  {
    statement:
      /from [`"]applications[`"] inner join [`"]api_keys[`"] .* inner join [`"]landlord_settings[`"] .* order by [`"]invites[`"]/,
    fault: /^(sorts a whole range for a few|reads \d+ rows of (applications|participants|invites)|looks at \d+ pages)$/,
    why: 'Once a minute in one process, for each API key of a landlord with such mails: its applications of sixty days, in the order of the mails.',
  },
  {
    statement: /[`"]webhook_alerts[`"] .*[`"]over_at[`"] is null/,
    fault: /^reads (all|\d+ rows) of webhook_alerts$/,
    why: 'It reads an index that has only the open alerts: of endpoints that fail now.',
  },
  {
    statement: /from [`"]webhook_alerts[`"] inner join [`"]webhooks[`"]/,
    fault: /^reads (all|\d+ rows) of webhooks$/,
    why: 'Once a minute in one process. Postgres reads the webhooks when that costs less than looking up the one of each open alert.',
  },
  {
    statement: /from [`"](processes|recent_outcomes|set_aside_work)[`"]/,
    fault: /^reads all of (processes|recent_outcomes|set_aside_work)$/,
    why: 'A few rows: the processes of a day, the minutes of two hours, and work that killed its worker five times. Indexes serve more.',
  },
  {
    statement: /^insert into former_co_applicants /,
    fault: /^looks at 333 pages$/,
    why: 'Five for each of the 66 participants that the rule purges here; a batch is bounded.',
  },
  {
    statement: /^delete from [`"]former_(webhook|client)_secrets[`"] where [`"]expires_at[`"] <=/,
    fault: /^reads all of former_(webhook|client)_secrets$/,
    why: 'Once an hour. It takes away what was replaced and has expired, so nothing gathers in these tables.',
  },
  {
    statement:
      /\.pgboss(queue-stats|\w+(failJobsByTimeout|failJobsByHeartbeat|deletion|cleanupDependencies))'|WITH locked_parents|\bpgboss\.instance\b/,
    fault: /^(reads all of|looks at|reads \d+ rows of) /,
    why: 'The supervision of pg-boss, which only one process does at a time. It costs as much as jobs are kept.',
  },
  {
    statement:
      /^select "id" from "deliveries" where deliveries\.status = 'pending' .* "created_at" < \$1 order by "created_at" asc limit/,
    fault: /^looks at [3-9]\d{2} pages$/,
    why: 'It passes the entries of what retention ended a moment ago, until a vacuum. Autovacuum is off here, so that its moment decides no plan.',
  },
  {
    statement: /^with "locked" as materialized \(select "id", ctid as place/,
    fault: /^looks at [1-9]\d{2} pages$/,
    why: 'Three pages for each id that the queue brings. Here they are ids of no row, so that none counts as changed.',
  },
  {
    statement: /\bpgboss\.j[0-9a-f]{56}\b/,
    fault: /^reads all of j[0-9a-f]{56}$/,
    why: 'pg-boss plans each time, for the size that the table has then. What is long enough to matter is refused for its rows or pages.',
  },
  {
    statement:
      /^\s*delete from due_work where place in \(\s*select place from due_work where name = \? order by bulk, place limit/,
    fault: /^finds \d+ rows of due_work on average$/,
    why: 'It walks the index in its order, and ends with the limit.',
  },
  {
    statement: /^select count\(\*\) as "count" from \(select (1|"sequence") .* limit \$\d+\) as "\w+"$/,
    fault: /^(reads (all|\d+ rows) of|looks at \d+ pages)/,
    why: 'Counts up to a limit, for operators.',
  },
  {
    statement: /^select "api_keys"\.\*.* from "api_keys" .*("revoked_at" is not null|"expires_at" )/,
    fault: /^reads (all|\d+ rows) of api_keys$/,
    why: 'The list of API keys in one state. An integration has one or two.',
  },
  {
    statement: /[`"]leaders[`"]/,
    fault: /^reads all of leaders$/,
    why: 'It has one row.',
  },
];

export function isExpected({ text, why }: Fault): boolean {
  return exceptions.some(({ statement, fault }) => statement.test(text) && fault.test(why));
}
