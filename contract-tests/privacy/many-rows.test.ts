import { expect } from 'chai';
import { auditOperator } from '../../bin/admin/cli/operator.ts';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { erasePerson } from '../../jobs/privacy/privacy-erase.ts';
import { exportPerson } from '../../jobs/privacy/privacy-export.ts';

databases('both');

/** More than the parameters of a statement: 65,535 on Postgres, 32,766 on SQLite. */
const ROWS = 66_000;

describe('a person with more rows than a statement has parameters', () => {
  const test = useService({ RUN_WORKERS: 'false', DATABASE_QUERY_SECONDS: '120' });
  const db = () => test.service.runtime.db;

  it('is exported and erased completely', async () => {
    const { id } = await test.tenant('asked-each-minute@mail.example');
    const { tenant_id, api_key_id } = await ofTheirKey(db(), id);
    const moment = new Date().toISOString();
    const numbers = `with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${ROWS})`;
    await db().raw(
      `insert into events (id, tenant_id, api_key_id, event, created_at) ${numbers} select 'event-' || number, ?, ?, 'EID_SUCCESS', ? from numbers`,
      [tenant_id, api_key_id, moment],
    );
    await db().raw(
      `insert into forensic_runs (id, tenant_id, api_key_id, status, failures, created_at, finished_at) ${numbers} select 'run-' || number, ?, ?, 'completed', 0, ?, ? from numbers`,
      [tenant_id, api_key_id, moment, moment],
    );
    const { data } = await exportPerson(test.service.runtime, id);
    expect(data['events']).to.have.length(ROWS);
    expect(data['analyses']).to.have.length(ROWS);
    const { counts } = await erasePerson(test.service.runtime, id, { note: auditOperator });
    expect(counts).to.include({ tenants: 1, events: ROWS, forensic_runs: ROWS });
  });
});
