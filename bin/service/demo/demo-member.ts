import { findLandlord } from '../../../db/access/landlords.ts';
import { findMemberships } from '../../../db/access/members.ts';
import { SERVICE } from '../../../db/audit/audit.ts';
import { replaceSignInLinks } from '../../../jobs/access/sign-in.ts';
import { addMember } from '../../../jobs/members/members.ts';
import type { Runtime } from '../../../jobs/runtime.ts';

const DEMO_LANDLORD = 'demo-lettings';
const ADDRESS = 'clara@demo-lettings.example';
const VALID_MINUTES = 12 * 60;

/**
 * A link that signs in to the desk of the demo landlord, for the sandbox. A start replaces the link of the one before.
 * @param url the service's own address @returns undefined in a database that has its own landlords
 */
export async function demoDeskLink(runtime: Pick<Runtime, 'db' | 'now'>, url: string): Promise<string | undefined> {
  const { db } = runtime;
  if (!(await findLandlord(db, DEMO_LANDLORD))) return undefined;
  const added = { landlord_id: DEMO_LANDLORD, mail_address: ADDRESS, name: 'Clara Demo', role: 'admin' } as const;
  await addMember(runtime, added, [], SERVICE);
  const [member] = await findMemberships(db, ADDRESS, 1);
  if (!member) return undefined;
  const { path } = await replaceSignInLinks(
    runtime,
    { of: 'member_id', id: member.id },
    { minutes: VALID_MINUTES },
    SERVICE,
  );
  return `${url}${path}`;
}
