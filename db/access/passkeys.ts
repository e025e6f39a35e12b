import { newId } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { type Holder, type Holders, holdersOf } from './sign-in.ts';

/** A credential with which a member or an operator signs in without a mail (WebAuthn). */
export interface PasskeyRow {
  id: string;
  /** Chosen by its holder. */
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

export type MemberPasskeyRow = PasskeyRow & { member_id: string };
export type AccountPasskeyRow = PasskeyRow & { account_id: string };

export const MAX_PASSKEYS = 10;

type NewPasskey = Pick<PasskeyRow, 'name' | 'credential_id' | 'public_key' | 'counter' | 'challenge_at'>;

function passkeysOf(db: Database, { of, id }: Holder) {
  return db<PasskeyRow>(holdersOf(of).passkeys).where(of, id);
}

/** The caller has locked the holder. @returns its id; undefined when it is registered already, or the holder has as many as allowed */
export async function insertPasskey(
  trx: Transaction,
  holder: Holder,
  passkey: NewPasskey,
  now: Date,
): Promise<string | undefined> {
  if ((await passkeysOf(trx, holder).pluck('id')).length >= MAX_PASSKEYS) return undefined;
  const row = { id: newId(), ...passkey, created_at: now.toISOString(), used_at: null };
  const inserted = await trx(holdersOf(holder.of).passkeys)
    .insert({ ...row, [holder.of]: holder.id })
    .onConflict('credential_id')
    .ignore()
    .returning('id');
  return inserted[0]?.id;
}

/** The oldest first. */
export function listPasskeys(db: Database, holder: Holder): Promise<PasskeyRow[]> {
  return passkeysOf(db, holder).orderBy(['created_at', 'id']).limit(MAX_PASSKEYS);
}

/** Finds the passkey of a holder who is not disabled. */
export async function findPasskey(
  db: Database,
  of: Holders,
  credentialId: string,
): Promise<{ passkey: PasskeyRow; holder: Holder } | undefined> {
  const { holders, passkeys } = holdersOf(of);
  const found = await db(passkeys)
    .join(holders, `${holders}.id`, `${passkeys}.${of}`)
    .where({ credential_id: credentialId })
    .whereNull(`${holders}.disabled_at`)
    .first<(PasskeyRow & { holder: string }) | undefined>(`${passkeys}.*`, `${holders}.id as holder`);
  if (!found) return undefined;
  const { holder: id, ...passkey } = found;
  return { passkey, holder: { of, id } };
}

/** @returns false when it was removed, or signed this challenge, or a later one, before: each signs in once */
export async function notePasskeyUse(
  trx: Transaction,
  holder: Holder,
  { id, counter }: Pick<PasskeyRow, 'id' | 'counter'>,
  used: Pick<PasskeyRow, 'counter' | 'challenge_at'>,
  now: Date,
): Promise<boolean> {
  const rows = passkeysOf(trx, holder).where({ id, counter }).where('challenge_at', '<', used.challenge_at);
  return (await rows.update({ ...used, used_at: now.toISOString() })) === 1;
}

/** @returns false when the holder has no such passkey, or it had this name */
export async function renamePasskey(trx: Transaction, holder: Holder, id: string, name: string): Promise<boolean> {
  return (await passkeysOf(trx, holder).where({ id }).whereNot({ name }).update({ name })) === 1;
}

/** @returns the name of the passkey; undefined when the holder has no such passkey */
export async function deletePasskey(trx: Transaction, holder: Holder, id: string): Promise<string | undefined> {
  const own = () => passkeysOf(trx, holder).where({ id });
  const [name] = await own().pluck('name');
  return (await own().delete()) === 1 ? name : undefined;
}
