import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { Turns } from '../../http/api/turns.ts';

databases('none');

describe('turns between API keys', () => {
  const order: string[] = [];
  let ends: Map<string, () => void>;
  beforeEach(() => {
    order.length = 0;
    ends = new Map();
  });

  /** Work that runs until the test ends it by name. */
  const begin = (turns: Turns, key: string, name: string) =>
    turns.run(key, () => {
      order.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };

  it('alternate: a key gets a turn between those of keys with a long line', async () => {
    const turns = new Turns({ atOnce: 1, ofOneKey: 1, waitMs: 60_000 });
    const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => begin(turns, name.charAt(0), name));
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
    await Promise.all(all);
    expect(order).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('never all go to one key, and are freed after a failure', async () => {
    const turns = new Turns({ atOnce: 3, ofOneKey: 2, waitMs: 60_000 });
    const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => begin(turns, name.charAt(0), name));
    expect(order).to.deep.equal(['a1', 'a2', 'b1']);
    await end('a1');
    expect(order).to.deep.equal(['a1', 'a2', 'b1', 'a3']);
    for (const name of ['a2', 'b1', 'a3', 'b2']) await end(name);
    await Promise.all(all);
    const failure = await turns.run('a', () => Promise.reject(new Error('on purpose'))).catch(String);
    expect(failure).to.include('on purpose');
    expect(await turns.run('a', async () => 'free')).to.equal('free');
  });

  it('that do not come up in time are refused and are not used later', async () => {
    const turns = new Turns({ atOnce: 1, ofOneKey: 1, waitMs: 1 });
    const first = begin(turns, 'a', 'a1');
    expect(await begin(turns, 'a', 'a2').catch(String)).to.include('more requests under way');
    const third = begin(turns, 'b', 'b1').catch(() => {});
    await third;
    await end('a1');
    await first;
    expect(order).to.deep.equal(['a1']);
    expect(await turns.run('a', async () => 'free')).to.equal('free');
  });
});
