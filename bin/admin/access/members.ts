import { type Command, Option } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { findKeysOfLandlord } from '../../../db/access/api-keys.ts';
import { INVITATION_HOURS } from '../../../db/access/member-mails.ts';
import {
  findMember,
  type ListedMember,
  listMembers,
  type MemberRole,
  memberRoles,
} from '../../../db/access/members.ts';
import { addSignInLink } from '../../../jobs/access/sign-in.ts';
import { addInvitedMember } from '../../../jobs/members/member-mails.ts';
import { disableMember, enableMember } from '../../../jobs/members/members.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import { OperatorError, UsageError } from '../cli/faults.ts';
import { expectFound, namedApiKey, namedLandlord } from '../cli/named.ts';
import { operator } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { linkFields, parseMail, signInColumns } from '../cli/sign-in.ts';
import { limitOption, parseText } from '../cli/values.ts';

const KEEP_IT = 'The link can be used once; who opens it signs in. Hand it over where only its owner reads it.';

export function addMemberCommands(member: Command): void {
  const landlord = () => new Option('--landlord <id>', 'the landlord').makeOptionMandatory();
  member
    .command('invite')
    .description('invite a person to the desk of a landlord: they get a sign-in link by mail')
    .addOption(landlord())
    .requiredOption('--name <name>', 'the name of the person', parseText)
    .requiredOption('--mail <address>', 'the e-mail address of the person', parseMail)
    .addOption(new Option('--role <role>', 'what they may do').choices(memberRoles).default('admin'))
    .option('--key <client_id...>', 'the API keys whose applications they see; admins see all')
    .addHelpText(
      'after',
      example(
        'member invite --landlord <landlord id> --name "Ana Ruiz" --mail ana@letting.example',
        'member invite --landlord <landlord id> --name Leo --mail leo@letting.example --role agent --key <client_id>',
      ),
    )
    .action(invite);
  member
    .command('list')
    .description('list the members of a landlord, by name')
    .addOption(landlord())
    .addOption(limitOption())
    .addHelpText('after', example('member list --landlord <landlord id>'))
    .action(listAll);
  member
    .command('link')
    .description('create a sign-in link for a member, without a mail')
    .argument('<member>', 'the id of the member', canonicalId)
    .addOption(landlord())
    .addHelpText('after', example('member link <member id> --landlord <landlord id>'))
    .action(makeLink);
  member
    .command('disable')
    .description('end a member’s sessions and links, and let them sign in no more')
    .argument('<member>', 'the id of the member', canonicalId)
    .addOption(landlord())
    .addHelpText('after', example('member disable <member id> --landlord <landlord id>'))
    .action(disableOne);
  member
    .command('enable')
    .description('let a disabled member sign in again')
    .argument('<member>', 'the id of the member', canonicalId)
    .addOption(landlord())
    .addHelpText('after', example('member enable <member id> --landlord <landlord id>'))
    .action(enableOne);
}

interface InviteOptions {
  landlord: string;
  name: string;
  mail: string;
  role: MemberRole;
  key?: string[];
}

const invite = withRuntime(async (runtime, { landlord, name, mail, role, key = [] }: InviteOptions) => {
  const { db } = runtime;
  const { id: landlordId } = await namedLandlord(db, landlord);
  const keyIds = await keysFor(runtime, { landlordId, role, clientIds: key });
  const added = { landlord_id: landlordId, name, mail_address: mail, role };
  const invited = await addInvitedMember(runtime, added, keyIds, 'en', operator());
  if (!invited) throw new OperatorError(`${mail} is a member already; list them with ${listing(landlordId)}`);
  const { member, link } = invited;
  const fields = { ...view(member), ...linkFields(runtime.publicUrl(), link) };
  if (!link)
    return record(
      'The member was added, but the mail could not be sent.',
      fields,
      `Create a link for them: ${commandLine(`member link ${member.id} --landlord ${landlordId}`)}`,
    );
  return record('The member was invited by mail.', fields, `${KEEP_IT} It is valid for ${INVITATION_HOURS} hours.`);
});

/** A landlord with one API key needs no choice. */
async function keysFor(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  { landlordId, role, clientIds }: { landlordId: string; role: MemberRole; clientIds: readonly string[] },
): Promise<string[]> {
  const keyIds: string[] = [];
  for (const clientId of clientIds) {
    const { id, landlord_id } = await namedApiKey(db, clientId, now());
    if (landlord_id !== landlordId) throw new OperatorError(`the API key ${clientId} is another landlord’s`);
    keyIds.push(id);
  }
  if (keyIds.length > 0 || role === 'admin') return keyIds;
  const all = await findKeysOfLandlord(db, landlordId);
  if (all.length > 1) throw new UsageError('the landlord has several API keys; name those of the member with --key');
  return all;
}

const listAll = withRuntime(async ({ db, now }, { landlord, limit }: { landlord: string; limit: number }) => {
  const { id } = await namedLandlord(db, landlord);
  const rows = (await listMembers(db, id, limit + 1)).map(view);
  return list(rows, {
    columns: ['member_id', 'name', 'role', 'mail', 'status', 'last_signed_in_at'],
    cut: ['name', 'mail'],
    drop: ['last_signed_in_at', 'mail'],
    limit,
    empty: `It has no members yet. Invite one:\n  ${commandLine(`member invite --landlord ${id} --name "Ana Ruiz" --mail ana@letting.example`)}`,
    forPeople: (row) => ({
      ...row,
      ...signInColumns(row, now()),
    }),
  });
});

interface OfLandlord {
  landlord: string;
}

const makeLink = withRuntime(async (runtime, id: string, { landlord }: OfLandlord) => {
  const member = await namedMember(runtime, landlord, id);
  if (member.disabled_at !== null)
    throw new OperatorError(
      `the member is disabled; enable them first: ${commandLine(`member enable ${id} --landlord ${landlord}`)}`,
    );
  const link = await addSignInLink(runtime, { of: 'member_id', id: member.id }, {}, operator());
  if (!link) throw new OperatorError('three links of this member are open; wait half an hour, or disable and enable');
  return record('A sign-in link was created.', { member_id: id, ...linkFields(runtime.publicUrl(), link) }, KEEP_IT);
});

const disableOne = withRuntime(async (runtime, id: string, { landlord }: OfLandlord) => {
  const isChanged = await disableMember(runtime, await namedMember(runtime, landlord, id), operator());
  const sentence = isChanged ? 'The member was disabled. Their sessions ended.' : 'Already disabled; nothing changed.';
  return record(sentence, view(await namedMember(runtime, landlord, id)));
});

const enableOne = withRuntime(async (runtime, id: string, { landlord }: OfLandlord) => {
  const isChanged = await enableMember(runtime, await namedMember(runtime, landlord, id), operator());
  const sentence = isChanged ? 'The member can sign in again.' : 'They were not disabled; nothing changed.';
  return record(sentence, view(await namedMember(runtime, landlord, id)));
});

/** @throws OperatorError when the landlord has no such member */
async function namedMember({ db }: Pick<Runtime, 'db'>, landlordId: string, id: string): Promise<ListedMember> {
  return expectFound(await findMember(db, landlordId, id), 'member', id, `member list --landlord ${landlordId}`);
}

function listing(landlordId: string): string {
  return commandLine(`member list --landlord ${landlordId}`);
}

function view({ id, landlord_id, name, role, mail_address, created_at, disabled_at, last_signed_in_at }: ListedMember) {
  return { member_id: id, landlord_id, name, role, mail: mail_address, created_at, disabled_at, last_signed_in_at };
}
