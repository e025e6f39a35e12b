import { newId } from '../../core/ids.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { isoAfter, MINUTE_MS } from '../../core/time.ts';
import type { Transaction } from '../connection/database.ts';
import { among } from '../connection/queries/many-values.ts';

/** Who looked, as the person reads it: the role of a landlord's member, or an operator of the service. */
export const lookers = ['admin', 'agent', 'developer', 'viewer', 'operator'] as const;
export type Looker = (typeof lookers)[number];

/** What they looked at. */
export const lookKinds = ['history', 'identity', 'document', 'original', 'analysis', 'income', 'report'] as const;
export type LookKind = (typeof lookKinds)[number];

/** A look at what is held about a person, for the person to see. The audit log knows more: by whom, and at which thing. */
export interface LookRow {
  id: string;
  tenant_id: string;
  /** The API key whose result it was. */
  api_key_id: string;
  looker: Looker;
  what: LookKind;
  at: string;
}

/** A page that is loaded again, or twelve pictures of one document, are one look. */
const SAME_LOOK_MS = 15 * MINUTE_MS;

/**
 * Locks people whose looks are about to be inserted, so that an erasure waits. To be called first in a transaction, as an erasure locks people first.
 * @returns the ids of those who were not erased
 */
export async function lockLookedAt(trx: Transaction, about: readonly TenantOfKey[]): Promise<Set<string>> {
  const ids = about.map(({ tenant_id }) => tenant_id);
  return new Set(
    await trx('tenants')
      .where(among(trx, 'id', ids))
      .orderBy('id')
      .forKeyShare()
      .pluck('id'),
  );
}

/** Bounded per person and key: a look like one of the last quarter of an hour adds no row. */
export async function insertLook(
  trx: Transaction,
  { tenant_id, api_key_id }: TenantOfKey,
  { looker, what }: Pick<LookRow, 'looker' | 'what'>,
  now: Date,
): Promise<void> {
  const same = trx('looks')
    .where({ tenant_id, api_key_id, looker, what })
    .where('at', '>', isoAfter(now, -SAME_LOOK_MS));
  if (await same.first('id')) return;
  await trx('looks').insert({ id: newId(), tenant_id, api_key_id, looker, what, at: now.toISOString() });
}
