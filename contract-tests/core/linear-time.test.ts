import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { hostOf, readCallerAddress } from '../../core/addresses/caller-address.ts';
import { databases } from '../../harness/database/dialect.ts';
import { adversarial } from '../../harness/linear/adversarial.ts';
import { everyExpression } from '../../harness/linear/expressions.ts';

databases('none', 'nightly');

const [SHORT, LONG] = [50_000, 100_000];
const MAX_RATIO = 2.5;
/** In microseconds. The kernel counts a thread's time in ticks of several milliseconds, so a ratio needs many of them. */
const [NOISE, ENOUGH, HOPELESS] = [20_000, 80_000, 4_000_000];
/** A busy machine spoils some runs; quadratic cost spoils all. */
const TRIES = 8;

/** CPU time of this thread, in microseconds, independent of other load on the machine. */
function cost(work: () => unknown, times = 1): number {
  const before = process.threadCpuUsage();
  for (let run = 0; run < times; run++) work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

/** Whether twice the input costs about twice as much. */
function isLinear(text: (length: number) => string, work: (text: string) => unknown): boolean {
  const [short, long] = [text(SHORT), text(LONG)];
  const first = cost(() => work(short));
  if (first < NOISE) return true;
  if (first > HOPELESS) return false;
  const times = Math.ceil(ENOUGH / first);
  const isTwice = () => cost(() => work(long), times) <= MAX_RATIO * cost(() => work(short), times);
  return Array.from({ length: TRIES }).some(isTwice);
}

describe('processing time grows linearly with input', () => {
  it('for every regular expression in the source', function () {
    this.timeout(900_000);
    const expressions = everyExpression();
    expect(expressions.length).to.be.above(150);
    const slow = expressions.filter(({ pattern }) =>
      adversarial(pattern).some((text) => !isLinear(text, (input) => input.replace(pattern, ''))),
    );
    expect(slow.map(({ place, pattern }) => `${place} ${pattern}`)).to.deep.equal([]);
  });

  it('for every format in the contract', () => {
    const ajv = new Ajv({ allErrors: true });
    addFormats.default(ajv, { mode: 'full' });
    for (const format of ['email', 'uri', 'uuid', 'date-time']) {
      const validate = ajv.compile({ type: 'string', format });
      for (const text of adversarial(/[a-z0-9.@:/?#%[\]_~!$&'()*+,;= -]/i))
        expect(isLinear(text, validate), `${format}: ${text(30)}`).to.equal(true);
    }
  });

  it('for the address check', () => {
    const policy = { requireHttps: false, allowLoopback: false };
    for (const text of adversarial(/https?:\/\/[a-z0-9.:@/?#%[\]-]/))
      expect(
        isLinear(
          (length) => `https://${text(length).slice(0, -1)}x`,
          (input) => {
            readCallerAddress(input, policy);
            const url = URL.parse(input);
            if (url) hostOf(url);
          },
        ),
        text(30),
      ).to.equal(true);
  });
});
