import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { listColumns, listReferences } from '../../harness/database/schema.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

/** Tables about a person. Their content does not belong to one API key. */
const OF_NO_KEY = ['tenants', 'former_co_applicants'];

describe('every table that holds tenant data', () => {
  const test = useService({ RUN_WORKERS: 'false' });

  it('has an API key: in its own column, or through a row that it belongs to', async () => {
    const { db } = test.service.runtime;
    const references = await listReferences(db);
    const columns = await listColumns(db);
    const names = (table: string) => columns.filter((one) => one.table === table).map(({ column }) => column);
    const tables = [...new Set(columns.map(({ table }) => table))];
    const leadsToKey = (table: string): boolean =>
      names(table).includes('api_key_id') ||
      references.some((one) => one.table === table && !one.nullable && one.to !== table && leadsToKey(one.to));
    const isOfTenant = (table: string): boolean =>
      table === 'tenants' ||
      ['tenant_id', 'comparable_email', 'email', 'participant_id'].some((name) => names(table).includes(name)) ||
      references.some((one) => one.table === table && one.to !== table && isOfTenant(one.to));
    /** Members work for a landlord: the address is theirs, not a tenant's. */
    const isOfMember = (table: string): boolean =>
      table === 'members' || references.some((one) => one.table === table && one.to === 'members');
    const holding = tables.filter((table) => isOfTenant(table) && !isOfMember(table));
    for (const table of tables.filter(isOfMember)) {
      const owners = references.filter((one) => one.table === table && !one.nullable).map(({ to }) => to);
      expect(owners, table).to.include.oneOf(['landlords', 'members']);
    }
    expect(holding).to.include.members([
      'documents',
      'document_fingerprints',
      'eid_attempts',
      'deliveries',
      'payments',
    ]);
    expect(holding.filter((table) => !leadsToKey(table))).to.deep.equal(OF_NO_KEY);
    const direct = tables.filter((table) => names(table).includes('tenant_id'));
    expect(direct.filter((table) => !names(table).includes('api_key_id') && !OF_NO_KEY.includes(table))).to.deep.equal(
      [],
    );
  });
});
