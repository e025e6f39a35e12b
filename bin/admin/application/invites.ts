import { type Command, Option } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import {
  findInvite,
  type InviteRow,
  inviteStates,
  type ListedInvite,
  listFailingInvites,
  listInvites,
} from '../../../db/applications/invites.ts';
import type { Database } from '../../../db/connection/database.ts';
import { retryInvite } from '../../../jobs/invitations/invite.ts';
import { adviseOnInvite } from '../../../jobs/invitations/invite-advice.ts';
import { OperatorError, UsageError } from '../cli/faults.ts';
import { expectFound } from '../cli/named.ts';
import { operator } from '../cli/operator.ts';
import { filled, list, record, shortMoment } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { limitOption } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';

export function addInviteCommands(invite: Command): void {
  invite
    .command('list')
    .description('list invitations, newest first')
    .addOption(new Option('--status <status>', 'those in one state; cancelled: no longer needed').choices(inviteStates))
    .option('--application <id>', 'those to one application')
    .addOption(limitOption())
    .addHelpText('after', example('invite list --status failed'))
    .action(listAll);
  invite
    .command('show')
    .description('show the state of an invitation, the reason, and what to do')
    .argument('<invite>', 'the id of the invitation', canonicalId)
    .addHelpText('after', example('invite show <invite id>'))
    .action(show);
  invite
    .command('retry')
    .description('resend invitations with a new link, which replaces the former one')
    .argument('[invite]', 'the id of an invitation that was sent or has failed', canonicalId)
    .option('--failing', 'all that have failed, given up or waiting for their next attempt')
    .option('--failure <text>', 'with --failing: those whose failure contains this text')
    .option('--application <id>', 'with --failing: those to one application')
    .addHelpText('after', example('invite retry <invite id>', "invite retry --failing --failure 'Relay access denied'"))
    .action(retry);
}

interface ListOptions {
  status?: InviteRow['status'];
  application?: string;
  limit: number;
}

const listAll = withReads(async ({ reads: db, now }, { status, application, limit }: ListOptions) => {
  const rows = (await listInvites(db, { status, applicationId: application }, limit + 1)).map(view);
  return list(rows, {
    columns: ['invite_id', 'email', 'outcome', 'failures', 'created_at'],
    cut: ['email', 'outcome'],
    drop: ['failures', 'created_at'],
    limit,
    empty: 'There are no such invitations.',
    forPeople: (row) => ({
      ...row,
      outcome: row.failure === null ? row.status : `${row.status}: ${row.failure}`,
      created_at: shortMoment(row.created_at, now()),
    }),
  });
});

const show = withRuntime(async ({ db, now }, id: string) => {
  const invite = await namedInvite(db, id);
  const { explanation, hint, command } = adviseOnInvite(invite, now());
  const next = command === null ? undefined : `${hint}\n  ${commandLine(command)}`;
  const { text } = record(explanation, filled(view(invite)), next);
  return { json: { ...view(invite), explanation, next_command: command === null ? null : commandLine(command) }, text };
});

interface RetryOptions {
  failing?: true;
  failure?: string;
  application?: string;
}

const retry = withRuntime((runtime, id: string | undefined, { failing, ...filter }: RetryOptions) => {
  const { failure, application } = filter;
  if (id !== undefined && !failing && failure === undefined && application === undefined) return retryOne(runtime, id);
  if (id === undefined && failing) return retryFailing(runtime, { failure, applicationId: application });
  throw new UsageError('give the id of one invitation alone, or --failing, which --failure and --application narrow');
});

const PAGE = 200;

/** Sends them in pages, so that a command may resend any number. */
type Retrying = Parameters<typeof retryInvite>[0];

async function retryFailing(
  runtime: Retrying,
  filter: { failure?: string | undefined; applicationId?: string | undefined },
) {
  let [sent, skipped, after] = [0, 0, ''];
  for (;;) {
    const page = await listFailingInvites(runtime.db, { ...filter, after }, PAGE);
    for (const invite of page) {
      if (await retryInvite(runtime, invite, operator())) skipped++;
      else sent++;
    }
    after = page.at(-1)?.id ?? after;
    if (page.length < PAGE) break;
  }
  const others = skipped > 0 ? ` ${skipped} were not: their people have answered, or they changed meanwhile.` : '';
  return {
    text: `${sent} invitations are sent again, with new links.${others}`,
    json: { sent, skipped },
  };
}

async function retryOne(runtime: Retrying, id: string) {
  const { db } = runtime;
  const refusal = await retryInvite(runtime, await namedInvite(db, id), operator());
  if (refusal) throw new OperatorError(refusal);
  const fields = view(await namedInvite(db, id));
  const next = `To follow it:\n  ${commandLine(`invite show ${id}`)}`;
  return { ...record('The invitation is sent again, with a new link.', filled(fields), next), json: fields };
}

/** @throws OperatorError when there is no such invitation */
async function namedInvite(db: Database, id: string): Promise<ListedInvite> {
  return expectFound(await findInvite(db, id), 'invitation', id, 'invite list');
}

function view(row: ListedInvite) {
  return {
    invite_id: row.id,
    application_id: row.application_id,
    title: row.title,
    email: row.email,
    consent_status: row.consent_status,
    status: row.status,
    failures: row.failures,
    failure: row.failure,
    next_attempt_at: row.due_at,
    created_at: row.created_at,
    finished_at: row.finished_at,
    expires_at: row.expires_at,
    answered_at: row.answered_at,
  };
}
