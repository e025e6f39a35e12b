import { mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { ProviderUnavailable } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { addTenant } from '../../db/applications/tenants.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { oweRemovals } from '../../db/documents/document-moves.ts';
import type { NewDocument } from '../../db/documents/documents.ts';
import { databases } from '../../harness/database/dialect.ts';
import { pieces, refusal, startStore, type TestStore } from '../../harness/service/document-stores.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { addDocuments, type StoredDocument, storingDocuments } from '../../jobs/documents/add-document.ts';
import { removeBytes, retryRemovals, tidyDocuments } from '../../jobs/documents/tidy-documents.ts';
import type { Runtime } from '../../jobs/runtime.ts';

databases('either');

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
const nothing = { removed: 0, bytes: 0, left: 0 };

for (const kind of ['folder', 'bucket'] as const)
  describe(`stored bytes in a ${kind} that no row refers to`, () => {
    let store: TestStore;
    let runtime: Runtime;
    beforeEach(async () => {
      store = await startStore(kind);
      runtime = store.parts.runtime;
      await runtime.db('encryption_keys').update({ created_at: hoursAgo(72).toISOString() });
    });
    afterEach(() => store.stop());

    const put = (content: string) => runtime.providers.documents.put(pieces(content));
    const age = (sha256: string, hours: number) =>
      utimes(store.fileOf(sha256), hoursAgo(hours), hoursAgo(hours)).then(() => sha256);
    const putAgo = async (content: string, hours: number) => age((await put(content)).sha256, hours);
    const read = async (sha256: string) => (await buffer(runtime.providers.documents.get(sha256))).toString();
    const documentOf = (content: string) => ({ name: 'payslip.txt', content: pieces(content) });

    it('are removed after a day and no sooner, and referenced bytes stay', async () => {
      await putAgo('unneeded bytes', 25);
      await putAgo('nor this one', 48);
      const young = await putAgo('its row may be on the way', 23);
      const person = { email: 'marta@mail.example', name: 'Marta' };
      const { tenant } = await runtime.db.transaction((trx) => addTenant(trx, person, new Date()));
      const [row] = await storingDocuments(runtime, [documentOf('has a row')], async (trx, stored) =>
        addDocuments(trx, runtime.queue, await ofTheirKey(trx, tenant.id), stored, 'operator', new Date()),
      );
      const needed = await age(row?.sha256 ?? '', 60);
      const bytes = 'unneeded bytes'.length + 'nor this one'.length;
      expect(await tidyDocuments(runtime)).to.deep.equal({ removed: 2, bytes, left: 0 });
      expect([await read(young), await read(needed)]).to.deep.equal(['its row may be on the way', 'has a row']);
      expect(await store.keys()).to.have.length(2);
      expect(await tidyDocuments(runtime)).to.deep.equal(nothing);
    });

    it('stay for a person who stores the same bytes while a document with them is removed, and otherwise go later', async () => {
      const person = { email: 'marta@mail.example', name: 'Marta' };
      const { tenant } = await runtime.db.transaction((trx) => addTenant(trx, person, new Date()));
      const add = async (trx: Transaction, stored: StoredDocument[]) =>
        addDocuments(trx, runtime.queue, await ofTheirKey(trx, tenant.id), stored, 'operator', new Date());
      const storing = (accept = async () => {}) => storingDocuments(runtime, [documentOf('the same')], add, accept);
      const moves = () => runtime.db('document_moves').pluck('direction');
      const removing = async (rows: NewDocument[]) => {
        const gone = rows.map(({ sha256, created_at }) => ({ sha256, createdAt: created_at }));
        await runtime.db.transaction(async (trx) => {
          for (const { id } of rows) await trx('documents').where({ id }).delete();
          await oweRemovals(trx, gone, new Date());
        });
        return removeBytes(runtime, gone);
      };
      const left = { removed: 0, shared: 0, left: 1 };
      const removed = async () => {
        expect(await removing(await storing())).to.deep.equal(left);
      };
      const rows = await storing(removed);
      expect(await read(rows[0]?.sha256 ?? '')).to.equal('the same');
      expect(await moves()).to.deep.equal(['leaving']);
      const later = { ...runtime, now: () => new Date(Date.now() + 25 * HOUR_MS) };
      await retryRemovals(later);
      expect(await moves()).to.deep.equal([]);
      expect(await read(rows[0]?.sha256 ?? '')).to.equal('the same');
      const failed = storing(async () => {
        await removing(rows);
        throw new Error('no row');
      });
      expect(String(await refusal(failed))).to.include('no row');
      expect([await moves(), (await store.keys()).length]).to.deep.equal([['leaving'], 1]);
      await retryRemovals(later);
      expect([await moves(), await store.keys()]).to.deep.equal([[], []]);
    });

    if (kind === 'bucket')
      it('are removed although the store refuses to remove others, periodically and at the command of an operator', async () => {
        await (await put('whether conditions are heeded is known now')).discard();
        const digests = [await putAgo('refused', 48), await putAgo('removed', 48)];
        const owed = digests.map((sha256) => ({ sha256, createdAt: hoursAgo(48).toISOString() }));
        await runtime.db.transaction((trx) => oweRemovals(trx, owed, hoursAgo(1)));
        store.beforeNext('DELETE', async () => ({ status: 403 }));
        expect(await refusal(retryRemovals(runtime))).to.be.instanceOf(ProviderUnavailable);
        expect(await store.keys()).to.have.length(1);
        await retryRemovals({ ...runtime, now: () => new Date(Date.now() + HOUR_MS) });
        expect([await store.keys(), await runtime.db('document_moves')]).to.deep.equal([[], []]);
        for (const content of ['refused', 'removed']) await putAgo(content, 48);
        store.beforeNext('DELETE', async () => ({ status: 403 }));
        expect(await refusal(tidyDocuments(runtime))).to.be.instanceOf(ProviderUnavailable);
        expect(await store.keys()).to.have.length(1);
        expect(await tidyDocuments(runtime)).to.include({ removed: 1 });
      });

    it('stay when they are stored again after the removal has asked', async () => {
      const { sha256 } = await put('asked');
      const again = async () => {
        await put('asked');
        return false;
      };
      expect(await runtime.providers.documents.removeUnless(sha256, again)).to.equal('kept');
      expect(await read(sha256)).to.equal('asked');
      expect(await runtime.providers.documents.removeUnless(sha256, () => false)).to.equal('removed');
      expect(await runtime.providers.documents.removeUnless(sha256, () => false)).to.equal('gone');
    });

    it('include bytes that were stored twice and could not be discarded', async () => {
      const twice = [documentOf('twice in one work'), documentOf('twice in one work')];
      const failing = storingDocuments(runtime, twice, () => Promise.reject(new Error('no row')));
      expect(String(await refusal(failing))).to.include('no row');
      const [first, second] = [await put('by two'), await put('by two')];
      for (const { discard } of [first, second]) await discard();
      expect(await store.keys()).to.have.length(2);
      const tomorrow = () => new Date(Date.now() + 25 * HOUR_MS);
      expect(await tidyDocuments({ ...runtime, now: tomorrow })).to.include({ removed: 2, left: 0 });
      expect(await store.keys()).to.deep.equal([]);
    });

    it('stay for another day when stored again', async () => {
      const sha256 = await putAgo('stored again', 48);
      await put('stored again');
      expect(await tidyDocuments(runtime)).to.deep.equal(nothing);
      expect(await runtime.providers.documents.removeUnless(sha256, (storedAt) => storedAt >= hoursAgo(24))).to.equal(
        'kept',
      );
      expect(await read(sha256)).to.equal('stored again');
    });

    it('stay when they are older than the database, because they belong to another one', async () => {
      const sha256 = await putAgo('of another database', 100);
      expect(await tidyDocuments(runtime)).to.deep.equal(nothing);
      expect(await read(sha256)).to.equal('of another database');
    });

    it('are removed together with the temporary files of killed processes', async () => {
      const folder = join(store.folder, 'documents', 'incoming');
      await mkdir(folder, { recursive: true });
      for (const hours of [1, 25]) {
        const file = join(folder, newId());
        await writeFile(file, 'half');
        await utimes(file, hoursAgo(hours), hoursAgo(hours));
      }
      await tidyDocuments(runtime);
      expect(await store.incoming()).to.have.length(1);
    });

    if (kind === 'bucket')
      it('stay when stored between the check and the removal', async () => {
        await (await put('whether conditions are heeded is known now')).discard();
        const sha256 = await putAgo('at the last moment', 48);
        store.beforeNext('DELETE', async () => void (await put('at the last moment')));
        expect(await tidyDocuments(runtime)).to.deep.equal({ ...nothing, left: 1 });
        expect(await read(sha256)).to.equal('at the last moment');
      });

    if (kind === 'folder') {
      it('stay for a concurrent writer, whenever they are removed', async () => {
        const ROUNDS = 200;
        const { documents } = runtime.providers;
        for (let round = 0; round < ROUNDS; round++) {
          const content = `round ${round}`;
          const started = performance.now();
          const sha256 = await putAgo(content, 48);
          const stored = performance.now();
          const again = put(content);
          const moment = stored + ((stored - started) * round) / ROUNDS;
          while (performance.now() < moment) await setImmediate();
          await Promise.all([
            again,
            documents.removeUnless(sha256, (storedAt) => storedAt >= hoursAgo(24)),
            documents.recover(),
          ]);
          expect(await read(sha256)).to.equal(content);
        }
      });

      it('are not discarded by their writer once they were put back', async () => {
        const { sha256, discard } = await put('put back');
        const file = store.fileOf(sha256);
        const { mtimeMs } = await stat(file);
        await utimes(file, new Date(mtimeMs + 5), new Date(mtimeMs + 5));
        await discard();
        expect(await read(sha256)).to.equal('put back');
      });
    }
  });

describe('stored bytes in a bucket that ignores conditions', () => {
  it('stay, and their number is reported', async () => {
    const store = await startStore('bucket that ignores conditions');
    try {
      const { runtime } = store.parts;
      await runtime.db('encryption_keys').update({ created_at: hoursAgo(72).toISOString() });
      const { sha256 } = await runtime.providers.documents.put(pieces('unneeded bytes'));
      await utimes(store.fileOf(sha256), hoursAgo(48), hoursAgo(48));
      expect(await tidyDocuments(runtime)).to.deep.equal({ ...nothing, left: 1 });
      expect((await buffer(runtime.providers.documents.get(sha256))).toString()).to.equal('unneeded bytes');
    } finally {
      await store.stop();
    }
  });
});
