import { newId } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/database.ts';

/** The tables of those who sign in with passkeys, and of their passkeys, by the column that names them. */
const TABLES = {
  member_id: { holders: 'members', passkeys: 'member_passkeys' },
  account_id: { holders: 'console_accounts', passkeys: 'account_passkeys' },
} as const;

/** Members of landlords, or operators. */
export type PasskeyHolders = keyof typeof TABLES;

/** One who signs in with passkeys. */
export interface PasskeyHolder {
  of: PasskeyHolders;
  id: string;
}

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

function passkeysOf(db: Database, { of, id }: PasskeyHolder) {
  return db<PasskeyRow>(TABLES[of].passkeys).where(of, id);
}

/** Serializes changes of the holder's passkeys until the transaction ends. */
export async function lockHolder(trx: Transaction, { of, id }: PasskeyHolder): Promise<void> {
  await trx(TABLES[of].holders).where({ id }).forNoKeyUpdate().first('id');
}

/** The caller has locked the holder. @returns its id; undefined when it is registered already, or the holder has as many as allowed */
export async function insertPasskey(
  trx: Transaction,
  holder: PasskeyHolder,
  passkey: NewPasskey,
  now: Date,
): Promise<string | undefined> {
  if ((await passkeysOf(trx, holder).pluck('id')).length >= MAX_PASSKEYS) return undefined;
  const row = { id: newId(), ...passkey, created_at: now.toISOString(), used_at: null };
  const inserted = await trx(TABLES[holder.of].passkeys)
    .insert({ ...row, [holder.of]: holder.id })
    .onConflict('credential_id')
    .ignore()
    .returning('id');
  return inserted[0]?.id;
}

/** The oldest first. */
export function listPasskeys(db: Database, holder: PasskeyHolder): Promise<PasskeyRow[]> {
  return passkeysOf(db, holder).orderBy(['created_at', 'id']).limit(MAX_PASSKEYS);
}

/** Finds the passkey of a holder who is not disabled. */
export async function findPasskey(
  db: Database,
  of: PasskeyHolders,
  credentialId: string,
): Promise<{ passkey: PasskeyRow; holder: PasskeyHolder } | undefined> {
  const { holders, passkeys } = TABLES[of];
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
  holder: PasskeyHolder,
  { id, counter }: Pick<PasskeyRow, 'id' | 'counter'>,
  used: Pick<PasskeyRow, 'counter' | 'challenge_at'>,
  now: Date,
): Promise<boolean> {
  const rows = passkeysOf(trx, holder).where({ id, counter }).where('challenge_at', '<', used.challenge_at);
  return (await rows.update({ ...used, used_at: now.toISOString() })) === 1;
}

/** @returns false when the holder has no such passkey, or it had this name */
export async function renamePasskey(
  trx: Transaction,
  holder: PasskeyHolder,
  id: string,
  name: string,
): Promise<boolean> {
  return (await passkeysOf(trx, holder).where({ id }).whereNot({ name }).update({ name })) === 1;
}

/** @returns the name of the passkey; undefined when the holder has no such passkey */
export async function deletePasskey(trx: Transaction, holder: PasskeyHolder, id: string): Promise<string | undefined> {
  const own = () => passkeysOf(trx, holder).where({ id });
  const [name] = await own().pluck('name');
  return (await own().delete()) === 1 ? name : undefined;
}

export async function deletePasskeys(trx: Transaction, holder: PasskeyHolder): Promise<void> {
  await passkeysOf(trx, holder).delete();
}
