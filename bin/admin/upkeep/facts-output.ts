import type { DatabaseFacts } from '../../../db/connection/database-facts.ts';
import { record } from '../cli/output.ts';
import { commandLine, type Output } from '../cli/run-command.ts';

/** Describes a database. @param sentence what was done to it */
export function factsOutput(facts: DatabaseFacts, sentence = describe(facts)): Output {
  const { pending, unknown, rows, ...fields } = facts;
  const forPeople = { ...fields, pending: shortened(pending), unknown: shortened(unknown), ...rows };
  const next = pending.length > 0 ? `To apply what is pending:\n  ${commandLine('db migrate')}` : undefined;
  const output = { ...record(sentence, forPeople, next), json: facts };
  return unknown.length > 0 ? { ...output, exitCode: 1 } : output;
}

function shortened(names: readonly string[]): string {
  return names.length > 3 ? `${names[0]} to ${names.at(-1)} (${names.length})` : names.join(', ');
}

function describe({ schema_version, pending, unknown }: DatabaseFacts): string {
  if (unknown.length > 0)
    return 'A newer version of the service has changed this database; this version does not start on it.';
  if (schema_version === null) return 'There is no schema yet. The first start makes it.';
  return pending.length > 0
    ? 'The schema is that of an earlier version. Make a backup, then bring it up to date.'
    : 'The schema is up to date.';
}
