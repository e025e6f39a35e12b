import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { CONSOLE, consoleUrl } from '../console/operators.ts';

databases('either');

const LENGTH = 15_000;
const REQUESTS = 20;
/** A busy machine spoils some runs; a cost per segment spoils all. */
const TRIES = 8;
const MAX_RATIO = 3;

const places = [
  '/',
  '/api/v1/',
  '/docs/',
  '/openapi/',
  '/invitation/',
  '/invitation/none/documents/',
  '/onboarding/',
  '/verify/kyc/',
  '/verify/eid/',
  '/verify/assets/',
  '/verify/brand/',
  '/mailbox/',
  '/providers/',
];

describe('a path of slashes', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const ask = (base: string, path: string) => send(base, 'GET', path, { accept: 'text/html' });
  const bytes = async (base: string, path: string) => (await ask(base, path)).text.length;

  it('gets an answer no longer than any other unknown path, on every surface', async () => {
    const bases = new Map([...places.map((place) => [place, test.service.url] as const)]);
    bases.set('/console/', consoleUrl(test).replace(/\/console$/, ''));
    for (const [place, base] of bases) {
      const usual = await bytes(base, `${place}nothing`);
      expect(await bytes(base, place + '/'.repeat(LENGTH)), place).to.be.at.most(2 * usual + 1000);
    }
  });

  it('costs no more than a path of letters', async () => {
    const cost = async (path: string) => {
      const before = process.cpuUsage();
      for (let times = 0; times < REQUESTS; times++) await ask(test.service.url, path);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    for (const place of places) {
      let best = Number.POSITIVE_INFINITY;
      for (let times = 0; times < TRIES && best > MAX_RATIO; times++) {
        const usual = await cost(place + 'a'.repeat(LENGTH));
        best = Math.min(best, (await cost(place + '/'.repeat(LENGTH))) / usual);
      }
      expect(best, place).to.be.at.most(MAX_RATIO);
    }
  });
});
