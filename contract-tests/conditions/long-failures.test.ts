import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { examineProcess } from '../../bin/admin/doctor/process.ts';
import type { Observation } from '../../core/conditions/observation.ts';
import { newId } from '../../core/ids.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { parseSamples } from '../../harness/monitoring/metrics.ts';
import { isActive } from '../../harness/monitoring/promql.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { startSilence } from '../../harness/peers/silence.ts';
import { until } from '../../harness/process/until.ts';
import { DeliveriesByHand } from '../../harness/service/deliveries-by-hand.ts';
import { useService } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';
import { setConditions } from '../../http/operators/state-metrics.ts';
import { withRemedy } from '../../jobs/conditions/look.ts';
import { ofLandlords } from '../../jobs/conditions/of-landlords.ts';

databases('either');

const WEBHOOKS = 6;
const MINUTE_MS = 60_000;
const BEGINNING = new Date('2027-01-31T12:00:00.000Z');
const BEAT_MS = 500;

interface Rules {
  groups: { rules: { expr: string; labels: { condition?: string } }[] }[];
}
const rules: Rules = parse(await readFile(new URL('../../docs/monitoring/alerts.yaml', import.meta.url), 'utf8'));
const ID = 'failing-webhooks';
const { expr } =
  rules.groups.flatMap((group) => group.rules).find(({ labels }) => labels.condition === ID) ?? expect.fail('no alert');

describe('webhooks that answer nothing but failures', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const hand = new DeliveriesByHand(test);
  const receiver = suiteFixture(() => Receiver.start());
  let moment = BEGINNING;

  const at = (time: Date) => {
    moment = time;
    test.setNow(time);
  };
  const observed = () => ofLandlords(test.service.runtime.db, { mode: 'sandbox' }, moment)[ID]();
  const isAlerted = async (observation: Observation) => {
    const registry = new Registry();
    setConditions(registry, [withRemedy(ID, observation)]);
    return isActive(expr, { before: [], now: parseSamples(await registry.metrics()) });
  };
  /** Makes the attempts that are due. @returns when the last of the next ones is */
  const attemptDue = async (): Promise<Date | undefined> => {
    const { db } = test.service.runtime;
    const due = await db('deliveries').where('due_at', '<=', moment.toISOString()).pluck('id');
    await workOn(test.service.runtime, 'deliver-webhook', ...due);
    const next = await db('deliveries').whereNotNull('due_at').orderBy('due_at', 'desc').first('due_at');
    return next?.due_at ? new Date(next.due_at) : undefined;
  };
  const emit = async () => {
    // Tokens expire by the same clock.
    await test.alice.authenticate();
    expect(await hand.emit(test.alice, moment)).to.have.lengthOf(WEBHOOKS);
  };

  it('are a problem from ten minutes on, and its alert lasts through rare retries and beyond the last one', async () => {
    at(BEGINNING);
    await test.alice.authenticate();
    for (let count = 0; count < WEBHOOKS; count++)
      await test.alice.ok('createWebhook', { body: { url: receiver.url } });
    receiver.answer = () => 500;
    await emit();
    let looks = 0;
    for (let next = await attemptDue(); next; next = await attemptDue()) {
      const before = moment;
      // Right after a retry, long after it, and right before the next one.
      for (const time of [before, new Date((before.getTime() + next.getTime()) / 2), next]) {
        at(time);
        if (moment.getTime() - BEGINNING.getTime() < 11 * MINUTE_MS) continue;
        const observation = await observed();
        expect(observation, moment.toISOString()).to.include({ state: 'problem' });
        expect(await isAlerted(observation), moment.toISOString()).to.equal(true);
        looks++;
      }
    }
    // At the last retry, a day has passed.
    expect(looks).to.be.above(5);
    expect(moment.getTime() - BEGINNING.getTime()).to.be.above(20 * 60 * MINUTE_MS);
    expect(await test.service.runtime.db('deliveries').whereNot({ status: 'failed' })).to.deep.equal([]);
    const { state, found } = await observed();
    expect(state, 'after the last retry').to.equal('problem');
    expect(found).to.include(`: ${WEBHOOKS} (`).and.include(test.alice.clientId);
  });

  it('are a problem until one delivery of each succeeds', async () => {
    const { db } = test.service.runtime;
    const [first] = await db('webhooks').orderBy('id').pluck('id');
    await emit();
    const [one] = await db('deliveries')
      .where({ webhook_id: first ?? '', status: 'pending' })
      .pluck('id');
    receiver.answer = () => 200;
    await hand.attempt(one ?? '');
    expect((await observed()).found).to.include(`: ${WEBHOOKS - 1} (`);
    for (let next = await attemptDue(); next; next = await attemptDue()) at(next);
    const observation = await observed();
    expect(observation).to.include({ state: 'ok' });
    expect(await isAlerted(observation)).to.equal(false);
  });
});

describe('a process that does not answer in time', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const silent = suiteFixture(startSilence);
  const processes = () => test.service.runtime.db('processes');
  /** How often the doctor has looked for heartbeats. */
  let looks = 0;
  const look = () => {
    const operators = { port: silent.port, host: '127.0.0.1', console: undefined };
    const watched = new Proxy(test.service.runtime.db, {
      apply: (db, self, args) => {
        looks++;
        return Reflect.apply(db, self, args);
      },
    });
    return examineProcess(operators, Promise.resolve(watched)).process();
  };
  const beat = (beatAt: Date) => ({ beat_at: beatAt.toISOString() });

  const started = () => ({
    ...{ id: newId(), address: `http://127.0.0.1:${silent.port}`, place: 'a machine at its limit', ended_at: null },
    ...{ loop_delay_ms: 0, pool_waiting: 0, descriptors: 1, max_descriptors: 100 },
    ...{ started_at: BEGINNING.toISOString(), ...beat(new Date()) },
  });
  const expectSlow = async () => {
    const { state, found } = await look();
    expect(state).to.equal('warning');
    expect(found).to.include('it is slow').and.not.include('frozen');
  };

  it('is slow, not frozen, when it has just started and stores its first heartbeat late', async () => {
    const first = until('the doctor has looked and found none', () => looks > 1).then(() =>
      processes().insert(started()),
    );
    await expectSlow();
    await first;
    await processes().delete();
  });

  it('is slow, not frozen, while its heart beats', async () => {
    const process = started();
    await processes().insert(process);
    const beating = setInterval(
      () =>
        void processes()
          .where({ id: process.id })
          .update(beat(new Date()))
          .catch(() => {}),
      BEAT_MS,
    );
    await expectSlow().finally(() => clearInterval(beating));
  });

  it('is frozen once its heart has stopped', async () => {
    await processes()
      .where({ place: 'a machine at its limit' })
      .update(beat(new Date(Date.now() - MINUTE_MS)));
    const { state, found } = await look();
    expect(state).to.equal('problem');
    expect(found).to.include('frozen');
  });
});
