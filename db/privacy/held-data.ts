import type { Knex } from 'knex';
import { comparableEmail } from '../../core/rules/participants.ts';
import type { ApplicationRow, ParticipantRow } from '../applications/applications.ts';
import type { Database } from '../connection/database.ts';
import { documentsWithin } from '../documents/removed-documents.ts';
import { type Scope, within } from './persons.ts';

type HeldApplication = Pick<ParticipantRow, 'consent_status' | 'name' | 'removed_at'> &
  Pick<ApplicationRow, 'title' | 'created_at'>;

/** The newest of each kind of data held about a person, without the contents of results. */
export type HeldData = Awaited<ReturnType<typeof findHeldData>>;

/** @param limit of each kind */
export async function findHeldData(db: Database, email: string, scope: Scope, limit: number) {
  const key = { comparable_email: comparableEmail(email) };
  const tenant = await db('tenants').where(key).first('id');
  const theirs = (of: Knex.QueryBuilder) => void of.where({ tenant_id: tenant?.id ?? '' }).where(within(scope));
  const ended = ['created_at', 'finished_at', 'status'] as const;
  const newest = [{ column: 'created_at', order: 'desc' }];
  const applications: HeldApplication[] = await db('participants')
    .join('applications', 'applications.id', 'participants.application_id')
    .where(key)
    .where(within(scope))
    .orderBy('applications.created_at', 'desc')
    .limit(limit)
    .select('consent_status', 'name', 'removed_at', 'applications.title', 'applications.created_at');
  return {
    applications,
    documents: await db('documents')
      .where({ tenant_id: tenant?.id ?? '' })
      .where(documentsWithin(scope))
      .orderBy(newest)
      .limit(limit)
      .select('created_at', 'name', 'type'),
    kyc: await db('kyc_verifications')
      .where(theirs)
      .orderBy(newest)
      .limit(limit)
      .select(...ended),
    eid: await db('eid_flows')
      .where(theirs)
      .orderBy(newest)
      .limit(limit)
      .select(...ended),
    analyses: await db('forensic_runs')
      .where(theirs)
      .orderBy(newest)
      .limit(limit)
      .select(...ended),
    looks: await db('looks')
      .where(theirs)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .select('at', 'looker', 'what'),
    events: await db('events').where(theirs).orderBy(newest).limit(limit).select('created_at', 'event'),
  };
}
