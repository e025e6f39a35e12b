import { newId } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/database.ts';

/** A credential with which a member signs in without a mail (WebAuthn). */
export interface MemberPasskeyRow {
  id: string;
  member_id: string;
  /** Chosen by the member. */
  name: string;
  /** In base64url, like the public key, which is in COSE. */
  credential_id: string;
  public_key: string;
  /** How often it signed; many authenticators do not count, and always say 0. */
  counter: number;
  /** When the last challenge that it signed was issued. */
  challenge_at: string;
  created_at: string;
  used_at: string | null;
}

export const MAX_PASSKEYS = 10;

type NewPasskey = Pick<
  MemberPasskeyRow,
  'member_id' | 'name' | 'credential_id' | 'public_key' | 'counter' | 'challenge_at'
>;

/** The caller has locked the member. @returns its id; undefined when it is registered already, or the member has as many as allowed */
export async function insertPasskey(trx: Transaction, passkey: NewPasskey, now: Date): Promise<string | undefined> {
  const { member_id } = passkey;
  if ((await trx('member_passkeys').where({ member_id }).pluck('id')).length >= MAX_PASSKEYS) return undefined;
  const row = { ...passkey, id: newId(), created_at: now.toISOString(), used_at: null };
  const inserted = await trx('member_passkeys').insert(row).onConflict('credential_id').ignore().returning('id');
  return inserted[0]?.id;
}

/** The oldest first. */
export function listPasskeys(db: Database, memberId: string): Promise<MemberPasskeyRow[]> {
  return db('member_passkeys').where({ member_id: memberId }).orderBy(['created_at', 'id']).limit(MAX_PASSKEYS);
}

/** Finds the passkey of a member who is not disabled. */
export function findPasskey(db: Database, credentialId: string): Promise<MemberPasskeyRow | undefined> {
  return db('member_passkeys')
    .join('members', 'members.id', 'member_passkeys.member_id')
    .where({ credential_id: credentialId })
    .whereNull('members.disabled_at')
    .first<MemberPasskeyRow | undefined>('member_passkeys.*');
}

/** @returns false when it was removed, or signed this challenge, or a later one, before: each signs in once */
export async function notePasskeyUse(
  trx: Transaction,
  { id, counter }: Pick<MemberPasskeyRow, 'id' | 'counter'>,
  used: Pick<MemberPasskeyRow, 'counter' | 'challenge_at'>,
  now: Date,
): Promise<boolean> {
  const rows = trx('member_passkeys').where({ id, counter }).where('challenge_at', '<', used.challenge_at);
  return (await rows.update({ ...used, used_at: now.toISOString() })) === 1;
}

type OwnPasskey = Pick<MemberPasskeyRow, 'id' | 'member_id'>;

/** @returns false when the member has no such passkey, or it had this name */
export async function renamePasskey(trx: Transaction, own: OwnPasskey, name: string): Promise<boolean> {
  return (await trx('member_passkeys').where(own).whereNot({ name }).update({ name })) === 1;
}

/** @returns false when the member has no such passkey */
export async function deletePasskey(trx: Transaction, own: OwnPasskey): Promise<boolean> {
  return (await trx('member_passkeys').where(own).delete()) === 1;
}
