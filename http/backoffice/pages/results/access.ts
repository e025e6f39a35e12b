import { tenantOfKey } from '../../../../core/rules/tenant-of-key.ts';
import { findTenantOfResult } from '../../../../db/applications/tenants.ts';
import { findForensicRun } from '../../../../db/documents/forensic-runs.ts';
import { expectFound, type Parts, type Visit } from '../../route.ts';

/** The analysis of the address, in the visitor's scope, with its person. @throws NotFound */
export async function analysisOf({ param, scope }: Visit, { db }: Pick<Parts, 'db'>) {
  const run = expectFound(await findForensicRun(db, scope, param('id')), 'Analysis');
  const tenant = expectFound(await findTenantOfResult(db, scope, run), 'Analysis');
  const of = tenantOfKey(run);
  return { run, tenant, of, about: of ? [of] : [] };
}
