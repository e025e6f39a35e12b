import type { Command } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { listErasureRequests } from '../../../db/privacy/erasure-requests.ts';
import { refuseErasure } from '../../../jobs/privacy/operator-requests.ts';
import { OperatorError } from '../cli/faults.ts';
import { operator } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { limitOption, parseText } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';

/** Requests that people made behind their links. */
export function addRequestCommands(privacy: Command): void {
  privacy
    .command('requests')
    .description('list the open requests for erasure, earliest deadline first')
    .addOption(limitOption())
    .addHelpText('after', example('privacy requests'))
    .action(listRequests);
  privacy
    .command('refuse')
    .description('refuse a request for erasure; the person reads the reason through their link')
    .argument('<participant>', 'the id of the participant who asked', canonicalId)
    .requiredOption('--reason <text>', 'why, in words for the person', parseText)
    .addHelpText(
      'after',
      example('privacy refuse <participant id> --reason "The law requires us to keep it until May."'),
    )
    .action(refuse);
}

const listRequests = withReads(async ({ reads: db, now }, { limit }: { limit: number }) => {
  const requests = await listErasureRequests(db, ALL_LANDLORDS, {}, limit + 1);
  const moment = now().toISOString();
  const rows = requests.map((row) => ({
    participant_id: row.participant_id,
    email: row.email,
    application_id: row.application_id,
    landlord_id: row.landlord_id,
    landlord_name: row.landlord,
    other_landlords: Number(row.other_landlords),
    requested_at: row.requested_at,
    due_at: row.due_at,
    overdue: row.due_at <= moment,
  }));
  return list(rows, {
    columns: ['participant_id', 'email', 'landlord_name', 'other_landlords', 'due_at', 'overdue'],
    cut: ['landlord_name'],
    empty: 'No request for erasure is open.',
    limit,
    note: `Answer with ${commandLine('privacy erase <email>')}; where there are other landlords, with --landlord <id> for what this one holds.`,
  });
});

const refuse = withRuntime(async (runtime, participantId: string, { reason }: { reason: string }) => {
  const isClosed = await refuseErasure(runtime, participantId, reason, operator());
  if (!isClosed)
    throw new OperatorError(
      `no participant with the id "${participantId}" waits for an answer; see who does with ${commandLine('privacy requests')}`,
    );
  return record('The request was closed. The person reads the reason through their link.', {
    participant_id: participantId,
    reason,
  });
});
