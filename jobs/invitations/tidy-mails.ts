import type { Database } from '../../db/connection/connect.ts';
import type { Runtime } from '../runtime.ts';

const BATCH = 200;

/** Removes local mails whose invitation is gone. @returns how many */
export async function tidyMails({ db, providers }: Pick<Runtime, 'db' | 'providers'>): Promise<number> {
  const mails = await Array.fromAsync(providers.localMails.kept(), ({ id }) => id);
  let removed = 0;
  for (let index = 0; index < mails.length; index += BATCH)
    removed += await providers.localMails.forget(await withoutInvite(db, mails.slice(index, index + BATCH)));
  return removed;
}

async function withoutInvite(db: Database, ids: readonly string[]): Promise<string[]> {
  const known = new Set(await db('invites').whereIn('id', ids).pluck('id'));
  return ids.filter((id) => !known.has(id));
}
