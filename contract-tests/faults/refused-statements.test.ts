import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { figure, times } from '../../harness/mocha/figures.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { startTestService } from '../../harness/service/service.ts';

databases('postgres');

const ROUNDS = times(60, 1250);
const TOGETHER = 10;
/** Tables written by the operations below, and by nothing else while the workers are idle. */
const TABLES = ['applications', 'participants', 'webhooks'];

describe('statements that Postgres refuses because of another transaction', () => {
  const test = suiteFixture(() =>
    startTestService({ RUN_WORKERS: 'false', DATABASE_QUERY_SECONDS: '20', MAX_WEBHOOKS_PER_KEY: '2000' }),
  );

  before(async () => {
    const { db } = test.service.runtime;
    await db.raw(`
      create sequence faults;
      create function refuse() returns trigger language plpgsql as $$
      declare turn bigint := nextval('faults');
      begin
        if turn % 5 = 0 then
          raise exception 'injected' using errcode = (array['40001', '40P01', '55P03'])[1 + (turn / 5) % 3];
        end if;
        return null;
      end $$`);
    for (const table of TABLES)
      await db.raw(
        `create trigger refuse before insert or update or delete on ${table} for each statement execute function refuse()`,
      );
  });

  it('are retried without the caller noticing', async () => {
    const statuses: number[] = [];
    const round = async (number: number) => {
      const tenants = [1, 2].map((place) => ({
        email: `refused-${number}-${place}@mail.example`,
        is_lead: place === 1,
      }));
      const created = await test.alice.call('createApplication', { body: { title: 'Refused', tenants } });
      const applicationId = String(JSON.parse(created.text).data?.application_id);
      const removed = await test.alice.call('removeParticipant', {
        params: { applicationId, email: `refused-${number}-2@mail.example` },
      });
      const hook = await test.alice.call('createWebhook', { body: { url: `https://hook.example/${number}` } });
      const read = await test.alice.call('getApplication', { params: { applicationId } });
      statuses.push(created.status, removed.status, hook.status, read.status);
    };
    for (let number = 0; number < ROUNDS; number += TOGETHER)
      await Promise.all(Array.from({ length: TOGETHER }, (_, place) => round(number + place)));
    const { rows } = await test.service.runtime.db.raw('select last_value / 5 as refused from faults');
    const refused = Number(rows[0].refused);
    figure(`${refused} statements refused; 0 of ${statuses.length} answers a 500`);
    expect(refused).to.be.above(ROUNDS / 5);
    expect(
      Object.entries(Object.groupBy(statuses, String)).map(([status, all]) => [status, all?.length]),
    ).to.deep.equal([['200', 4 * ROUNDS]]);
  });
});

describe('reads of a table that another transaction locks', () => {
  const test = suiteFixture(() =>
    startTestService({ RUN_WORKERS: 'false', DATABASE_LOCK_SECONDS: '1', DATABASE_QUERY_SECONDS: '20' }),
  );

  it('are retried after the wait for a lock ends', async () => {
    const { db } = test.service.runtime;
    const { data } = await test.alice.ok('createApplication', {
      body: { title: 'Locked', tenants: [{ email: 'locked@mail.example', is_lead: true }] },
    });
    const params = { applicationId: data.application_id };
    const read = () => test.alice.call('getApplication', { params });
    const refusals = async () => {
      const { rows } = await db.raw('select xact_rollback from pg_stat_database where datname = current_database()');
      return Number(rows[0].xact_rollback);
    };
    const before = await refusals();
    const reads = await db.transaction(async (holder) => {
      await holder.raw('lock table applications in access exclusive mode');
      const waiting = [read(), read()];
      await until('Postgres refused the reads', async () => (await refusals()) > before);
      return waiting;
    });
    const statuses = (await Promise.all(reads)).map(({ status }) => status);
    expect(statuses).to.deep.equal([200, 200]);
  });
});
