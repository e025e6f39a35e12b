import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { addTenant, type TenantRow } from '../../db/applications/tenants.ts';
import { disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { startStore } from '../../harness/service/document-stores.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { addDocuments, type StoredDocument, storingDocuments } from '../../jobs/documents/add-document.ts';
import type { Runtime } from '../../jobs/runtime.ts';

databases('both');

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

for (const kind of ['folder', 'bucket'] as const)
  describe(`the bytes of a document in a ${kind} and its row`, () => {
    let runtime: Runtime;
    let tenant: TenantRow;
    const store = testFixture(() => startStore(kind));
    beforeEach(async () => {
      runtime = store.parts.runtime;
      const person = { email: 'marta@mail.example', name: 'Marta' };
      ({ tenant } = await runtime.db.transaction((trx) => addTenant(trx, person, new Date())));
    });

    const document = (text: string) => ({ name: 'payslip.txt', content: bytes(text) });
    const rows = () => runtime.db('documents').orderBy('created_at').pluck('sha256');
    const add = (stored: StoredDocument[]) => async (trx: Parameters<typeof addDocuments>[0]) =>
      addDocuments(trx, runtime.queue, await ofTheirKey(trx, tenant.id), stored, 'operator', new Date());
    /** Stores documents and their rows, then runs the test's work. */
    const storing = (texts: string[], afterRows = () => {}, db: Database = runtime.db) =>
      storingDocuments({ ...runtime, db }, texts.map(document), async (trx, stored) => {
        const added = await add(stored)(trx);
        afterRows();
        return added;
      });
    const failing = (promise: Promise<unknown>, message: string) =>
      promise.then(
        () => expect.fail('it did not fail'),
        (error) => expect(String(error)).to.include(message),
      );

    it('are stored together, with the type detected from the bytes', async () => {
      const [added] = await storing(['{"claims": []}']);
      expect(added).to.include({ name: 'payslip.txt', media_type: 'application/json', size_bytes: 14 });
      expect(await rows()).to.deep.equal([digest('{"claims": []}')]);
      expect(await store.keys()).to.have.length(1);
    });

    it('are removed together when the row fails', async () => {
      const fail = () => {
        throw new Error('no row');
      };
      await failing(storing(['one', 'two'], fail), 'no row');
      expect([await rows(), await store.keys()]).to.deep.equal([[], []]);
    });

    it('are removed when no row is to be inserted', async () => {
      await storingDocuments(runtime, [document('unwanted')], async () => {});
      expect(await store.keys()).to.deep.equal([]);
    });

    it('are removed when another document of the same call cannot be stored', async () => {
      await failing(storing(['one', '']), 'empty');
      expect([await rows(), await store.keys()]).to.deep.equal([[], []]);
    });

    if (kind === 'bucket')
      it('are removed even when an earlier one’s bytes cannot be', async () => {
        const fail = () => {
          store.beforeNext('HEAD', async () => ({ status: 403 }));
          throw new Error('no row');
        };
        await failing(storing(['one', 'two'], fail), 'no row');
        expect(await store.keys()).to.deep.equal([`${digest('one').slice(0, 2)}/${digest('one')}`]);
      });

    it('stay when another tenant’s row refers to the same bytes', async () => {
      await storing(['shared']);
      const fail = () => {
        throw new Error('no row');
      };
      await failing(storing(['shared'], fail), 'no row');
      const { documents } = runtime.providers;
      expect((await buffer(documents.get(digest('shared')))).toString()).to.equal('shared');
    });

    it('stay when a concurrent row refers to them', async () => {
      async function* meanwhile() {
        await runtime.db('documents').insert({
          ...{ id: 'another', tenant_id: tenant.id, name: 'early.txt', media_type: 'text/plain', size_bytes: 5 },
          ...{ sha256: digest('early'), source: 'operator', created_at: new Date().toISOString() },
        });
        yield* bytes('');
      }
      const pair = [document('early'), { name: 'late.txt', content: meanwhile() }];
      await failing(
        storingDocuments(runtime, pair, async () => {}),
        'empty',
      );
      expect(await store.keys()).to.have.length(1);
    });

    it('stay when the rows were committed and only the response was lost', async () => {
      const losing = new Proxy(runtime.db, {
        get: (db, key) =>
          key === 'transaction'
            ? async (work: Parameters<Database['transaction']>[0]) => {
                await db.transaction(work);
                throw new Error('the line went dead');
              }
            : Reflect.get(db, key),
      });
      await failing(
        storing(['committed'], () => {}, losing),
        'the line went dead',
      );
      expect(await rows()).to.deep.equal([digest('committed')]);
      expect(await store.keys()).to.have.length(1);
    });

    it('stay when the database is unavailable', async () => {
      async function* ending() {
        await disconnect(runtime.db);
        yield* bytes('');
      }
      const pair = [document('early'), { name: 'late.txt', content: ending() }];
      await failing(
        storingDocuments(runtime, pair, async () => {}),
        'empty',
      );
      expect(await store.keys()).to.have.length(1);
    });
  });
