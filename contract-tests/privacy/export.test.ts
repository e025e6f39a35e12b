import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';
import { exportPerson } from '../../jobs/privacy/privacy-export.ts';

databases('both');

describe('an export about a person', () => {
  const test = useService({ RUN_WORKERS: 'false' });

  it('names others neither as in their application nor as in their account', async () => {
    await test.tenant('friend@mail.example', { name: 'Amina Diallo' });
    const tenants = [
      { email: 'me@mail.example', is_lead: true },
      { email: 'friend@mail.example', is_lead: false },
    ];
    await test.alice.ok('createApplication', { body: { title: 'Flat of Amina Diallo', tenants } });
    const { data } = await exportPerson(test.service.runtime, 'me@mail.example');
    expect(JSON.stringify(data))
      .to.include('Flat of [left out]')
      .and.not.match(/Amina|Diallo|friend@/);
  });
});
