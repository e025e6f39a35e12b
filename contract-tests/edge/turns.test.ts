import { expect } from 'chai';
import { Turns } from '../../http/api/turns.ts';

describe('turns of API keys', () => {
  const order: string[] = [];
  let ends: Map<string, () => void>;
  beforeEach(() => {
    order.length = 0;
    ends = new Map();
  });

  /** Work that goes on until it is ended by its name. */
  const begin = (turns: Turns, key: string, name: string) =>
    turns.run(key, () => {
      order.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };

  it('go round: a key with a long line gets one between those of the others', async () => {
    const turns = new Turns({ atOnce: 1, ofOneKey: 1, waitMs: 60_000 });
    const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => begin(turns, name.charAt(0), name));
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
    await Promise.all(all);
    expect(order).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('of one key are never all, and are free again after a failure', async () => {
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

  it('that do not come up in time are refused, and take no turn later', async () => {
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
