import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { keyRing } from '../../core/secrets/key-ring.ts';
import { sealText, textOpenedBy } from '../../core/secrets/secrets.ts';
import { insertForensicRun } from '../../db/documents/forensic-runs.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { spawnProgram } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin, columnsOf } from '../../harness/service/admin.ts';
import { emitTestEvent } from '../../harness/service/deliveries.ts';
import { buildBeside, GONE_SOON, NEW, OLD, STRANGE, withKeys } from '../../harness/service/rotation.ts';
import { useServicePerTest } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';

databases('both');

const SECRET = 'a secret of an integrator';
const MANY = 600;

const bytesOf = (key: string) => Buffer.from(key, 'base64');
const named = (key: string) =>
  createHash('sha256').update('tenant-screening encryption key:').update(bytesOf(key)).digest('hex').slice(0, 8);

const UNDO = 'update webhooks set sealed_secret = old.sealed_secret where id = old.id';
const SPOILERS_SQLITE = [
  ['create trigger spoil before update of sealed_secret on webhooks begin select raise(ignore); end'],
  [`create trigger spoil after update of sealed_secret on webhooks begin ${UNDO}; end`],
];
const SPOILERS_POSTGRES = [
  ['before', ''],
  ['after', `if pg_trigger_depth() = 1 then ${UNDO}; end if;`],
].map(([moment, work]) => [
  `create or replace function spoil() returns trigger as $$ begin ${work} return null; end $$ language plpgsql`,
  `create trigger spoil ${moment} update of sealed_secret on webhooks for each row execute function spoil()`,
]);

const NOTHING = { webhook_secrets: 0, verifications: 0, invitations: 0, results: 0, events: 0, forms: 0, documents: 0 };
/** The values that the tests below seal. */
const EACH = { webhook_secrets: 1, verifications: 1, invitations: 1, results: 1, events: 1, forms: 0, documents: 2 };

/** The recipient of a pending invitation. */
const GUEST = { email: 'guest@mail.example', is_lead: false };

describe("the command line's rotation of the encryption key", () => {
  const test = useServicePerTest({ ...withKeys(OLD), RUN_WORKERS: 'false' }, GONE_SOON);
  const admin = new Admin(test);
  beforeEach(async () => {
    const email = 'sealed@mail.example';
    const { id } = await test.tenant(email, { documents: 2 });
    await test.alice.ok('createApplication', { body: { title: 'Sealed', tenants: [{ email, is_lead: true }, GUEST] } });
    await test.alice.ok('createWebhook', { body: { url: 'http://127.0.0.1:9/hook', secret: SECRET } });
    const body = { redirect_url: 'https://letting.example/' };
    const params = { tenantId: id };
    const { verification_link } = (await test.alice.ok('initiateEid', { params, body })).data;
    const browser = new WebBrowser();
    await browser.agree(verification_link);
    await browser.open(verification_link);
    await emitTestEvent(test, id);
    const { db, keys } = test.service.runtime;
    const run = await db.transaction(async (trx) => insertForensicRun(trx, await ofTheirKey(trx, id), new Date()));
    await db('forensic_runs')
      .where({ id: run })
      .update({ result: sealText('{"found":1}', keys.encryption) });
  });

  const run = async (command: string, ...keys: [string, ...string[]]) => {
    const ended = await admin.run(['encryption', command, '--json'], withKeys(...keys));
    expect(ended).to.include({ code: 0, stderr: '' });
    return JSON.parse(ended.stdout);
  };

  it('shows how many sealed things each key opens, and how many none does', async () => {
    await test.service.runtime
      .db('webhooks')
      .update({ sealed_secret: sealText(SECRET, keyRing(bytesOf(STRANGE), [])) });
    await test.alice.ok('createWebhook', { body: { url: 'http://127.0.0.1:9/hook', secret: SECRET } });
    expect(await run('status', NEW, OLD)).to.deep.equal([
      { key: 'current', fingerprint: named(NEW), ...NOTHING },
      { key: 'former 1', fingerprint: named(OLD), ...EACH },
      { key: 'none', fingerprint: null, ...NOTHING, webhook_secrets: 1 },
    ]);
    const { stdout } = await admin.run(['encryption', 'status'], withKeys(NEW, OLD));
    expect(columnsOf(stdout)).to.include.members(['key', 'fingerprint', 'webhook secrets', 'documents']);
    expect(stdout).to.include('What no key opens');
    for (const key of [OLD, NEW]) expect(stdout).to.not.include(key.slice(0, 20));
  });

  it('reseals everything once, and then no longer needs the former key', async () => {
    const rows = (counts: typeof NOTHING) =>
      Object.entries(counts).map(([sealed, resealed]) => ({ sealed, resealed, left: 0, unreadable: 0 }));
    expect(await admin.refused(1, ['encryption', 'reseal'], withKeys(NEW))).to.include('ENCRYPTION_KEY is not the one');
    expect(await run('reseal', NEW, OLD)).to.deep.equal(rows(EACH));
    expect(await run('reseal', NEW, OLD)).to.deep.equal(rows(NOTHING));
    expect(await run('status', NEW)).to.deep.equal([
      { key: 'current', fingerprint: named(NEW), ...EACH },
      { key: 'none', fingerprint: null, ...NOTHING },
    ]);
    const { stdout } = await admin.run(['encryption', 'reseal'], withKeys(NEW));
    expect(columnsOf(stdout)).to.have.members(['sealed', 'resealed', 'left', 'unreadable']);
    expect(stdout).to.match(/\n\nNothing needs a former key, and none is there\.\n$/);
    expect((await admin.run(['encryption', 'status'], withKeys(NEW))).stdout).to.not.include('What no key opens');
  });

  it('exits with 1, and still needs the former key, while anything is or becomes sealed with it', async () => {
    const { db } = test.service.runtime;
    // The first trigger undoes every change; the second simulates a process that still seals with the former key.
    const spoilers = dialect === 'sqlite' ? SPOILERS_SQLITE : SPOILERS_POSTGRES;
    for (const statements of spoilers) {
      for (const statement of statements) await db.raw(statement);
      const { code, stdout } = await admin.run(['encryption', 'reseal'], withKeys(NEW, OLD));
      expect(stdout).to.include('A process still seals with a former key');
      expect(code).to.equal(1);
      expect(await admin.refused(1, ['encryption', 'status'], withKeys(NEW))).to.include(
        'ENCRYPTION_KEY is not the one',
      );
      await db.raw(dialect === 'sqlite' ? 'drop trigger spoil' : 'drop trigger spoil on webhooks');
    }
    await run('reseal', NEW, OLD);
    await run('status', NEW);
  });

  it('resumes where it was killed', async () => {
    const { db } = test.service.runtime;
    const [webhook] = await db('webhooks').select();
    if (!webhook) throw new Error('The webhook is missing.');
    const copies = Array.from({ length: MANY }, (_, index) => ({ ...webhook, id: `copy-${index}` }));
    await db.batchInsert('webhooks', copies, 50);
    await test.tenant('more@mail.example', { documents: 30 });
    const ring = keyRing(bytesOf(NEW), [bytesOf(OLD)]);
    const secrets = async () => {
      const sealed = await db('webhooks').pluck('sealed_secret');
      return sealed.filter((text) => textOpenedBy(text ?? '', ring) === 0).length;
    };
    const documents = async () => {
      const digests = await db('documents').pluck('sha256');
      const opened = await Promise.all(
        digests.map((sha256) =>
          old()
            .openedBy(sha256)
            .catch(() => 'not by the old key'),
        ),
      );
      return opened.filter((place) => place !== 0).length;
    };
    const old = () => test.service.runtime.providers.documents;
    for (const [what, count] of [
      ['secrets', secrets],
      ['documents', documents],
    ] as const) {
      const child = spawnProgram('../../bin/admin.ts', { ...admin.env, ...withKeys(NEW, OLD) }, [
        'encryption',
        'reseal',
      ]);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await until(`some ${what} were resealed`, async () => (await count()) > 0);
      child.kill('SIGKILL');
      await ended;
    }
    await run('reseal', NEW, OLD);
    expect([await secrets(), await documents()]).to.deep.equal([MANY + 1, 32]);
    const { runtime, close } = await buildBeside(admin.env, NEW);
    try {
      for (const sha256 of await db('documents').pluck('sha256'))
        expect(
          createHash('sha256')
            .update(await buffer(runtime.providers.documents.get(sha256)))
            .digest('hex'),
        ).to.equal(sha256);
    } finally {
      await close();
    }
  });
});
