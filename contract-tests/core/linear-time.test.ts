import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { hostOf, readCallerAddress } from '../../core/addresses/caller-address.ts';
import { adversarial } from '../../harness/linear/adversarial.ts';
import { everyExpression } from '../../harness/linear/expressions.ts';

const [SHORT, LONG] = [50_000, 100_000];
const MOST_RATIO = 2.5;
/** Below it, a ratio says nothing. In microseconds. */
const NOISE = 12_000;
const TRIES = 5;
/** Not worth a second look. In microseconds. */
const HOPELESS = 4_000_000;

/** Of this thread, in microseconds: whatever else the machine does. */
function cost(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

function leastCost(work: () => unknown): number {
  return Math.min(...Array.from({ length: TRIES }, () => cost(work)));
}

/** Whether twice the input costs about twice as much. */
function isLinear(text: (length: number) => string, work: (text: string) => unknown): boolean {
  const [short, long] = [text(SHORT), text(LONG)];
  const first = cost(() => work(short));
  if (first * 4 < NOISE) return true;
  if (first > HOPELESS) return false;
  const least = Math.min(
    first,
    leastCost(() => work(short)),
  );
  const most = leastCost(() => work(long));
  return most < NOISE || most / least <= MOST_RATIO;
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
          (length) => `https://${text(length)}x`,
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
