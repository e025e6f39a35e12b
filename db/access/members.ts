import { newId } from '../../core/ids.ts';
import { comparableEmail } from '../../core/rules/participants.ts';
import type { Language } from '../../core/texts/languages.ts';
import type { Database, Transaction } from '../connection/database.ts';

/** What a member may do; `http/backoffice/routes.ts` says which pages and actions each role has. */
export const memberRoles = ['admin', 'agent', 'developer', 'viewer'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** A person of a landlord who may use its desk. */
export interface MemberRow {
  id: string;
  landlord_id: string;
  mail_address: string;
  comparable_email: string;
  name: string;
  role: MemberRole;
  /** Chosen by the member; null for the language of the browser. */
  language: Language | null;
  created_at: string;
  disabled_at: string | null;
  last_signed_in_at: string | null;
  /** Whether they want mails about endpoints that fail. */
  mails_webhooks: 0 | 1;
}

/** An API key that a member was given. */
export interface MemberKeyRow {
  member_id: string;
  api_key_id: string;
}

export type NewMember = Pick<MemberRow, 'landlord_id' | 'mail_address' | 'name' | 'role'>;

/** @returns undefined when the address is a member of the landlord already */
export async function insertMember(trx: Transaction, member: NewMember, now: Date): Promise<MemberRow | undefined> {
  const row: MemberRow = {
    id: newId(),
    ...member,
    comparable_email: comparableEmail(member.mail_address),
    language: null,
    created_at: now.toISOString(),
    disabled_at: null,
    last_signed_in_at: null,
    mails_webhooks: 1,
  };
  const inserted = await trx('members')
    .insert(row)
    .onConflict(['landlord_id', 'comparable_email'])
    .ignore()
    .returning('id');
  return inserted.length === 1 ? row : undefined;
}

/** Serializes changes of a landlord's members, and their invitations, until the transaction ends. */
export async function lockMembers(trx: Transaction, landlordId: string): Promise<void> {
  await trx('landlords').where({ id: landlordId }).forNoKeyUpdate().first('id');
}

export type ListedMember = MemberRow & { landlord_name: string };

function membersWithLandlords(db: Database) {
  return db('members')
    .join('landlords', 'landlords.id', 'members.landlord_id')
    .select<ListedMember[]>('members.*', 'landlords.name as landlord_name');
}

/** By name; those who may sign in before all others. */
export function listMembers(db: Database, landlordId: string, limit: number): Promise<ListedMember[]> {
  return membersWithLandlords(db)
    .where('members.landlord_id', landlordId)
    .orderByRaw('case when disabled_at is null then 0 else 1 end')
    .orderBy(['members.name', 'members.id'])
    .limit(limit);
}

/** A member of a landlord. */
export async function findMember(db: Database, landlordId: string, id: string): Promise<ListedMember | undefined> {
  const [member] = await membersWithLandlords(db).where('members.landlord_id', landlordId).where('members.id', id);
  return member;
}

/** The memberships of an address that are not disabled, one for each landlord. */
export function findMemberships(db: Database, address: string, limit: number): Promise<ListedMember[]> {
  return membersWithLandlords(db)
    .where('comparable_email', comparableEmail(address))
    .whereNull('disabled_at')
    .orderBy('members.id')
    .limit(limit);
}

/** @returns false when nothing changed */
export async function updateMember(
  trx: Transaction,
  id: string,
  change: Partial<Pick<MemberRow, 'role' | 'name' | 'language' | 'mails_webhooks'>>,
): Promise<boolean> {
  const others = Object.entries(change).map(([column, value]) => [column, value ?? null] as const);
  const changed = await trx('members')
    .where({ id })
    .where((rows) => {
      for (const [column, value] of others) rows.orWhereRaw('?? is distinct from ?', [column, value]);
    })
    .update(change);
  return changed === 1;
}

/** How many members may sign in: all, or those of a role. */
export async function countActiveMembers(
  trx: Transaction,
  landlordId: string,
  of: Partial<Pick<MemberRow, 'role'>> = {},
): Promise<number> {
  const ids = await trx('members')
    .where({ landlord_id: landlordId, ...of })
    .whereNull('disabled_at')
    .pluck('id');
  return ids.length;
}

/** Replaces the API keys of a member. @param keyIds of the member's landlord @returns false when they had exactly these */
export async function setMemberKeys(trx: Transaction, memberId: string, keyIds: readonly string[]): Promise<boolean> {
  const wanted = new Set(keyIds);
  const had = (await keysOfMembers(trx, [memberId]))(memberId);
  if (had.length === wanted.size && had.every((id) => wanted.has(id))) return false;
  await trx('member_keys').where({ member_id: memberId }).delete();
  const rows = [...wanted].map((api_key_id) => ({ member_id: memberId, api_key_id }));
  if (rows.length > 0) await trx('member_keys').insert(rows);
  return true;
}

/** Gives a member one more API key. */
export async function addMemberKey(trx: Transaction, memberId: string, apiKeyId: string): Promise<void> {
  await trx('member_keys').insert({ member_id: memberId, api_key_id: apiKeyId }).onConflict().ignore();
}

/** The ids of the API keys that members were given, by member. */
export async function keysOfMembers(
  db: Database,
  memberIds: readonly string[],
): Promise<(memberId: string) => readonly string[]> {
  const rows = await db('member_keys').whereIn('member_id', memberIds);
  return (memberId) => rows.filter((row) => row.member_id === memberId).map(({ api_key_id }) => api_key_id);
}
