import { expect } from 'chai';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

/** What public reports say that clients send. */
describe('a client', () => {
  const test = useService();
  const create = (body: string, type = 'application/json') =>
    send(
      test.service.url,
      'POST',
      `${basePath}/applications/create-application`,
      { authorization: `Bearer ${test.alice.token}`, 'content-type': type },
      body,
    );
  const body = (name: string) =>
    JSON.stringify({ title: 'T', tenants: [{ email: `${name}@x.example`, is_lead: true }] });

  it('may begin its JSON with a byte order mark, as .NET does', async () => {
    expect((await create(`\ufeff${body('bom')}`)).status).to.equal(200);
  });

  it('may name a charset, in any case and spacing', async () => {
    for (const type of ['application/json;charset=UTF-8', 'Application/JSON ; charset="utf-8"', 'application/json;'])
      expect((await create(body('type'), type)).status, type).to.equal(200);
    const refused = await create(body('type'), 'application/vnd.api+json');
    expect(JSON.parse(refused.text).message).to.equal('Send the body as JSON, with Content-Type: application/json.');
  });

  it('may form-encode its credentials, as OAuth asks for (RFC 6749, section 2.3.1)', async () => {
    const { clientId, clientSecret } = test.alice;
    const encoded = [clientId, clientSecret].map((text) =>
      new URLSearchParams({ text }).toString().slice('text='.length),
    );
    const headers = { authorization: `Basic ${Buffer.from(encoded.join(':')).toString('base64')}` };
    expect((await send(test.service.url, 'POST', `${basePath}/authenticate/token`, headers)).status).to.equal(200);
  });
});
