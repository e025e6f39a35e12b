import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { ProviderUnavailable } from '../../core/errors.ts';
import { readConfig } from '../../core/settings/config.ts';
import { databases } from '../../harness/database/dialect.ts';
import { startServiceProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { pieces, refusal, startStore, type TestStore } from '../../harness/service/document-stores.ts';

databases('either');

/** More than a connection buffers in this process. */
const LONG = 'long'.repeat(64 * 1024);
/** More than the calls that are under way at once. */
const READERS = 60;

describe('documents in a bucket with conditional requests, once discarded,', () => {
  let store: TestStore;
  before(async () => {
    store = await startStore('bucket');
    // The first write probes whether the server honours conditional requests.
    await (await put('first of all')).discard();
  });
  after(() => store.stop());
  const put = (content: string) => store.parts.runtime.providers.documents.put(pieces(content));
  const get = (sha256: string) => buffer(store.parts.runtime.providers.documents.get(sha256));

  it('stay when stored again between the check and the removal', async () => {
    const first = await put('between');
    store.beforeNext('DELETE', async () => void (await put('between')));
    await first.discard();
    expect((await get(first.sha256)).toString()).to.equal('between');
  });

  it('stay when two writers store them concurrently and each saw nothing there', async () => {
    store.beforeNext('PUT', async () => void (await put('at once')));
    const last = await put('at once');
    await last.discard();
    expect((await get(last.sha256)).toString()).to.equal('at once');
  });
});

describe('a bucket of which many readers have stopped in the middle', () => {
  it('serves and receives other documents', async () => {
    const store = await startStore('bucket');
    try {
      const { documents } = store.parts.runtime.providers;
      const long = await documents.put(pieces(LONG));
      const open = Array.from({ length: READERS }, () => documents.get(long.sha256)[Symbol.asyncIterator]());
      await Promise.all(open.map((reader) => reader.next()));
      const other = await documents.put(pieces('another'));
      expect((await buffer(documents.get(other.sha256))).toString()).to.equal('another');
      await Promise.all(open.map((reader) => reader.return?.()));
    } finally {
      await store.stop();
    }
  });
});

for (const kind of ['bucket that refuses conditions', 'bucket that ignores conditions'] as const)
  describe(`a ${kind}`, () => {
    it('keeps discarded documents, because others who rely on them are unknown', async () => {
      const store = await startStore(kind);
      try {
        const { documents } = store.parts.runtime.providers;
        const { sha256, discard } = await documents.put(pieces('kept forever'));
        await discard();
        expect((await buffer(documents.get(sha256))).toString()).to.equal('kept forever');
        expect(await documents.removeUnless(sha256, (storedAt) => storedAt >= new Date(Date.now() + 60_000))).to.equal(
          'kept',
        );
        expect(await store.keys()).to.deep.equal([`${sha256.slice(0, 2)}/${sha256}`]);
      } finally {
        await store.stop();
      }
    });
  });

describe('a bucket that fails temporarily', () => {
  let store: TestStore;
  before(async () => {
    store = await startStore('bucket');
  });
  after(() => store.stop());
  /** Answers this many PUTs with the status before reading their body. */
  const refuse = (times: number, status: number) => {
    if (times > 0)
      store.beforeNext('PUT', async () => {
        refuse(times - 1, status);
        return { status, headers: { connection: 'close' } };
      });
  };
  const put = (size: number) => store.parts.runtime.providers.documents.put(pieces(Buffer.alloc(size, 'x')));

  it('still receives a document, from its beginning', async () => {
    for (const status of [500, 503, 429]) {
      refuse(2, status);
      const { sha256 } = await put(1000 + status);
      const content = await buffer(store.parts.runtime.providers.documents.get(sha256));
      expect(content.length).to.equal(1000 + status);
    }
  });

  it('gets no document that the disk loses on its way there, and the service continues', async () => {
    const { documents } = store.parts.runtime.providers;
    const lose = () => rm(readConfig(store.env).documents.incoming, { recursive: true });
    expect(await refusal(documents.put(pieces('lost'), lose))).to.be.instanceOf(ProviderUnavailable);
    await documents.put(pieces('another'));
  });

  it('is given up after three attempts, and no file stays open', async () => {
    const before = await openFiles();
    refuse(3, 503);
    expect(await refusal(put(8 * 1024 * 1024))).to.be.instanceOf(ProviderUnavailable);
    expect(await store.incoming()).to.deep.equal([]);
    await until('the files are closed', async () => (await openFiles()) <= before);
  });

  it('is tried once when it refuses permanently, and the error names its region', async () => {
    const error = async (status: number) => {
      store.beforeNext('HEAD', async () => ({ status, headers: { 'x-amz-bucket-region': 'eu-south-2' } }));
      return String(await refusal(put(10)));
    };
    expect(await error(301)).to.match(/the region eu-south-2; see S3_REGION/);
    expect(await error(403)).to.not.include('S3_REGION');
  });

  /** Counts our open files in transit, where the operating system exposes them. */
  async function openFiles(): Promise<number> {
    const handles = await readdir('/proc/self/fd').catch(() => []);
    const targets = await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')));
    return targets.filter((target) => target.includes(store.folder) && target.includes('incoming')).length;
  }
});

describe('an unusable bucket', () => {
  for (const [what, settings, shown] of [
    ['is away', { S3_ENDPOINT: 'http://127.0.0.1:9' }, /ECONNREFUSED/],
    ['does not exist', { DOCUMENT_STORE: 's3://somebody-elses' }, /NoSuchBucket/],
    ['refuses the credentials', { S3_SECRET_ACCESS_KEY: 'wrong' }, /status 403|SignatureDoesNotMatch/],
  ] as const)
    it(`that ${what} is reported with this reason, and nothing is left behind`, async () => {
      const store = await startStore('bucket', settings);
      try {
        const { documents } = store.parts.runtime.providers;
        const put = () => documents.put(pieces('a document'));
        const get = () => buffer(documents.get('ab'.repeat(32)));
        for (const work of [put, get]) {
          const error = await refusal(work());
          expect(error).to.be.instanceOf(ProviderUnavailable);
          expect(String(error))
            .to.match(/DOCUMENT_STORE/)
            .and.match(shown);
        }
        expect([await store.incoming(), await store.keys()]).to.deep.equal([[], []]);
      } finally {
        await store.stop();
      }
    });

  it('does not keep the service from starting, because most requests need no document', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'screening-away-'));
    const bucket = { DOCUMENT_STORE: 's3://bucket', S3_ENDPOINT: 'http://127.0.0.1:9' };
    const keys = { S3_ACCESS_KEY_ID: 'an id', S3_SECRET_ACCESS_KEY: 'hush' };
    const started = await startServiceProcess({ DATA_DIR: folder, SETTINGS_FILE: '', PORT: '0', ...bucket, ...keys });
    try {
      expect((await fetch(new URL('/docs/', started.url))).status).to.equal(200);
      expect(await started.stop()).to.equal(0);
    } finally {
      await started.kill();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
