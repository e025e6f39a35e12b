import { join } from 'node:path';
import { expect } from 'chai';
import { type DocumentSettings, readDocuments } from '../../core/settings/document-settings.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

const KEYS = { S3_ACCESS_KEY_ID: 'an id', S3_SECRET_ACCESS_KEY: 'hush' };

describe('the document settings', () => {
  const read = (env: Record<string, string>, mode: 'sandbox' | 'live' = 'sandbox'): [DocumentSettings, string] => {
    const faults: string[] = [];
    const settings = readDocuments(env, mode, '/data', faults);
    return [settings, faults.join('\n')];
  };
  const faults = (env: Record<string, string>, mode?: 'sandbox' | 'live') => read(env, mode)[1];

  it('store documents in the data folder by default, up to 25 MiB each', () => {
    const folder = join('/data', 'documents');
    expect(read({})).to.deep.equal([
      { limitMib: 25, incoming: join(folder, 'incoming'), store: { kind: 'folder', folder } },
      '',
    ]);
  });

  it('refuse bucket settings without a bucket', () => {
    for (const name of ['S3_REGION', 'S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
      for (const store of [{}, { DOCUMENT_STORE: 'folder' }])
        expect(read({ ...store, [name]: 'hush' })[1])
          .to.match(new RegExp(`^${name} is set, but DOCUMENT_STORE is folder`))
          .and.not.include('hush');
    expect(read({ S3_REGION: '', AWS_REGION: 'eu-south-2' })[1]).to.equal('');
  });

  it('accept a limit from 1 to 1024 MiB', () => {
    for (const limit of ['1', '1024']) expect(read({ DOCUMENT_LIMIT_MIB: limit })[0].limitMib).to.equal(Number(limit));
    for (const limit of ['0', '-1', '1025', '1.5', '25 MiB'])
      expect(faults({ DOCUMENT_LIMIT_MIB: limit }), limit).to.match(/^DOCUMENT_LIMIT_MIB is /);
  });

  it('accept an S3 bucket, with or without a prefix', () => {
    const store = {
      kind: 'bucket',
      bucket: 'a-bucket.of-mine',
      region: 'us-east-1',
      endpoint: undefined,
      credentials: undefined,
    };
    for (const [text, prefix] of [
      ['s3://a-bucket.of-mine', ''],
      ['s3://a-bucket.of-mine/', ''],
      ['s3://a-bucket.of-mine/tenants', 'tenants/'],
      ['s3://a-bucket.of-mine/tenants/2027/', 'tenants/2027/'],
    ] as const)
      expect(read({ DOCUMENT_STORE: text }, 'live')).to.deep.equal([
        { ...read({})[0], store: { ...store, prefix } },
        '',
      ]);
    for (const text of ['s3:', 's3://', 's3://A/b', 's3://a-bucket//b', 's3://a-bucket/b c', 'gs://bucket', '/folder'])
      expect(faults({ DOCUMENT_STORE: text }), text).to.match(/^DOCUMENT_STORE must be folder or s3:/);
    expect(faults({ DOCUMENT_STORE: 's3://AKIAKEY:hush@bucket' }))
      .to.match(/must be/)
      .and.not.match(/hush|AKIA/);
  });

  it('use the region of the AWS tools when none is set', () => {
    const region = (env: Record<string, string>) => {
      const [{ store }] = read({ DOCUMENT_STORE: 's3://bucket', ...env });
      return 'region' in store ? store.region : undefined;
    };
    expect(region({ AWS_REGION: 'eu-south-2' })).to.equal('eu-south-2');
    expect(region({ AWS_REGION: 'eu-south-2', S3_REGION: 'eu-west-1' })).to.equal('eu-west-1');
  });

  it('accept a self-hosted server with its keys, without TLS in the sandbox only', () => {
    const bucket = { DOCUMENT_STORE: 's3://bucket', ...KEYS, S3_REGION: 'eu-south-2' };
    const plain = { ...bucket, S3_ENDPOINT: 'http://127.0.0.1:9000' };
    const [{ store }, none] = read(plain);
    expect(none).to.equal('');
    expect(store).to.deep.include({
      region: 'eu-south-2',
      endpoint: 'http://127.0.0.1:9000',
      credentials: { accessKeyId: 'an id', secretAccessKey: 'hush' },
    });
    expect(faults(plain, 'live')).to.match(/^S3_ENDPOINT must be an https address/);
    expect(faults({ ...bucket, S3_ENDPOINT: 'https://s3.example' }, 'live')).to.equal('');
    for (const S3_ENDPOINT of [
      's3.example',
      'ftp://s3.example',
      'https://me:hush@s3.example',
      'https://s3.example?a=b',
    ])
      expect(faults({ ...bucket, S3_ENDPOINT }))
        .to.match(/^S3_ENDPOINT must be/)
        .and.not.include('hush');
  });

  it('require both parts of a key or neither', () => {
    const DOCUMENT_STORE = 's3://bucket';
    expect(faults({ DOCUMENT_STORE, S3_ACCESS_KEY_ID: 'an id' })).to.match(/^S3_SECRET_ACCESS_KEY is missing/);
    expect(faults({ DOCUMENT_STORE, S3_SECRET_ACCESS_KEY: 'hush' }))
      .to.match(/^S3_ACCESS_KEY_ID is missing/)
      .and.not.include('hush');
  });
});
