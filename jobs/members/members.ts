import { Conflict, ValidationError } from '../../core/errors.ts';
import { findKeysOfLandlord } from '../../db/access/api-keys.ts';
import {
  countActiveMembers,
  insertMember,
  lockMembers,
  type MemberRole,
  type MemberRow,
  type NewMember,
  setMemberKeys,
  updateMember,
} from '../../db/access/members.ts';
import { setDisabled } from '../../db/access/sign-in.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';

type Changing = Pick<Runtime, 'db' | 'now'>;

/** A landlord must not end without anyone who can invite others. */
export class LastAdmin extends Conflict {
  constructor() {
    super('This is the only admin of the landlord: make another member an admin first.');
  }
}

/** How many members of a landlord may sign in. The desk lists them all. */
export const MAX_MEMBERS = 200;

export class TooManyMembers extends Conflict {
  constructor() {
    super(`The landlord has ${MAX_MEMBERS} members who may sign in, as many as it may have: disable one first.`);
  }
}

/**
 * Adds a member. @param keyIds the API keys whose applications they see, of their landlord @returns undefined when the address is a member
 * already @throws TooManyMembers
 */
export function addMember(
  { db, now }: Changing,
  member: NewMember,
  keyIds: readonly string[],
  by: Actor,
): Promise<MemberRow | undefined> {
  return inTransaction(db, (trx) => addMemberIn(trx, member, keyIds, by, now()));
}

/** The same in a transaction, which keeps the lock on the landlord's members. */
export async function addMemberIn(
  trx: Transaction,
  member: NewMember,
  keyIds: readonly string[],
  by: Actor,
  now: Date,
): Promise<MemberRow | undefined> {
  await lockMembers(trx, member.landlord_id);
  const added = await insertMember(trx, member, now);
  if (!added) return undefined;
  await expectRoom(trx, member.landlord_id);
  await giveKeys(trx, added, keyIds);
  await recordAudit(trx, by, 'member.create', added.id, now);
  return added;
}

/** Changes a member's role and API keys. @returns false when nothing changed @throws LastAdmin */
export function changeMember(
  { db, now }: Changing,
  member: Pick<MemberRow, 'id' | 'landlord_id' | 'role' | 'disabled_at'>,
  { role, keyIds }: { role: MemberRole; keyIds: readonly string[] },
  by: Actor,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    await lockMembers(trx, member.landlord_id);
    if (member.role === 'admin' && role !== 'admin') await expectOtherAdmin(trx, member);
    const isOtherRole = await updateMember(trx, member.id, { role });
    const isOtherKeys = await giveKeys(trx, member, keyIds);
    if (!isOtherRole && !isOtherKeys) return false;
    await recordAudit(trx, by, 'member.change', member.id, now());
    return true;
  });
}

/** Their sessions and links end immediately. @returns false when it was so already @throws LastAdmin */
export function disableMember(
  { db, now }: Changing,
  member: Pick<MemberRow, 'id' | 'landlord_id' | 'role' | 'disabled_at'>,
  by: Actor,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    await lockMembers(trx, member.landlord_id);
    if (member.role === 'admin') await expectOtherAdmin(trx, member);
    const isChanged = await setDisabled(trx, { of: 'member_id', id: member.id }, now());
    if (isChanged) await recordAudit(trx, by, 'member.disable', member.id, now());
    return isChanged;
  });
}

/** @returns false when they were not disabled @throws TooManyMembers */
export function enableMember(
  { db, now }: Changing,
  { id, landlord_id }: Pick<MemberRow, 'id' | 'landlord_id'>,
  by: Actor,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    await lockMembers(trx, landlord_id);
    const isChanged = await setDisabled(trx, { of: 'member_id', id }, null);
    if (!isChanged) return false;
    await expectRoom(trx, landlord_id);
    await recordAudit(trx, by, 'member.enable', id, now());
    return true;
  });
}

/** Among the members who may sign in by now, counted under the lock. */
async function expectRoom(trx: Transaction, landlordId: string): Promise<void> {
  if ((await countActiveMembers(trx, landlordId)) > MAX_MEMBERS) throw new TooManyMembers();
}

async function expectOtherAdmin(
  trx: Transaction,
  { landlord_id, disabled_at }: Pick<MemberRow, 'landlord_id' | 'disabled_at'>,
): Promise<void> {
  if (disabled_at === null && (await countActiveMembers(trx, landlord_id, { role: 'admin' })) < 2)
    throw new LastAdmin();
}

/** @returns false when they had exactly these */
async function giveKeys(
  trx: Transaction,
  { id, landlord_id }: Pick<MemberRow, 'id' | 'landlord_id'>,
  keyIds: readonly string[],
): Promise<boolean> {
  const ofLandlord = new Set(await findKeysOfLandlord(trx, landlord_id));
  if (!keyIds.every((key) => ofLandlord.has(key)))
    throw new ValidationError([], 'The API key is not of this landlord.');
  return setMemberKeys(trx, id, keyIds);
}
