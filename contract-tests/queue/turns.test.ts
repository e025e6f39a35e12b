import { expect } from 'chai';
import { partyOfKey } from '../../core/party.ts';
import { databases } from '../../harness/database/dialect.ts';
import { collectGarbage } from '../../harness/process/collect-garbage.ts';
import { type Ending, fairSlots } from '../../queue/lane-policy.ts';
import { Lanes } from '../../queue/lanes.ts';

databases('none');

describe('turns at a few slots', () => {
  let started: { task: string; end(): void }[];
  let postponed: string[];
  /** Passes with each end, and not with the time that the test takes: a long turn would count more than a short one. */
  let nowMs = 0;
  let turns: Lanes<string>;
  const take = (slots: number) => {
    started = [];
    postponed = [];
    turns = new Lanes<string>(
      fairSlots(slots),
      (task) => new Promise<Ending>((end) => started.push({ task, end: () => end('success') })),
      (task) => postponed.push(task),
      () => nowMs,
    );
  };
  const add = (lane: string, count: number) => {
    for (let index = 0; index < count; index++) turns.add({ party: partyOfKey(lane), lane: '' }, `${lane}${index}`);
  };
  /** Ends the oldest. @returns the work that runs afterwards */
  const end = async () => {
    nowMs += 10;
    started.shift()?.end();
    await new Promise(setImmediate);
    return tasks();
  };
  const tasks = () => started.map(({ task }) => task);

  it('reserve the last slot for an idle lane', async () => {
    take(3);
    add('a', 100);
    expect(tasks()).to.deep.equal(['a0', 'a1']);
    add('b', 2);
    expect(tasks()).to.deep.equal(['a0', 'a1', 'b0']);
    expect(await end()).to.deep.equal(['a1', 'b0']);
    add('c', 1);
    expect(tasks()).to.deep.equal(['a1', 'b0', 'c0']);
  });

  it('rotate, so that each lane gets as many as any other', async () => {
    take(2);
    add('a', 100);
    add('b', 100);
    add('c', 100);
    const order: string[] = [...tasks()];
    for (let count = 0; count < 30; count++) order.push((await end()).at(-1) ?? '');
    for (const lane of ['a', 'b', 'c'])
      expect(order.filter((task) => task.startsWith(lane)).length).to.be.within(10, 12);
  });

  it('leave nothing behind of a lane that is idle', async () => {
    take(2);
    const parties = ['a', 'b', 'c'].map((name) => {
      const party = partyOfKey(name);
      turns.add({ party, lane: '' }, name);
      return new WeakRef(party);
    });
    const held = () => {
      collectGarbage();
      return parties.map((party) => party.deref()?.name);
    };
    while (started.length > 0) await end();
    expect(held()).to.deep.equal([undefined, undefined, undefined]);
  });

  it('go to lanes whose tasks are short more often than to one whose tasks are long', async () => {
    take(1);
    add('long', 100);
    add('short', 100);
    const counted = { long: 0, short: 0 };
    for (let turn = 0; turn < 40; turn++) {
      const isLong = tasks()[0]?.startsWith('long');
      counted[isLong ? 'long' : 'short']++;
      if (isLong) nowMs += 20;
      await end();
    }
    expect(counted).to.deep.equal({ long: 10, short: 30 });
  });

  it('of one slot give every lane its turn', async () => {
    take(1);
    add('a', 3);
    add('b', 1);
    expect([...tasks(), ...(await end()), ...(await end()), ...(await end())]).to.deep.equal(['a0', 'b0', 'a1', 'a2']);
  });

  it('postpone what a lane has no room for, except in an empty lane, and release what waits', () => {
    take(2);
    for (let lane = 0; lane < 8; lane++) add(`lane-${lane}-`, 600);
    const waitingOf = (lane: number) => 600 - postponed.filter((task) => task.startsWith(`lane-${lane}-`)).length;
    expect(waitingOf(0)).to.equal(501);
    add('late-', 1);
    expect(postponed).to.not.include('late-0');
    const removed = turns.clear();
    expect(removed).to.include('late-0');
    expect(removed.length + started.length + postponed.length).to.equal(4801);
  });
});
