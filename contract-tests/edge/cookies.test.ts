import { createServer } from 'node:http';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { listen } from '../../harness/process/running-server.ts';
import { BankPerson } from '../../harness/service/bank-person.ts';
import { type RawAnswer, send } from '../../harness/service/client.ts';
import { invitationPath } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { createApp } from '../../http/app.ts';
import { CONSOLE, consoleUrl } from '../console/operators.ts';

databases('either');

const PERSON = { accept: 'text/html' };
/** The service shares the host with others, below a path. */
const PUBLIC_URL = 'https://screening.example/letting';

describe('the cookies of a service behind https', () => {
  const test = useService({ ...CONSOLE, CONSOLE_URL: 'https://ops.example', RUN_WORKERS: 'false' });
  let server: Awaited<ReturnType<typeof listen>>;
  before(async () => {
    const runtime = { ...test.service.runtime, publicUrl: () => PUBLIC_URL };
    server = await listen(createServer(createApp(runtime, test.config)), 0);
  });
  after(() => server.stop());

  const linesOf = ({ headers }: RawAnswer) => [headers['set-cookie'] ?? []].flat();
  const at = (path: string, base = server.url) => send(base, 'GET', path, PERSON);

  async function homePath(): Promise<string> {
    const tenants = [
      { email: 'lead@mail.example', is_lead: true },
      { email: 'home-cookies@mail.example', is_lead: false },
    ];
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Home', tenants } })).data;
    return invitationPath(test, application_id, 'home-cookies@mail.example');
  }

  it('can be set by this host alone, over https, and not read by scripts', async () => {
    const tenant = await test.tenant('cookies@mail.example', { of: test.alice });
    const body = { redirect_url: 'https://letting.example/back' };
    const { verification_link } = (await test.alice.ok('initiateEid', { params: { tenantId: tenant.id }, body })).data;
    const host = { alice: test.alice, service: { ...test.service, url: server.url } };
    const bank = await BankPerson.of(host, 'bank-cookies@mail.example');
    const lines = [
      ...linesOf(await at('/desk/sign-in')),
      ...linesOf(await at('/console/sign-in', new URL(consoleUrl(test)).origin)),
      ...linesOf(await at(`${new URL(verification_link).pathname}?lang=fr`)),
      ...linesOf(await bank.agree()),
      ...linesOf(await at(await homePath())),
    ];
    expect(lines.map((line) => /^__Host-(\w+)=/.exec(line)?.[1])).to.deep.equal([
      ...['desk', 'console', 'eid', 'lang', 'bank', 'invitation'],
    ]);
    for (const line of lines) {
      const attributes = line.split('; ').slice(1);
      expect(attributes, line).to.include.members(['Path=/', 'HttpOnly', 'Secure']);
      expect(attributes.join(), line)
        .to.match(/SameSite=(Lax|Strict)/)
        .and.not.include('Domain');
    }
  });

  it('keep the language of a person who returns from their national eID', async () => {
    const { text } = await send(server.url, 'GET', '/verify/eid/callback?state=x', {
      ...PERSON,
      'accept-language': 'de',
      cookie: '__Host-lang=fr',
    });
    expect(text).to.include('<html lang="fr"');
  });
});
