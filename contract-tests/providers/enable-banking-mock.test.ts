import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createLogger } from '@stoplight/prism-core';
import { createInstance, getHttpOperationsFromSpec, type IHttpRequest } from '@stoplight/prism-http';
import { expect } from 'chai';
import { parsedJson } from '../../core/text.ts';
import { databases } from '../../harness/database/dialect.ts';
import { createEnableBanking } from '../../providers/banking/enable-banking.ts';
import type { BankProvider } from '../../providers/banking/port.ts';

databases('none');

const DESCRIPTION = fileURLToPath(new URL('../../providers/banking/enable-banking.yml', import.meta.url));
const METHODS = { GET: 'get', POST: 'post', DELETE: 'delete' } as const;

/** Prism answers from the description, and refuses requests that are not as described. */
async function startPrism() {
  const operations = await getHttpOperationsFromSpec(DESCRIPTION);
  const flags = { checkSecurity: true, validateRequest: true, validateResponse: true, errors: true };
  const config = { ...flags, isProxy: false as const, upstreamProxy: undefined, mock: { dynamic: false } };
  const prism = createInstance(config, { logger: createLogger('prism', { level: 'silent' }) });
  const refused: string[] = [];
  const server = createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
    const method = req.method === 'POST' ? METHODS.POST : req.method === 'DELETE' ? METHODS.DELETE : METHODS.GET;
    const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
    const body = await text(req);
    const asked: IHttpRequest = {
      method,
      url: { path: pathname, query: Object.fromEntries(searchParams) },
      headers,
      ...(body === '' ? {} : { body: parsedJson(body) }),
    };
    const result = await prism.request(asked, operations)();
    if (result._tag === 'Left') {
      refused.push(`${req.method} ${pathname}: ${result.left.message}`);
      return void res.writeHead(422).end('{}');
    }
    const { statusCode, body: answer } = result.right.output;
    res.writeHead(statusCode, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The mock has no port.');
  return { refused, url: new URL(`http://127.0.0.1:${address.port}`), stop: () => server.close() };
}

describe('the description of Enable Banking', () => {
  let prism: Awaited<ReturnType<typeof startPrism>>;
  let bank: BankProvider;
  before(async () => {
    prism = await startPrism();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const settings = { applicationId: 'application', privateKey, apiBase: prism.url, countries: ['FI'] };
    bank = createEnableBanking(settings, { retryAfterMs: 1 });
  });
  after(() => prism.stop());

  it('describes every request of the adapter, and the adapter reads every answer that it describes', async () => {
    const choice = { name: 'Nordea', country: 'FI' };
    await bank.check?.();
    expect(await bank.banks('FI')).to.deep.equal([choice]);
    const person = { bank: choice, holder: '' };
    const consent = { ...person, state: 'state', callbackUrl: 'https://screening.example/back', language: 'fi' };
    const { address } = await bank.startConsent({ ...consent, validUntil: new Date() });
    expect(address).to.include('https://tilisy.enablebanking.com/');
    const outcome = await bank.finishConsent(new URLSearchParams({ code: 'a code' }), person);
    if (outcome.state !== 'granted') throw new Error(outcome.reason);
    const [account] = outcome.accounts;
    if (!account) throw new Error('There is no account.');
    expect((await bank.details(outcome.grant, account)).holder).to.equal('Anna Virtanen');
    expect(await bank.balance(outcome.grant, account)).to.equal(142_050);
    const { bookings } = await bank.bookings(outcome.grant, account, '2026-06-01', 'key');
    expect(bookings.map(({ cents }) => cents)).to.deep.equal([221_444]);
    await bank.endConsent(outcome.grant);
    expect(prism.refused).to.deep.equal([]);
  });
});
