import type { Database } from '../connection/database.ts';
import { jsonIn } from '../connection/queries/key-reads.ts';
import type { OneLandlord } from '../connection/queries/scope.ts';
import type { ListedMember } from './members.ts';
import { visitorRead } from './visitors.ts';

/** Admins see every API key of their landlord; other members the keys that they were given. */
const find = visitorRead<SignedInMember & { key_ids: string }>('member_id', (dialect) => {
  const { list } = jsonIn[dialect];
  const ofLandlord = `select ${list('id')} from api_keys where landlord_id = holder.landlord_id`;
  const given = `select ${list('api_key_id')} from member_keys where member_id = holder.id`;
  return {
    id: 'holder.id',
    landlord_id: 'holder.landlord_id',
    name: 'holder.name',
    role: 'holder.role',
    language: 'holder.language',
    landlord_name: '(select name from landlords where id = holder.landlord_id)',
    key_ids: `cast(case holder.role when 'admin' then (${ofLandlord}) else (${given}) end as text)`,
  };
});

type SignedInMember = Pick<ListedMember, 'id' | 'landlord_id' | 'name' | 'role' | 'language' | 'landlord_name'>;

/**
 * The member whose browser has the session, if it lasts, and what they see.
 * @param isUse false for requests that a page sends without its reader: they must not keep the session alive
 */
export async function findMemberSession(db: Database, tokenHash: string, now: Date, isUse: boolean) {
  const found = await find(db, tokenHash, now, isUse);
  if (!found) return undefined;
  const keyIds: readonly string[] = JSON.parse(found.key_ids);
  const scope: OneLandlord = { of: 'one landlord', landlordId: found.landlord_id, keyIds };
  return { ...found, scope };
}
