import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { ProviderUnavailable } from '../../providers/providers.ts';
import { pieces, refusal, startStore, type TestStore } from '../harness/document-stores.ts';

describe('documents in a bucket that heeds conditions, and are taken back,', () => {
  let store: TestStore;
  before(async () => {
    store = await startStore('bucket');
  });
  after(() => store.stop());
  const put = (content: string) => store.parts.runtime.providers.documents.put(pieces(content));
  const get = (sha256: string) => buffer(store.parts.runtime.providers.documents.get(sha256));

  it('stay when somebody stores the same between the look and the removal', async () => {
    const first = await put('between');
    store.beforeNext('DELETE', () => put('between'));
    await first.discard();
    expect((await get(first.sha256)).toString()).to.equal('between');
  });

  it('stay when two store the same at once and each saw nothing there', async () => {
    store.beforeNext('PUT', () => put('at once'));
    const last = await put('at once');
    await last.discard();
    expect((await get(last.sha256)).toString()).to.equal('at once');
  });
});

describe('a bucket that refuses conditions', () => {
  it('keeps documents that were taken back: nobody can tell there who relies on them', async () => {
    const store = await startStore('bucket that refuses conditions');
    try {
      const { documents } = store.parts.runtime.providers;
      const { sha256, discard } = await documents.put(pieces('kept for ever'));
      await discard();
      expect((await buffer(documents.get(sha256))).toString()).to.equal('kept for ever');
    } finally {
      await store.stop();
    }
  });
});

describe('a bucket that cannot be used', () => {
  for (const [what, settings, shown] of [
    ['is away', { S3_ENDPOINT: 'http://127.0.0.1:9' }, /ECONNREFUSED/],
    ['does not exist', { DOCUMENT_STORE: 's3://somebody-elses' }, /NoSuchBucket/],
    ['refuses the credentials', { S3_SECRET_ACCESS_KEY: 'wrong' }, /status 403|SignatureDoesNotMatch/],
  ] as const)
    it(`because it ${what} is named as the reason, and nothing half done is left`, async () => {
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
});
