import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const MANY = 20;
/** The milliseconds, and the version after them (RFC 9562, section 5.7). */
const TIME = 'xxxxxxxx-xxxx'.length;
const VERSION_AT = TIME + 1;

describe('ids', () => {
  const test = useService();

  const application = async (number: number) => {
    const body = { title: 'Studio', tenants: [{ email: `person-${number}@mail.example`, is_lead: true }] };
    return (await test.alice.ok('createApplication', { body })).data.application_id;
  };

  it('ascend for rows created in sequence, so that an index writes few pages', async () => {
    const made: string[] = [];
    for (let number = 0; number < MANY; number++) made.push((await application(number)).slice(0, TIME));
    expect(made).to.deep.equal(made.toSorted());
    expect(made[0]).to.not.equal(made.at(-1));
  });

  it('of people, whom several keys may meet, do not reveal when they were first known', async () => {
    await application(MANY);
    const { id } = await test.tenant(`person-${MANY}@mail.example`);
    expect(id[VERSION_AT], id).to.equal('4');
  });
});
