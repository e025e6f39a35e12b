import type { Knex } from 'knex';
import type { Database, Transaction } from '../connection/database.ts';
import { among } from '../connection/queries/many-values.ts';

/** Two accounts whose people once applied together, after the participations of the first were forgotten. */
export interface FormerCoApplicantRow {
  tenant_id: string;
  other_tenant_id: string;
}

/** Applications that the tenant and the document's owner take or took part in together: for `whereNotExists`. */
export function sharedApplications(db: Database, tenantId: string) {
  return together(db).where('own.id', tenantId).where('other.id', db.ref('documents.tenant_id')).select(db.raw('1'));
}

/** The same, of applications that are forgotten. */
export function forgottenApplications(db: Database, tenantId: string) {
  const is = (one: string, other: string) => (pair: Knex.QueryBuilder) =>
    void pair
      .where(`former_co_applicants.${one}`, tenantId)
      .where(`former_co_applicants.${other}`, db.ref('documents.tenant_id'));
  return db('former_co_applicants')
    .where((pair) => pair.where(is('tenant_id', 'other_tenant_id')).orWhere(is('other_tenant_id', 'tenant_id')))
    .select(db.raw('1'));
}

/** Notes who applied with whom in participations that are about to be forgotten. */
export async function rememberCoApplicants(trx: Transaction, participantIds: readonly string[]): Promise<void> {
  const pairs = together(trx)
    .where(among(trx, 'ours.id', participantIds))
    .whereNot('other.id', trx.ref('own.id'))
    .select('own.id', 'other.id as other_id');
  await trx(trx.raw('former_co_applicants (tenant_id, other_tenant_id)')).insert(pairs).onConflict().ignore();
}

function together(db: Database) {
  return db('participants as theirs')
    .join('tenants as other', 'other.comparable_email', 'theirs.comparable_email')
    .join('participants as ours', 'ours.application_id', 'theirs.application_id')
    .join('tenants as own', 'own.comparable_email', 'ours.comparable_email');
}
