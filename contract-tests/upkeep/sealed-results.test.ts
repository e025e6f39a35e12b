import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import { unsealJson } from '../../core/secrets/secrets.ts';
import { databases } from '../../harness/database/dialect.ts';
import { findInDatabase } from '../../harness/database/every-column.ts';
import { refusingRows } from '../../harness/database/refused-rows.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver, verify } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { Admin } from '../../harness/service/admin.ts';
import { addApplicant, addDelivery } from '../../harness/service/deliveries.ts';
import { holdPerson } from '../../harness/service/held-person.ts';
import { buildBeside, NEW, OLD, withKeys } from '../../harness/service/rotation.ts';
import { useService, useServicePerTest } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';
import { resealAll } from '../../jobs/upkeep/reseal.ts';
import { countUnsealed, sealPlain } from '../../jobs/upkeep/seal-plain.ts';
import { redeliver } from '../../jobs/webhooks/redeliver.ts';

databases('either');

const WORD = 'Sealed9Q';
/** Key names that only results and events have. */
const ONLY_IN_RESULTS = ['"analysed_at"', '"verified_at"', '"event":"FORENSIC_ANALYSIS_DATA"', '"size_bytes"'];
const SECRET = 'whsec_dGhlIGJvZHkgaXMgc2VudCBhcyBpdCB3YXMgc2VhbGVk';
const COLUMNS = [
  ['kyc_verifications', 'result'],
  ['forensic_runs', 'result'],
  ['event_bodies', 'body'],
] as const;

describe('results and event bodies', () => {
  const test = useService();
  const admin = new Admin(test);
  const receiver = suiteFixture(() => Receiver.start());
  const person = suiteFixture(() => holdPerson(test, receiver, WORD));

  it('are always sealed at rest: no column and no file of the database holds one in the clear', async () => {
    const { db } = test.service.runtime;
    for (const [table, column] of COLUMNS) {
      const texts: (string | null)[] = await db(table).pluck(column);
      expect(texts.filter(Boolean), table).to.not.deep.equal([]);
      for (const text of texts) expect(text ?? 'AAAA', table).to.match(/^[A-Za-z0-9+/]+=*$/);
    }
    // This person's endpoint echoes what it receives; responses are stored as they came.
    await db('delivery_attempts').update({ response_excerpt: null });
    expect(await findInDatabase(db, ONLY_IN_RESULTS)).to.deep.equal([]);
    const found = (await findInDatabase(db, [WORD])).map((place) => place.replace(/^public\.|: .*$/g, ''));
    expect(found).to.include('documents.name');
    for (const [table, column] of COLUMNS) expect(found).to.not.include(`${table}.${column}`);
  });

  it('are readable for webhooks, operators and the export of a person', async () => {
    const { db, keys } = test.service.runtime;
    // Documents that arrive after an analysis began are analysed once more, so that there may be several.
    const event = await db('events').where({ event: 'FORENSIC_ANALYSIS_DATA' }).first();
    const [delivery] = await db('deliveries').where({ event_id: event?.id ?? '' });
    if (!delivery) throw new Error('The delivery is missing.');
    const sent = receiver.received.find(({ headers }) => headers['webhook-id'] === delivery.id);
    expect(sent?.event).to.equal('FORENSIC_ANALYSIS_DATA');
    const stored = await db('event_bodies')
      .where({ id: event?.id ?? '' })
      .first();
    expect(unsealJson(stored?.body ?? '', keys.encryption)).to.equal(sent?.body);
    const shown = await admin.json<{ body: string }>('event', 'show', event?.id ?? '', '--body');
    expect(shown.body).to.equal(sent?.body);
    expect(await admin.text('forensics', 'show', person.tenantId)).to.include(`${WORD}-payslip.pdf`);
    const file = `${test.folder}/${newId()}.zip`;
    await admin.text('privacy', 'export', person.tenantId, '--to', file);
    const before = receiver.received.length;
    expect(await redeliver(test.service.runtime, delivery)).to.equal('sent');
    await eventually('it was sent again', () => receiver.received.length > before);
    expect(receiver.received.at(-1)?.body, 'byte for byte').to.equal(sent?.body);
  });
});

/** The format of versions before migration 0023, with characters that a careless copy would change. */
const BODY =
  '{"event":"KYC_VERIFICATION_DATA","data":{"name":"Ñandú \\u2028 \u2028 😀","verified_at":"2026-01-01T00:00:00.000Z"}}';
const MORE_THAN_A_PASS = 2_100;

describe('results and event bodies that an earlier version stored in the clear', () => {
  const test = useServicePerTest({ ...withKeys(OLD), RUN_WORKERS: 'false' });
  const admin = new Admin(test, withKeys(OLD));

  /** A tenant with a pending event delivery, and with results. */
  const storeInTheClear = async (url: string) => {
    const { db } = test.service.runtime;
    const tenantId = await addApplicant(test, test.alice, 'earlier@mail.example');
    const { id: webhook_id } = (await test.alice.ok('createWebhook', { body: { url, secret: SECRET } })).data;
    const due = { webhook_id, status: 'pending' as const, due_at: '2026-01-01T00:00:00.000Z', finished_at: null };
    const delivery = await addDelivery(test, tenantId, { ...due, event: 'KYC_VERIFICATION_DATA', body: BODY });
    const row = { tenant_id: tenantId, due_at: null, created_at: '2026-01-01T00:00:00.000Z', failures: 0 };
    const ended = { ...row, finished_at: row.created_at };
    const run = newId();
    await db('forensic_runs').insert({ ...ended, id: run, status: 'completed', result: '{"found":"earlier"}' });
    const flow = { provider: 'sandbox', expires_at: row.created_at, sealed_memory: null };
    await db('kyc_verifications').insert({ ...ended, ...flow, id: newId(), status: 'verified', result: BODY });
    return { tenantId, delivery, run };
  };
  const sealedFinding = async () => {
    const { stdout } = await admin.run(['doctor', '--json'], { PUBLIC_URL: 'http://127.0.0.1:2' });
    const findings: { check: string; state: string; found: string }[] = JSON.parse(stdout);
    return findings.find(({ check }) => check === 'sealed');
  };

  it('are readable before and after they are sealed, and delivered byte for byte; the doctor says how many wait', async () => {
    const { runtime } = test.service;
    const receiver = await Receiver.start();
    try {
      const { delivery, run } = await storeInTheClear(receiver.url);
      expect(await sealedFinding())
        .to.include({ state: 'warning' })
        .and.property('found')
        .match(/: 3\.$/);
      expect((await admin.json<{ result: unknown }>('forensics', 'show', run)).result).to.deep.equal({
        found: 'earlier',
      });
      await workOn(runtime, 'deliver-webhook', delivery);
      expect(await sealPlain(runtime)).to.equal(3);
      expect(await sealPlain(runtime), 'again').to.equal(0);
      expect(await sealedFinding()).to.include({ state: 'ok' });
      expect(await findInDatabase(runtime.db, ['earlier"', '"verified_at"'])).to.deep.equal([]);
      expect((await admin.json<{ result: unknown }>('forensics', 'show', run)).result).to.deep.equal({
        found: 'earlier',
      });
      const [sent] = await runtime.db('deliveries').where({ id: delivery });
      if (!sent) throw new Error('The delivery is missing.');
      expect(await redeliver(runtime, sent)).to.equal('sent');
      await workOn(runtime, 'deliver-webhook', delivery);
      expect(receiver.received.map(({ body }) => body)).to.deep.equal([BODY, BODY]);
      for (const received of receiver.received) verify(received, SECRET);
    } finally {
      await receiver.stop();
    }
  });

  it('are sealed a bounded number at a time, beside another process that does the same', async () => {
    const { runtime } = test.service;
    const { tenantId } = await storeInTheClear('http://127.0.0.1:9/hook');
    const created_at = new Date().toISOString();
    const rows = Array.from({ length: MORE_THAN_A_PASS }, () => ({
      id: newId(),
      tenant_id: tenantId,
      event: 'x',
      body: BODY,
      created_at,
    }));
    await runtime.db.batchInsert('events', rows, 50);
    const waiting = await countUnsealed(runtime);
    const first = await sealPlain(runtime);
    expect(first).to.be.above(0).and.below(waiting);
    const [one, other] = await Promise.all([sealPlain(runtime), sealPlain(runtime)]);
    expect(first + one + other).to.equal(waiting);
    expect(await countUnsealed(runtime)).to.equal(0);
    for (const body of await runtime.db('events').pluck('body'))
      expect(unsealJson(body ?? '', runtime.keys.encryption)).to.equal(BODY);
  });

  it('are sealed behind one that the database refuses to change, which is reported', async () => {
    const { runtime } = test.service;
    const { run } = await storeInTheClear('http://127.0.0.1:9/hook');
    const refused = { table: 'forensic_runs', change: 'update', column: 'id', values: [run] } as const;
    const failure = await refusingRows(runtime.db, refused, () => sealPlain(runtime).then(() => undefined, String));
    expect(failure).to.include('refused');
    expect(await countUnsealed(runtime)).to.equal(1);
    expect(await sealPlain(runtime)).to.equal(1);
  });

  it('take part in a key rotation once sealed', async () => {
    const { runtime } = test.service;
    const { run } = await storeInTheClear('http://127.0.0.1:9/hook');
    await sealPlain(runtime);
    const beside = await buildBeside(admin.env, NEW, OLD);
    try {
      const { resealed, isClean } = await resealAll(beside.runtime);
      expect(isClean).to.equal(true);
      expect(resealed).to.include({ results: 2, events: 1 });
    } finally {
      await beside.close();
    }
    const { stdout } = await admin.run(['forensics', 'show', run, '--json'], withKeys(NEW));
    expect(JSON.parse(stdout).result).to.deep.equal({ found: 'earlier' });
    const { code, stderr } = await admin.run(['forensics', 'show', run], withKeys(OLD));
    expect({ code, stderr }).to.include({ code: 1 }).and.property('stderr').include('ENCRYPTION_KEY is not the one');
  });
});
