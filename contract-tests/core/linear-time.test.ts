import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { hostOf, readCallerAddress } from '../../core/addresses/caller-address.ts';
import { adversarial } from '../../harness/linear/adversarial.ts';
import { everyExpression } from '../../harness/linear/expressions.ts';

const [SHORT, LONG] = [50_000, 100_000];
const MOST_RATIO = 2.5;
/** In microseconds. The kernel counts the time of a thread in ticks of some milliseconds: a ratio needs many of them. */
const [NOISE, ENOUGH, HOPELESS] = [20_000, 80_000, 4_000_000];
const TRIES = 3;

/** Of this thread, in microseconds: whatever else the machine does. */
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
  const ratio = () =>
    cost(() => work(long), times) /
    Math.max(
      cost(() => work(short), times),
      1,
    );
  return Math.min(...Array.from({ length: TRIES }, ratio)) <= MOST_RATIO;
}

describe('input costs time in proportion to its length', () => {
  it('in every regular expression of the source', function () {
    this.timeout(300_000);
    const expressions = everyExpression();
    expect(expressions.length).to.be.above(150);
    const slow = expressions.filter(({ pattern }) =>
      adversarial(pattern).some((text) => !isLinear(text, (input) => input.replace(pattern, ''))),
    );
    expect(slow.map(({ place, pattern }) => `${place} ${pattern}`)).to.deep.equal([]);
  });

  it('in every format of the contract', () => {
    const ajv = new Ajv({ allErrors: true });
    addFormats.default(ajv, { mode: 'full' });
    for (const format of ['email', 'uri', 'uuid', 'date-time']) {
      const validate = ajv.compile({ type: 'string', format });
      for (const text of adversarial(/[a-z0-9.@:/?#%[\]_~!$&'()*+,;= -]/i))
        expect(isLinear(text, validate), `${format}: ${text(30)}`).to.equal(true);
    }
  });

  it('in the check of addresses', () => {
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
