import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import { csrfIn, WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

/** How many of each are sent at once, and how many of them a caller may send in five minutes. */
const [ATTEMPTS, ALLOWED] = [30, 10];

/** One caller has all addresses of an IPv6 /64; the other neighbours of each kind are not theirs. */
const CALLERS = {
  'an IPv6 network': {
    own: (number: number) => `2001:db8:1:2::${(number + 1).toString(16)}`,
    others: ['2001:db8:1:3::1', '2001:db8:2:2::1'],
  },
  'an IPv4 address, however written': {
    own: (number: number) => ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'][number % 3] ?? '',
    others: ['192.0.2.2', '::ffff:192.0.2.3'],
  },
} as const;

for (const [what, { own, others }] of Object.entries(CALLERS))
  describe(`the attempts of ${what} to sign in`, () => {
    const test = useService({ TRUSTED_PROXIES: '127.0.0.1', RUN_WORKERS: 'false' });

    /** Sends attempts whose forms arrive once all of them are under way. @returns the statuses of the answers */
    async function attempt(path: string, fields: Record<string, string>, addresses: readonly string[]) {
      const page = `${test.service.url}/desk/sign-in`;
      const browser = new WebBrowser();
      const csrf = csrfIn((await browser.open(page)).text);
      const [{ name = '', value = '' } = {}] = browser.cookies.get(new URL(page).origin) ?? [];
      const form = new URLSearchParams({ ...fields, csrf }).toString();
      const headers = {
        cookie: `${name}=${value}`,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': form.length,
      };
      const sent = addresses.map((forwarded) => {
        const attempted = request(`${page}${path}`, {
          method: 'POST',
          headers: { ...headers, 'x-forwarded-for': forwarded },
        });
        attempted.flushHeaders();
        const answered = once(attempted, 'response').then(([answer]: IncomingMessage[]) => answer?.resume().statusCode);
        return { attempted, answered };
      });
      await Promise.all(sent.map(({ attempted }) => attempted.socket ?? once(attempted, 'socket')));
      // Answered after the heads that arrived before it.
      for (const forwarded of addresses)
        await fetch(`${page}${path}`, { headers: { 'x-forwarded-for': forwarded } }).then((answer) => answer.text());
      for (const { attempted } of sent) attempted.end(form);
      return Promise.all(sent.map(({ answered }) => answered));
    }

    for (const [name, path, fields, taken] of [
      ['mails', '', { email: 'unknown@mail.example' }, 303],
      ['passkeys', '/passkey', { credential: '{}' }, 403],
    ] as const)
      it(`by ${name} are limited together, and leave those of others alone`, async () => {
        const limited = taken === 303 ? 0 : ALLOWED;
        const statuses = await attempt(
          path,
          fields,
          Array.from({ length: ATTEMPTS }, (_, number) => own(number)),
        );
        expect(statuses.filter((status) => status === taken)).to.have.length(ALLOWED - limited);
        expect(statuses.filter((status) => status === 429)).to.have.length(ATTEMPTS - ALLOWED + limited);
        expect(await attempt(path, fields, others)).to.deep.equal(others.map(() => taken));
      });
  });
