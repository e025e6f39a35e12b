import { type Html, html } from '../../../core/html.ts';
import type { DeskMessage } from '../../../core/texts/desk-texts.ts';
import { listMembers } from '../../../db/access/members.ts';
import type { AuditEntryRow } from '../../../db/audit/audit.ts';
import { listAuditEntries } from '../../../db/audit/audit-list.ts';
import type { Database } from '../../../db/connection/database.ts';
import type { Visit } from '../route.ts';
import { code } from '../views/parts.ts';
import type { TimelineEntry } from '../views/timeline.ts';

const MAX_ENTRIES = 100;
const MAX_MEMBERS = 200;

/** Who did what with something in the visitor's scope. @param words of actions, `report.act.read` for `report.read` */
export async function actsOn(
  visit: Pick<Visit, 'scope' | 't'>,
  db: Database,
  resource: string,
  words: readonly DeskMessage[],
): Promise<TimelineEntry[]> {
  const entries = await listAuditEntries(db, { resource }, MAX_ENTRIES);
  const nameOf = await membersNamed(visit, db, entries);
  return entries.map((entry) => {
    const known = words.find((one) => one === entry.action.replace('.', '.act.'));
    const act = known ? visit.t.text(known) : code(entry.action);
    return { at: entry.at, what: html`${act} <span class="soft">${nameOf(entry)}</span>` };
  });
}

/** At the desk, members of the landlord are named, and operators are not. */
async function membersNamed(
  { scope, t }: Pick<Visit, 'scope' | 't'>,
  db: Database,
  entries: readonly AuditEntryRow[],
): Promise<(entry: AuditEntryRow) => Html> {
  const isNeeded = scope.of === 'one landlord' && entries.some(({ actor_kind }) => actor_kind === 'member');
  const members = isNeeded ? await listMembers(db, scope.landlordId, MAX_MEMBERS) : [];
  const names = new Map(members.map(({ id, name }) => [id, name]));
  return ({ actor_kind, actor }) => {
    const name = names.get(actor);
    if (actor_kind === 'member' && name !== undefined) return t.rich('actor.named', { name });
    if (actor_kind === 'operator' && scope.of === 'all landlords') return t.rich('actor.named', { name: actor });
    return html`${t.text(`actor.${actor_kind}`)}`;
  };
}
