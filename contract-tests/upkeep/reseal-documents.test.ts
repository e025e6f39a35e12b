import { randomBytes } from 'node:crypto';
import { copyFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Parts } from '../../bin/service/build.ts';
import { addTenant } from '../../db/applications/tenants.ts';
import { databases, isNightly } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { pieces, refusal, type StoreKind, startStore } from '../../harness/service/document-stores.ts';
import { buildBeside, GONE_SOON, NEW, OLD, withKeys } from '../../harness/service/rotation.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { countByKey, resealAll } from '../../jobs/upkeep/reseal.ts';
import { MissingDocument, UnreadableDocument } from '../../providers/documents/port.ts';

databases('either');

const MIB = 1024 * 1024;
const NOTHING = { webhook_secrets: 0, verifications: 0, invitations: 0, results: 0, events: 0, forms: 0, documents: 0 };

const kinds: StoreKind[] = ['folder', 'bucket', ...(isNightly ? (['bucket that ignores conditions'] as const) : [])];
/** Each is a while in which the document is read all the time. */
const ROUNDS = isNightly ? 12 : 5;

for (const kind of kinds)
  describe(`documents in a ${kind} during a key rotation`, () => {
    let beside: Parts;
    let alone: Parts | undefined;
    afterEach(async () => {
      await alone?.close();
      alone = undefined;
      await beside.close();
    });
    const store = testFixture(() => startStore(kind, withKeys(OLD), GONE_SOON));
    beforeEach(async () => {
      beside = await buildBeside({ ...store.env, DOCUMENT_LIMIT_MIB: '1' }, NEW, OLD);
    });

    const old = () => store.parts.runtime.providers.documents;
    const both = () => beside.runtime.providers.documents;
    const read = async (documents: ReturnType<typeof old>, sha256: string) => buffer(documents.get(sha256));
    const add = async (content: string | Uint8Array) => {
      const { runtime } = store.parts;
      const person = { email: 'marta@mail.example', name: 'Marta' };
      const { tenant } = await runtime.db.transaction((trx) => addTenant(trx, person, new Date()));
      const [added] = await storingDocuments(runtime, [{ name: 'a', content: pieces(content) }], async (trx, stored) =>
        addDocuments(trx, runtime.queue, await ofTheirKey(trx, tenant.id), stored, 'operator', new Date()),
      );
      return added?.sha256 ?? '';
    };

    it('are readable before and after they are resealed, by then without the former key, whatever their size', async () => {
      const large = randomBytes(2 * MIB);
      const digests = [await add(large), await add('small')];
      expect((await countByKey(beside.runtime)).opened.map(({ documents }) => documents)).to.deep.equal([0, 2]);
      const [sha256 = ''] = digests;
      const before = await readFile(store.fileOf(sha256));
      expect(await read(both(), sha256)).to.deep.equal(large);
      expect((await resealAll(beside.runtime)).resealed).to.deep.equal({ ...NOTHING, documents: 2 });
      const after = await readFile(store.fileOf(sha256));
      expect(after.equals(before)).to.equal(false);
      expect(await both().openedBy(sha256)).to.equal(0);
      expect(await read(both(), sha256)).to.deep.equal(large);
      alone = await buildBeside(store.env, NEW);
      expect(await read(alone.runtime.providers.documents, sha256)).to.deep.equal(large);
      expect(await refusal(read(old(), sha256)), 'the former key').to.be.instanceOf(UnreadableDocument);
      expect((await resealAll(beside.runtime)).resealed, 'again').to.deep.equal(NOTHING);
      expect((await readFile(store.fileOf(sha256))).equals(after)).to.equal(true);
      expect(await store.incoming()).to.deep.equal([]);
    });

    it('that were modified, truncated, swapped or removed are served under no key, and stay as they are', async () => {
      const sha256 = await add(randomBytes(MIB));
      const other = await add('another document');
      const file = store.fileOf(sha256);
      const kept = await readFile(file);
      const last = Buffer.from(kept);
      last.writeUInt8(last.readUInt8(kept.length - 1) ^ 1, kept.length - 1);
      const unreadable = async (what: string, kindOf: typeof UnreadableDocument = UnreadableDocument) => {
        expect(await refusal(read(both(), sha256)), what).to.be.instanceOf(kindOf);
        expect((await countByKey(beside.runtime)).unreadable, what).to.deep.equal({ ...NOTHING, documents: 1 });
      };
      for (const bytes of [last, kept.subarray(0, -1), kept.subarray(0, 20), Buffer.alloc(0)]) {
        await writeFile(file, bytes);
        await unreadable(`${bytes.length} bytes`);
      }
      await copyFile(store.fileOf(other), file);
      await unreadable('swapped');
      const { resealed, left, unreadable: lost } = await resealAll(beside.runtime);
      expect([resealed.documents, left.documents, lost.documents]).to.deep.equal([1, 0, 1]);
      await rm(file);
      await unreadable('removed', MissingDocument);
      await writeFile(file, kept);
      expect((await resealAll(beside.runtime)).resealed).to.deep.equal({ ...NOTHING, documents: 1 });
    });

    it('are readable at every moment while others reseal them with either key', async () => {
      const content = randomBytes(MIB / 4);
      const sha256 = await add(content);
      let isOver = false;
      const sealing = (async () => {
        for (let round = 0; round < ROUNDS; round++) {
          await old().put(pieces(content));
          await both().reseal(sha256);
        }
      })().finally(() => {
        isOver = true;
      });
      let reads = 0;
      for (; !isOver; reads++) expect((await read(both(), sha256)).equals(content)).to.equal(true);
      await sealing;
      expect(reads).to.be.above(1);
    });

    const removal = async (sha256: string) => {
      await store.parts.runtime.db('documents').delete();
      await rm(store.fileOf(sha256));
    };

    if (kind === 'folder')
      it('do not reappear when they are removed while being resealed', async () => {
        const sha256 = await add(randomBytes(16 * MIB));
        const isHalfThere = async () => {
          const [file = ''] = await store.incoming();
          const found = await stat(join(store.folder, 'documents', 'incoming', file)).catch(() => undefined);
          return found?.isFile() && found.size > MIB;
        };
        const resealing = resealAll(beside.runtime);
        while (!(await isHalfThere())) await setImmediate();
        await removal(sha256);
        await resealing;
        expect(await store.keys()).to.deep.equal([]);
      });

    // Without conditional requests, nothing is ever removed, because other users of an object are unknown.
    if (kind === 'bucket')
      it('do not reappear when they are removed while being resealed', async () => {
        const sha256 = await add('removed');
        store.beforeNext('HEAD', async () => void (await removal(sha256)));
        await resealAll(beside.runtime);
        expect(await store.keys()).to.deep.equal([]);
      });
  });
