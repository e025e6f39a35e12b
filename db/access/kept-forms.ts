import { HOUR_MS } from '../../core/time.ts';
import type { Database } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';
import { type Holder, type Holders, holdersOf } from './sign-in.ts';

/** Longer than the link is valid with which a holder proves who they are. */
export const KEPT_MS = HOUR_MS;

/** The form of an action that waits until its sender has proved who they are. One of each holder. */
export interface KeptFormRow {
  sealed_form: string;
  kept_at: string;
}
export type MemberFormRow = KeptFormRow & { member_id: string };
export type AccountFormRow = KeptFormRow & { account_id: string };

export async function putForm(db: Database, { of, id }: Holder, form: KeptFormRow): Promise<void> {
  const { forms } = holdersOf(of);
  await retried(db, () =>
    db(forms)
      .insert({ ...form, [of]: id })
      .onConflict(of)
      .merge(),
  );
}

/** @param after when it was kept */
export function findForm(db: Database, { of, id }: Holder, after: Date): Promise<KeptFormRow | undefined> {
  return db<KeptFormRow>(holdersOf(of).forms)
    .where(of, id)
    .where('kept_at', '>', after.toISOString())
    .first('sealed_form', 'kept_at');
}

export async function deleteForm(db: Database, { of, id }: Holder): Promise<void> {
  await retried(db, () => db(holdersOf(of).forms).where(of, id).delete());
}

export async function deleteOldForms(db: Database, of: Holders, before: Date): Promise<void> {
  await retried(db, () => db(holdersOf(of).forms).where('kept_at', '<=', before.toISOString()).delete());
}
