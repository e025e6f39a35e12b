import { type Html, html, isolated } from '../../../core/html.ts';
import { listMembers } from '../../../db/access/members.ts';
import type { AuditEntryRow } from '../../../db/audit/audit.ts';
import type { Database } from '../../../db/connection/database.ts';
import type { Visit } from '../route.ts';

const MAX_MEMBERS = 200;

/** Who did what an entry says: at the desk, members of the landlord by name, and operators without one. */
export async function membersNamed(
  { scope, t }: Pick<Visit, 'scope' | 't'>,
  db: Database,
  entries: readonly AuditEntryRow[],
): Promise<(entry: AuditEntryRow) => Html> {
  const isNeeded = scope.of === 'one landlord' && entries.some(({ actor_kind }) => actor_kind === 'member');
  const members = isNeeded ? await listMembers(db, scope.landlordId, MAX_MEMBERS) : [];
  const names = new Map(members.map(({ id, name }) => [id, name]));
  return ({ actor_kind, actor }) => {
    const name = names.get(actor);
    if (actor_kind === 'member' && name !== undefined) return isolated(name);
    if (actor_kind === 'operator' && scope.of === 'all landlords') return html`by ${actor}`;
    return html`${t.text(`actor.${actor_kind}`)}`;
  };
}
