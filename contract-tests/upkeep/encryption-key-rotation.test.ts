import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { startService } from '../../bin/service/service.ts';
import { createLog } from '../../core/log.ts';
import { seal, sealText, textOpenedBy, unsealBytes, unsealText } from '../../core/secrets/secrets.ts';
import { readConfig } from '../../core/settings/config.ts';
import { ConfigError } from '../../core/settings/config-error.ts';
import { databases, dialect, isNightly } from '../../harness/database/dialect.ts';
import { Receiver, verify } from '../../harness/peers/receiver.ts';
import { startServiceProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { buildBeside, GONE_SOON, NEW, OLD, STRANGE, withKeys } from '../../harness/service/rotation.ts';
import { useServicePerTest } from '../../harness/service/service.ts';
import { storeKycMemory } from '../../jobs/identity/kyc-verifications.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { countByKey, resealAll } from '../../jobs/upkeep/reseal.ts';
import { sealedThings } from '../../jobs/upkeep/sealed-things.ts';
import { rotateSecret } from '../../jobs/webhooks/webhook-care.ts';

databases('both');

const SECRET = 'whsec_dGhlIGtleSBpcyBjaGFuZ2VkLCB0aGUgc2VjcmV0IHN0YXlz';
/** How many processes the longest test starts. */
const STARTS = 8;
const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;
const NOTHING = { webhook_secrets: 0, verifications: 0, invitations: 0, results: 0, events: 0, forms: 0, documents: 0 };

describe('rotating ENCRYPTION_KEY', () => {
  let env: Record<string, string>;
  const test = useServicePerTest({ ...withKeys(OLD), RUN_WORKERS: 'false' }, GONE_SOON);
  const admin = new Admin(test);
  beforeEach(() => {
    env = { ...admin.env, PORT: '0', SANDBOX_DELAY_MS: '50' };
  });

  const onService = async <Result>(keys: string[], work: (client: Client, runtime: Runtime) => Promise<Result>) => {
    const [current = '', ...former] = keys;
    const config = readConfig({ ...env, ...withKeys(current, ...former) });
    const service = await startService(config, { log: createLog('silent') });
    try {
      const client = new Client(service.url, test.alice.clientId, test.alice.clientSecret);
      await client.authenticate();
      return await work(client, service.runtime);
    } finally {
      await service.close();
    }
  };
  const beside = async <Result>(keys: string[], work: (runtime: Runtime) => Promise<Result>) => {
    const [current = '', ...former] = keys;
    const { runtime, close } = await buildBeside(env, current, ...former);
    return work(runtime).finally(close);
  };
  const starts = (...keys: string[]) =>
    beside(keys, async () => 'starts').catch((error) => {
      expect(error).to.be.instanceOf(ConfigError);
      expect(String(error)).to.include('ENCRYPTION_KEY is not the one');
      return 'is refused';
    });
  const reseal = (...keys: string[]) => beside(keys, resealAll);
  const verification = async (client: Client, email: string) => {
    const { id } = await test.tenant(email);
    await client.ok('createApplication', { body: { title: email, tenants: [{ email, is_lead: true }] } });
    return (await client.ok('initiateKyc', { params: { tenantId: id } })).data.verification_url;
  };
  const statusAt = async (client: Client, address: string) =>
    (await fetch(new URL(new URL(address).pathname, client.url))).status;

  it('keeps deliveries verifiable before, during and after', async () => {
    const receiver = await Receiver.start();
    const told = async (client: Client, count: number) => {
      await verification(client, `told-${count}+kyc-verified@mail.example`);
      for (const delivery of await receiver.next('KYC_VERIFICATION_DATA', count)) verify(delivery, SECRET);
    };
    try {
      const { data } = await test.alice.ok('createWebhook', { body: { url: receiver.url, secret: SECRET } });
      await onService([OLD], (client) => told(client, 1));
      await onService([NEW, OLD], async (client, runtime) => {
        // The secret sealed with the old key continues as a former secret.
        await rotateSecret(runtime, data.id ?? '', { secret: 'another', overlapMs: 3_600_000 });
        await told(client, 2);
        expect((await resealAll(runtime)).resealed).to.deep.equal({
          ...NOTHING,
          webhook_secrets: 1,
          results: 1,
          events: 1,
        });
        await told(client, 3);
      });
      await onService([NEW], (client) => told(client, 4));
    } finally {
      await receiver.stop();
    }
  });

  it('keeps links of hosted pages valid as long as their key is configured', async () => {
    const email = 'link@mail.example';
    const before = await verification(test.alice, email);
    await onService([NEW, OLD], async (client, runtime) => {
      expect(await statusAt(client, before)).to.equal(200);
      const after = await verification(client, 'another@mail.example');
      expect(await statusAt(client, after)).to.equal(200);
      expect(await statusAt(test.alice, after), 'by a process that lacks the key').to.equal(404);
      expect(await statusAt(client, before.slice(0, -1) + (before.endsWith('A') ? 'E' : 'A'))).to.equal(404);
      await resealAll(runtime);
    });
    await onService([NEW], async (client) => {
      expect(await statusAt(client, before)).to.equal(404);
    });
  });

  it('refuses a start without a key in use, and its removal before everything is resealed', async () => {
    await test.alice.ok('createWebhook', { body: { url: 'http://127.0.0.1:9/hook', secret: SECRET } });
    expect(await starts(NEW), 'the new key alone').to.equal('is refused');
    expect(await starts(NEW, STRANGE), 'a wrong former key').to.equal('is refused');
    expect(await starts(OLD, NEW), 'the new key known beforehand').to.equal('starts');
    expect(await starts(OLD), 'nothing is sealed with the new key yet').to.equal('starts');
    expect(await starts(NEW, STRANGE, OLD), 'the old key among others').to.equal('starts');
    expect(await starts(OLD), 'a process that was left out').to.equal('is refused');
    expect(await starts(NEW), 'the old key removed too early').to.equal('is refused');
    expect(await starts(OLD, NEW), 'a process that is behind').to.equal('starts');
    expect((await reseal(NEW, OLD)).left).to.deep.equal(NOTHING);
    expect(await starts(NEW), 'the old key removed').to.equal('starts');
    expect(await starts(OLD), 'the old key alone').to.equal('is refused');
    expect(await starts(NEW, OLD), 'the old key kept').to.equal('starts');
  });

  it('requires the former key again as soon as a process seals with it after resealing', async () => {
    await beside([OLD, NEW], async () => {
      expect((await reseal(NEW, OLD)).isClean).to.equal(true);
      await until('no process starts without it', async () => (await starts(NEW)) === 'is refused');
    });
    await reseal(NEW, OLD);
    expect(await starts(NEW)).to.equal('starts');
  });

  it('can be reverted', async () => {
    await test.alice.ok('createWebhook', { body: { url: 'http://127.0.0.1:9/hook', secret: SECRET } });
    await reseal(NEW, OLD);
    expect((await reseal(OLD, NEW)).resealed).to.deep.equal({ ...NOTHING, webhook_secrets: 1 });
    expect(await starts(OLD)).to.equal('starts');
    expect(await starts(NEW)).to.equal('is refused');
  });

  it('accepts the current key among the former ones, without effect', async () => {
    expect(await starts(OLD, OLD, OLD)).to.equal('starts');
    await beside([OLD, OLD], async (runtime) => {
      expect((await countByKey(runtime)).opened).to.have.length(1);
    });
  });

  it('is detected in a database of an earlier version, which does not record its key', async () => {
    await test.tenant('earlier@mail.example', { documents: 1 });
    await test.service.runtime.db('encryption_keys').delete();
    expect(await starts(NEW, STRANGE)).to.equal('is refused');
    expect(await starts(NEW, OLD)).to.equal('starts');
    expect(await starts(NEW)).to.equal('is refused');
  });

  it('is recorded once by processes that start with it simultaneously', async () => {
    const start = () => admin.run(['encryption', 'status'], withKeys(NEW, OLD));
    for (const ended of await Promise.all([start(), start(), start()]))
      expect(ended).to.include({ code: 0, stderr: '' });
    expect(await test.service.runtime.db('encryption_keys').pluck('id')).to.have.length(2);
  });

  it('does not overwrite concurrent changes, which are resealed on the next pass', async () => {
    await verification(test.alice, 'memory@mail.example');
    const { db } = test.service.runtime;
    const { id } = await db('kyc_verifications')
      .first('id')
      .then((row) => row ?? { id: '' });
    await storeKycMemory(test.service.runtime, id, 'first');
    await beside([NEW, OLD], async (runtime) => {
      const things = [];
      for await (const thing of sealedThings(runtime)) things.push(thing);
      expect(things).to.have.length(1);
      await storeKycMemory(test.service.runtime, id, 'second');
      expect(await things[0]?.reseal()).to.equal(false);
      expect((await resealAll(runtime)).resealed).to.deep.equal({ ...NOTHING, verifications: 1 });
      const row = await db('kyc_verifications').where({ id }).first('sealed_memory');
      expect(unsealText(row?.sealed_memory ?? '', runtime.keys.encryption)).to.equal('second');
      expect(textOpenedBy(row?.sealed_memory ?? '', runtime.keys.encryption)).to.equal(0);
    });
  });

  it('keeps every byte of values that are no text, such as pictures', async () => {
    const { db, keys } = test.service.runtime;
    const at = new Date().toISOString();
    await db('reports').insert({
      ...{ id: 'pictured', status: 'completed', application_id: 'any', api_key_id: 'any', language: 'en' },
      ...{ sealed_viewer: sealText('Ana', keys.encryption), created_at: at, finished_at: at },
    });
    const picture = randomBytes(1_000);
    const sealed_part = seal(picture, keys.encryption).toString('base64');
    await db('report_parts').insert({ id: 'pictured/picture', report_id: 'pictured', sealed_part });
    await beside([NEW, OLD], async (runtime) => {
      expect((await resealAll(runtime)).resealed).to.deep.equal({ ...NOTHING, results: 2 });
      const row = await db('report_parts').where({ id: 'pictured/picture' }).first();
      expect(textOpenedBy(row?.sealed_part ?? '', runtime.keys.encryption)).to.equal(0);
      expect(unsealBytes(row?.sealed_part ?? '', runtime.keys.encryption).equals(picture)).to.equal(true);
    });
  });

  it('holds a few megabytes of sealed values at once, however many and large there are, and a larger value alone', async () => {
    const { db, keys } = test.service.runtime;
    const sealed = (mib: number) => sealText('x'.repeat((mib * MIB * 3) / 4), keys.encryption);
    const files = [1.5, 1.5, 1.5, 1.5, 6, 1.5, 1.5, 0.001, 0.001].map(sealed);
    const at = new Date().toISOString();
    for (const [serial, sealed_file] of files.entries())
      await db('reports').insert({
        ...{ id: `report-${serial}`, status: 'completed', application_id: 'any', api_key_id: 'any', language: 'en' },
        ...{ sealed_viewer: sealed(0.0001), sealed_file, created_at: at, finished_at: at },
      });
    await beside([NEW, OLD], async (runtime) => {
      const read: number[] = [];
      runtime.db.on('query-response', (rows: unknown) => read.push(JSON.stringify(rows ?? '').length));
      const { resealed, isClean } = await resealAll(runtime);
      expect([resealed, isClean]).to.deep.equal([{ ...NOTHING, results: 2 * files.length }, true]);
      // Once in each of two passes.
      const [first, second, ...others] = read.toSorted((one, other) => other - one);
      for (const bytes of [first, second]) expect(bytes).to.be.within(6 * MIB, 6.01 * MIB);
      expect(others[0]).to.be.within(3 * MIB, 4.01 * MIB);
    });
  });

  it('loses no secret or document stored during the resealing by a process with the old key', async () => {
    const ROUNDS = 12;
    const store = async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const body = { url: `http://127.0.0.1:9/${round}`, secret: SECRET };
        await Promise.all([
          test.alice.ok('createWebhook', { body }),
          test.tenant(`stored-${round}@mail.example`, { documents: 2 }),
        ]);
      }
    };
    let isStored = false;
    const storing = store().finally(() => {
      isStored = true;
    });
    // In another process, as for an operator's command.
    while (!isStored) await admin.run(['encryption', 'reseal'], withKeys(NEW, OLD));
    await storing;
    await reseal(NEW, OLD);
    expect((await reseal(NEW, OLD)).resealed, 'the second time').to.deep.equal(NOTHING);
    await beside([NEW], async (runtime) => {
      const { opened, unreadable } = await countByKey(runtime);
      expect(opened).to.deep.equal([{ ...NOTHING, webhook_secrets: ROUNDS, documents: 2 * ROUNDS }]);
      expect(unreadable).to.deep.equal(NOTHING);
      for (const sealed of await runtime.db('webhooks').pluck('sealed_secret'))
        expect(unsealText(sealed ?? '', runtime.keys.encryption)).to.equal(SECRET);
    });
  });

  if (dialect === 'postgres' && isNightly)
    it('works under two processes restarted one after the other, and each opens what the other sealed', async () => {
      const receiver = await Receiver.start();
      const steps: string[][] = [[OLD, NEW], [NEW, OLD], [NEW]];
      const startWith = async ([current = '', ...former]: string[]) => {
        const started = await startServiceProcess({ ...env, ...withKeys(current, ...former) });
        const client = new Client(started.url, test.alice.clientId, test.alice.clientSecret);
        await client.authenticate();
        return { ...started, client };
      };
      const processes = [await startWith([OLD]), await startWith([OLD])];
      let told = 0;
      try {
        await processes[0]?.client.ok('createWebhook', { body: { url: receiver.url, secret: SECRET } });
        for (const [step, keys] of steps.entries())
          for (const [place, running] of processes.entries()) {
            if (step === 2 && place === 0) await admin.run(['encryption', 'reseal'], withKeys(NEW, OLD));
            expect(await running.stop()).to.equal(0);
            const started = await startWith(keys);
            processes[place] = started;
            const other = processes[1 - place]?.client;
            for (const [one, two] of [
              [started.client, other],
              [other, started.client],
            ]) {
              if (!one || !two) throw new Error('A process is missing.');
              const address = await verification(one, `rolling-${++told}+kyc-verified@mail.example`);
              expect(await statusAt(two, address), `step ${step}, process ${place}`).to.equal(200);
            }
            for (const delivery of await receiver.next('KYC_VERIFICATION_DATA', told)) verify(delivery, SECRET);
          }
      } finally {
        for (const { kill } of processes) await kill();
        await receiver.stop();
      }
    }).timeout(STARTS * MINUTE_MS);
});
