import { createHash, randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { build } from '../../bin/service/build.ts';
import { ProviderUnavailable } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { createLog } from '../../core/log.ts';
import { seal } from '../../core/secrets/secrets.ts';
import { readConfig } from '../../core/settings/config.ts';
import { databases } from '../../harness/database/dialect.ts';
import { pieces, refusal, type StoreKind, startStore, type TestStore } from '../../harness/service/document-stores.ts';
import { UnacceptableDocument, UnreadableDocument } from '../../providers/documents/port.ts';

databases('either');

const MIB = 1024 * 1024;
const LIMIT_MIB = 20;
const PIECE = 64 * 1024;

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

for (const kind of ['folder', 'bucket', 'bucket that ignores conditions'] satisfies StoreKind[])
  describe(`documents in a ${kind}`, () => {
    let store: TestStore;
    before(async () => {
      store = await startStore(kind, { DOCUMENT_LIMIT_MIB: String(LIMIT_MIB) });
    });
    after(() => store.stop());
    const documents = () => store.parts.runtime.providers.documents;
    const put = (...contents: (string | Uint8Array)[]) => documents().put(pieces(...contents));
    const get = (sha256: string) => buffer(documents().get(sha256));

    afterEach('nothing is left on its way', async () => {
      expect(await store.incoming()).to.deep.equal([]);
    });

    it('are returned unchanged, and each piece is written before the next is requested', async () => {
      const content = randomBytes(LIMIT_MIB * MIB);
      async function* watched() {
        for (let start = 0; start < content.length; start += PIECE) {
          const [file = ''] = await store.incoming();
          const { size } = await stat(join(store.folder, 'documents', 'incoming', file));
          expect(size).to.be.within(start, start + 100);
          yield content.subarray(start, start + PIECE);
        }
      }
      const stored = await documents().put(watched());
      expect(stored).to.include({ sha256: digest(content), sizeBytes: content.length });
      const hash = createHash('sha256');
      let longest = 0;
      for await (const piece of documents().get(stored.sha256)) {
        hash.update(piece);
        longest = Math.max(longest, piece.length);
      }
      expect(hash.digest('hex')).to.equal(stored.sha256);
      expect(longest).to.be.at.most(MIB);
    });

    it('are unreadable at rest and in transit', async () => {
      const secret = 'Gross salary 2,900.00';
      let onTheWay = Buffer.alloc(0);
      async function* watched() {
        yield Buffer.from(secret);
        const [file = ''] = await store.incoming();
        onTheWay = await readFile(join(store.folder, 'documents', 'incoming', file));
        yield Buffer.from(secret);
      }
      const { sha256 } = await documents().put(watched());
      const kept = await readFile(store.fileOf(sha256));
      expect(onTheWay.length).to.be.above(secret.length);
      for (const bytes of [onTheWay, kept]) expect(bytes.includes(secret.slice(0, 5))).to.equal(false);
      expect((await get(sha256)).toString()).to.equal(secret + secret);
    });

    it('larger than allowed are refused without reading further', async () => {
      const before = await store.keys();
      let asked = 0;
      let wasStopped = false;
      async function* endless() {
        try {
          for (;;) {
            asked += PIECE;
            yield Buffer.alloc(PIECE);
          }
        } finally {
          wasStopped = true;
        }
      }
      const error = await refusal(documents().put(endless()));
      expect(error).to.be.instanceOf(UnacceptableDocument);
      expect(String(error)).to.include(`${LIMIT_MIB} MiB`);
      expect({ asked, wasStopped }).to.deep.equal({ asked: LIMIT_MIB * MIB + PIECE, wasStopped: true });
      expect(await store.keys()).to.deep.equal(before);
    });

    it('that are empty are refused', async () => {
      for (const nothing of [[], ['', '']])
        expect(await refusal(put(...nothing))).to.be.instanceOf(UnacceptableDocument);
    });

    it('that break off leave nothing behind', async () => {
      const before = await store.keys();
      async function* breaking() {
        yield Buffer.from('half of it');
        throw new Error('the line went dead');
      }
      expect(String(await refusal(documents().put(breaking())))).to.include('the line went dead');
      expect(await store.keys()).to.deep.equal(before);
    });

    it('with the same bytes are stored once', async () => {
      const before = await store.keys();
      const first = await put('the same ', 'bytes');
      const second = await put('the same bytes');
      expect(second.sha256).to.equal(first.sha256);
      const added = (await store.keys()).filter((key) => !before.includes(key));
      expect(added).to.deep.equal([`${first.sha256.slice(0, 2)}/${first.sha256}`]);
    });

    it('that were modified, truncated, swapped or removed fail before their end', async () => {
      const long = randomBytes(MIB);
      const { sha256 } = await put(long);
      const { sha256: other } = await put('another document');
      const file = store.fileOf(sha256);
      const kept = await readFile(file);
      const change = (at: number) => {
        const changed = Buffer.from(kept);
        changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
        return changed;
      };
      const changes = [0, 12, 28, kept.length - 1].map(change);
      for (const bytes of [...changes, kept.subarray(0, -1), kept.subarray(0, 20), Buffer.alloc(0)]) {
        await writeFile(file, bytes);
        expect(await refusal(get(sha256)), `${bytes.length}`).to.be.instanceOf(UnreadableDocument);
      }
      await copyFile(store.fileOf(other), file);
      expect(await refusal(get(sha256)), 'swapped').to.be.instanceOf(UnreadableDocument);
      await writeFile(file, kept);
      expect(await get(sha256)).to.deep.equal(long);
      expect(await refusal(get(digest(Buffer.from('never stored'))))).to.be.instanceOf(UnreadableDocument);
    });

    it('from earlier versions, sealed in one piece, are still readable', async () => {
      const content = Buffer.from('%PDF-1.4 of an earlier version');
      const { sha256, discard } = await put(content);
      await discard();
      await mkdir(dirname(store.fileOf(sha256)), { recursive: true });
      await writeFile(store.fileOf(sha256), seal(content, store.ring));
      expect(await get(sha256)).to.deep.equal(content);
      await (await put(content)).discard();
      expect(await get(sha256), 'was there before').to.deep.equal(content);
    });

    describe('once discarded', () => {
      it('stay when another writer stored the same bytes before or since', async () => {
        const first = await put('two rely on it');
        const second = await put('two rely on it');
        for (const { discard } of [first, second, first]) {
          await discard();
          expect((await get(first.sha256)).toString()).to.equal('two rely on it');
        }
      });

      // Without conditional requests, unused objects cannot be told apart, so they stay.
      if (kind !== 'bucket that ignores conditions') {
        it('are removed when no other writer stored the same bytes', async () => {
          const before = await store.keys();
          const { sha256, discard } = await put('taken back');
          await discard();
          expect(await refusal(get(sha256))).to.be.instanceOf(UnreadableDocument);
          expect(await store.keys()).to.deep.equal(before);
          await discard();
        });

        it('do not include bytes stored by another writer after the removal', async () => {
          const first = await put('stored again');
          await first.discard();
          const second = await put('stored again');
          await first.discard();
          expect((await get(second.sha256)).toString()).to.equal('stored again');
          await second.discard();
          expect(await refusal(get(second.sha256))).to.be.instanceOf(UnreadableDocument);
        });
      }

      if (kind === 'folder')
        it('stay for a concurrent writer, at whatever moment they are discarded', async () => {
          const ROUNDS = 300;
          for (let round = 0; round < ROUNDS; round++) {
            const content = `round ${round}`;
            const started = performance.now();
            const first = await put(content);
            const stored = performance.now();
            const second = put(content);
            const moment = stored + ((stored - started) * round) / ROUNDS;
            while (performance.now() < moment) await setImmediate();
            const [{ sha256 }] = await Promise.all([second, first.discard()]);
            expect((await get(sha256)).toString()).to.equal(content);
          }
        });
    });
  });

describe('incoming documents', () => {
  it('of a killed process are removed after a day, and no sooner', async () => {
    const store = await startStore('folder');
    try {
      const folder = join(store.folder, 'documents', 'incoming');
      await mkdir(folder, { recursive: true });
      const [old, young] = [newId(), newId()];
      for (const name of [old, young]) await writeFile(join(folder, name), 'half');
      const yesterday = new Date(Date.now() - 25 * 3_600_000);
      await utimes(join(folder, old), yesterday, yesterday);
      await (await build(readConfig(store.env), { log: createLog('silent') })).close();
      expect(await store.incoming()).to.deep.equal([young]);
    } finally {
      await store.stop();
    }
  });

  it('are restored at the start when a process was killed while it had moved them aside', async () => {
    const store = await startStore('folder');
    try {
      const { documents } = store.parts.runtime.providers;
      const { sha256 } = await documents.put(pieces('someone relies on it'));
      const yesterday = new Date(Date.now() - 25 * 3_600_000);
      await utimes(store.fileOf(sha256), yesterday, yesterday);
      await rename(store.fileOf(sha256), join(store.folder, 'documents', 'incoming', `${sha256}.${newId()}`));
      await (await build(readConfig(store.env), { log: createLog('silent') })).close();
      expect((await buffer(documents.get(sha256))).toString()).to.equal('someone relies on it');
      expect(await store.incoming()).to.deep.equal([]);
    } finally {
      await store.stop();
    }
  });

  it('for an unusable folder are refused without revealing its path', async () => {
    const store = await startStore('folder');
    try {
      await rm(join(store.folder, 'documents'), { recursive: true, force: true });
      await writeFile(join(store.folder, 'documents'), 'a file');
      const { documents } = store.parts.runtime.providers;
      for (const work of [documents.put(pieces('a document')), buffer(documents.get('ab'.repeat(32)))]) {
        const error = await refusal(work);
        expect(error).to.be.instanceOf(ProviderUnavailable);
        expect(String(error)).to.include('(ENOTDIR)').and.not.include(store.folder);
      }
    } finally {
      await store.stop();
    }
  });
});
