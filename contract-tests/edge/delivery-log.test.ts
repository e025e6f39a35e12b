import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import { addTenant } from '../../db/applications/tenants.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { emitEvent } from '../../jobs/webhooks/emit-event.ts';
import { startLoggedService } from './logged-service.ts';

databases('either');

const SECRET = 'whsec_Q29uZmlkZW50aWFsLVNlY3JldA==';
const WORD = 'confidential';

describe('the log of successful and failed deliveries', () => {
  const logged = suiteFixture(() => startLoggedService({ WEBHOOK_RETRIES: '1s' }));
  const receiver = suiteFixture(() => Receiver.start());
  before(async () => {
    await logged.client.authenticate();
  });

  /** A webhook whose address contains a secret, and one event for it. */
  const tell = async (url: string) => {
    const { db } = logged.service.runtime;
    const { data } = await logged.client.ok('createWebhook', { body: { url, secret: SECRET } });
    const email = `${WORD}@mail.example`;
    await db.transaction(async (trx) => {
      const { tenant } = await addTenant(trx, { email, name: WORD }, new Date());
      const body = { tenant_id: tenant.id, provider: 'sandbox', result: 'verified', name: WORD };
      await emitEvent(
        trx,
        logged.service.runtime,
        await ofTheirKey(trx, tenant.id),
        { event: 'KYC_VERIFICATION_DATA', data: body },
        new Date(),
        { cause: { id: newId(), created_at: '' } },
      );
    });
    return data.id ?? '';
  };
  const lines = (fact: Record<string, unknown>) =>
    logged
      .lines()
      .filter((line) =>
        Object.entries(fact).every(([name, value]) => Object.entries(line).some(([n, v]) => n === name && v === value)),
      );

  it('records what happened, without secrets, addresses, bodies or responses', async () => {
    const tenants = [{ email: `${WORD}@mail.example`, is_lead: true }];
    await logged.client.ok('createApplication', { body: { title: WORD, tenants } });
    const { port, pathname } = new URL(receiver.url);
    const at = (host: string) => `http://${host}.localhost:${port}${pathname}/${WORD}?token=${WORD}`;
    const answers = [200, 500, 301, 410];
    receiver.answer = () => ({
      status: answers.shift() ?? 200,
      headers: { location: `http://${WORD}.example/` },
      body: `${WORD} answer`,
    });
    for (const _ of [...answers]) await tell(at(WORD));
    await eventually(
      'one was paused',
      () => lines({ msg: 'webhook paused: deliveries held until an operator resumes it' }).length > 0,
    );
    await tell(`http://${WORD}.invalid/${WORD}`);
    await tell(`http://${WORD}.localhost:1/${WORD}`);
    const told = (fact: Record<string, unknown>) =>
      eventually(`${JSON.stringify(fact)} was logged`, () => lines(fact).length > 0);
    for (const statusCode of [200, 500, 301, 410]) await told({ msg: 'delivery attempted', statusCode });
    for (const fault of ['dns', 'connect']) await told({ msg: 'delivery attempted', fault });
    expect(logged.text().toLowerCase()).to.not.include(WORD);
    for (const part of [SECRET, SECRET.slice('whsec_'.length), 'token=']) expect(logged.text()).to.not.include(part);
  });
});
