import { expect } from 'chai';
import { sharedAnswers } from '../../core/shared-answers.ts';
import { databases } from '../../harness/database/dialect.ts';
import { until } from '../../harness/process/until.ts';

databases('none');

const LONG_MS = 60_000;

describe('an answer that is shared', () => {
  const asked: string[] = [];
  beforeEach(() => asked.splice(0));
  const ask = (key: string, size = 1) => {
    asked.push(key);
    return Promise.resolve('x'.repeat(size));
  };

  it('is requested once, by calls at the same time and by later ones, until its time is over', async () => {
    const shared = sharedAnswers<string>(1);
    await Promise.all([shared('a', () => ask('a')), shared('a', () => ask('a')), shared('b', () => ask('b'))]);
    expect(asked).to.deep.equal(['a', 'b']);
    await until('it is requested again', async () => {
      await shared('a', () => ask('a'));
      return asked.length > 2;
    });
    expect(asked).to.deep.equal(['a', 'b', 'a']);
  });

  it('is requested again after a failure, which only the calls that waited for it share', async () => {
    const shared = sharedAnswers<string>(LONG_MS);
    const fail = () => ask('a').then(() => Promise.reject(new Error('It failed.')));
    const waiting = await Promise.allSettled([shared('a', fail), shared('a', fail)]);
    expect(waiting.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await shared('a', () => ask('a'))).to.equal('x');
    expect(asked).to.deep.equal(['a', 'a']);
  });

  it('is forgotten when later ones need its place, oldest first, and one beyond the bounds at once', async () => {
    const shared = sharedAnswers<string>(LONG_MS, { maxBytes: 10, bytesOf: ({ length }) => length });
    const get = (key: string, size: number) => shared(key, () => ask(key, size));
    for (const key of ['a', 'b', 'c', 'a', 'b', 'c']) await get(key, 3);
    expect(asked).to.deep.equal(['a', 'b', 'c']);
    await get('d', 3);
    for (const key of ['b', 'c', 'd']) await get(key, 3);
    expect(asked.splice(0)).to.deep.equal(['a', 'b', 'c', 'd']);
    for (const _ of [1, 2]) await get('large', 11);
    expect(asked.splice(0)).to.deep.equal(['large', 'large']);
    for (const _ of [1, 2]) await get('e', 9);
    expect(asked).to.deep.equal(['e']);
  });

  it('stays while it is under way', async () => {
    const shared = sharedAnswers<string>(LONG_MS, { maxBytes: 1, bytesOf: ({ length }) => length });
    const held = Promise.withResolvers<string>();
    const first = shared('a', () => held.promise);
    await shared('b', () => ask('b', 5));
    const second = shared('a', () => ask('a'));
    held.resolve('x');
    expect(await Promise.all([first, second])).to.deep.equal(['x', 'x']);
    expect(asked).to.deep.equal(['b']);
  });
});
