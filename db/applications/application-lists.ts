import type { Knex } from 'knex';
import { type Database, dialectOf } from '../connection/database.ts';
import { countGroups } from '../connection/queries/counts.ts';
import { inIndexOrder, unindexed } from '../connection/queries/index-order.ts';
import { newestFirst } from '../connection/queries/newest-first.ts';
import { inScope, type Scope } from '../connection/queries/scope.ts';
import type { ApplicationRow, ParticipantRow } from './applications.ts';
import type { InviteRow } from './invites.ts';
import type { OnboardingLinkRow } from './onboarding-links.ts';
import type { PaymentRow } from './payments.ts';
import type { TenantRow } from './tenants.ts';

export interface ApplicationFilter {
  landlordId?: string | undefined;
  clientId?: string | undefined;
  /** The canonical address of an active participant. */
  comparableEmail?: string | undefined;
  /** The internal id of the property that they are about. */
  propertyInternalId?: number | undefined;
  /** The first moment of creation. */
  since?: string | undefined;
  /** The row after which the list continues. */
  before?: { createdAt: string; id: string } | undefined;
}

/** An application with its key, landlord, lead and property. */
export type ListedApplication = ApplicationRow & {
  client_id: string;
  landlord_id: string;
  api_key_name: string;
  landlord_name: string;
  lead_email: string | null;
  property_id: string | null;
  /** What people call it: its reference, or else its street; null without either. */
  property_name: string | null;
};

/** Newest first. */
export async function listApplications(
  db: Database,
  scope: Scope,
  filter: ApplicationFilter,
  limit: number,
): Promise<ListedApplication[]> {
  const { landlordId, clientId, comparableEmail, propertyInternalId, since, before } = filter;
  const chosen = applications(db);
  const ofKeys = (rows: Knex.QueryBuilder) => {
    inScope(scope, 'api_keys.id')(rows);
    if (landlordId !== undefined) rows.where('api_keys.landlord_id', landlordId);
    if (clientId !== undefined) rows.where({ client_id: clientId });
  };
  const isOfSome = scope.of === 'one landlord' || (landlordId ?? clientId) !== undefined;
  // A person and a property have few applications, which are sorted.
  const isOfFew = comparableEmail !== undefined || propertyInternalId !== undefined;
  const isOfKeys = isOfSome && !isOfFew;
  if (isOfKeys && dialectOf(db) === 'postgres')
    chosen.whereIn('applications.id', await newestOf(db, ofKeys, limit, { since, before }));
  else ofKeys(chosen);
  if (comparableEmail !== undefined)
    chosen.whereIn(
      'applications.id',
      db('participants').where({ comparable_email: comparableEmail }).whereNull('removed_at').select('application_id'),
    );
  if (propertyInternalId !== undefined)
    chosen.whereIn(
      'applications.id',
      db('applications').where({ property_internal_id: propertyInternalId }).select('id'),
    );
  if (since !== undefined) chosen.where('applications.created_at', '>=', since);
  if (before) chosen.whereRaw('(applications.created_at, applications.id) < (?, ?)', [before.createdAt, before.id]);
  const moment = 'applications.created_at';
  return chosen
    .orderBy(isOfFew ? unindexed(db, moment) : moment, 'desc')
    .orderBy('applications.id', 'desc')
    .limit(limit);
}

/**
 * The ids of the newest applications of several keys. Reads the newest of each key, then merges them. Behind a position by comparisons of rows
 * that the key begins, which only the index by key serves: otherwise the planner walks through the applications of all keys.
 */
function newestOf(
  db: Database,
  ofKeys: (rows: Knex.QueryBuilder) => void,
  limit: number,
  { since = '', before }: Pick<ApplicationFilter, 'since' | 'before'>,
): Promise<string[]> {
  const merged = (of: Database, condition: string, order: string, bounds: string[]): Promise<string[]> => {
    const ofKey = `select id, created_at from applications where ${condition} order by ${order}created_at desc, id desc limit ?`;
    return of('api_keys')
      .joinRaw(`cross join lateral (${ofKey}) as newest`, [...bounds, limit])
      .modify(ofKeys)
      .orderBy(newestFirst('newest'))
      .limit(limit)
      .pluck('newest.id');
  };
  if (!before) return merged(db, 'api_key_id = api_keys.id and created_at >= ?', '', [since]);
  const behind =
    '(api_key_id, created_at, id) < (api_keys.id, ?, ?) and (api_key_id, created_at, id) >= (api_keys.id, ?, ?)';
  const bounds = [before.createdAt, before.id, since, ''];
  return inIndexOrder(db, (trx) => merged(trx, behind, 'api_key_id desc, ', bounds));
}

export async function findListedApplication(
  db: Database,
  scope: Scope,
  id: string,
): Promise<ListedApplication | undefined> {
  const [found] = await applications(db).where('applications.id', id).where(inScope(scope, 'api_keys.id'));
  return found;
}

function applications(db: Database) {
  return db('applications')
    .join('api_keys', 'api_keys.id', 'applications.api_key_id')
    .join('landlords', 'landlords.id', 'api_keys.landlord_id')
    .leftJoin('participants as leads', (on) => {
      on.on('leads.application_id', 'applications.id').onVal('leads.is_lead', 1).onNull('leads.removed_at');
    })
    .select<ListedApplication[]>(
      'applications.*',
      'api_keys.client_id',
      'api_keys.landlord_id',
      'api_keys.name as api_key_name',
      'landlords.name as landlord_name',
      'leads.email as lead_email',
      db.raw(`${ofProperty('property_id')} as property_id`),
      db.raw(`${ofProperty("coalesce(nullif(property_reference, ''), nullif(street, ''))")} as property_name`),
    );
}

function ofProperty(value: string): string {
  return `(select ${value} from properties where properties.id = applications.property_internal_id)`;
}

/** Where a person stands in an application. */
export const participantStates = ['pending', 'accepted', 'declined', 'removed'] as const;
export type ParticipantState = (typeof participantStates)[number];

const STATE =
  "case when removed_at is not null then 'removed' when consent_status = 'rejected' then 'declined' else consent_status end";

/** How many participants of each application are in a state. */
export async function countParticipants(
  db: Database,
  applicationIds: readonly string[],
): Promise<(id: string, state: ParticipantState) => number> {
  const people = db('participants')
    .whereIn('application_id', applicationIds)
    .select('application_id', db.raw(`${STATE} as state`));
  return countGroups(db.from(people.as('people')), 'application_id', 'state');
}

/** The applications, of some, in which a person is in a state. @returns their ids */
export async function listWithState(
  db: Database,
  state: ParticipantState,
  applicationIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = db('participants').whereIn('application_id', applicationIds).whereRaw(`${STATE} = ?`, [state]);
  return new Set(await rows.pluck('application_id'));
}

/** A participant with account, invitation, onboarding link and payments. */
export type ListedParticipant = ParticipantRow &
  Pick<TenantRow, 'profile_completed_at' | 'profile_outdated_at'> & {
    tenant_id: string | null;
    invite: InviteRow | undefined;
    /** The newest link. */
    onboardingLink: OnboardingLinkRow | undefined;
    payments: PaymentRow[];
  };

/** Active and removed participants, in their order. */
export async function listParticipants(db: Database, applicationId: string): Promise<ListedParticipant[]> {
  const rows: (ParticipantRow &
    Pick<ListedParticipant, 'tenant_id' | 'profile_completed_at' | 'profile_outdated_at'>)[] = await db('participants')
    .leftJoin('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .where({ application_id: applicationId })
    .orderBy('position')
    .select('participants.*', 'tenants.id as tenant_id', 'profile_completed_at', 'profile_outdated_at');
  const ids = rows.map(({ id }) => id);
  const invites = await db('invites').whereIn('participant_id', ids);
  const links = await db('onboarding_links').whereIn('participant_id', ids).orderBy('created_at', 'desc');
  const payments = await db('payments').whereIn('participant_id', ids).orderBy('created_at').orderBy('id');
  const isOf = (id: string) => (row: { participant_id: string }) => row.participant_id === id;
  return rows.map((row) => ({
    ...row,
    invite: invites.find(isOf(row.id)),
    onboardingLink: links.find(isOf(row.id)),
    payments: payments.filter(isOf(row.id)),
  }));
}

/** The applications in which a person is an active participant, newest first. */
export function listParticipations(
  db: Database,
  scope: Scope,
  comparableEmail: string,
  limit: number,
): Promise<Participation[]> {
  return db('participants')
    .join('applications', 'applications.id', 'participants.application_id')
    .where({ comparable_email: comparableEmail })
    .where(inScope(scope, 'applications.api_key_id'))
    .whereNull('removed_at')
    .orderBy(newestFirst('applications'))
    .limit(limit)
    .select('participants.*', 'applications.title', 'applications.created_at', 'applications.api_key_id');
}

export type Participation = ParticipantRow & Pick<ApplicationRow, 'title' | 'created_at' | 'api_key_id'>;
