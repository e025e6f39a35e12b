import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { settingsOf } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { figure } from '../../harness/mocha/figures.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { startSilence } from '../../harness/peers/silence.ts';
import { type ServiceProcess, startServiceProcess } from '../../harness/process/process.ts';
import { Admin } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { GONE_SOON } from '../../harness/service/rotation.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

/** Longer than a start waits for the document store, and far shorter than the store is silent. */
const MAX_START_MS = 30_000;

describe('a start while the bucket and the mail server are silent', () => {
  const silence = suiteFixture(startSilence);
  const test = useService({ RUN_WORKERS: 'false' }, GONE_SOON);
  let service: ServiceProcess | undefined;
  afterEach(async () => {
    await service?.kill();
  });

  const start = async (env: Record<string, string>) => {
    const begun = performance.now();
    service = await startServiceProcess({
      ...env,
      DOCUMENT_STORE: 's3://silent-bucket/documents',
      S3_ENDPOINT: `http://127.0.0.1:${silence.port}`,
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      MAIL_PROVIDER: 'smtp',
      MAIL_FROM: 'Screening <screening@mail.example>',
      SMTP_TLS: 'none',
      SMTP_URL: `smtp://127.0.0.1:${silence.port}`,
    });
    const ms = performance.now() - begun;
    figure(`started after ${(ms / 1000).toFixed(1)} s`);
    expect(ms).to.be.below(MAX_START_MS);
    return service;
  };
  const serves = async ({ url }: ServiceProcess) => {
    const alice = new Client(url, test.alice.clientId, test.alice.clientSecret);
    await alice.authenticate();
    const tenants = [{ email: 'silent@mail.example', is_lead: true }];
    const { data } = await alice.ok('createApplication', { body: { title: 'Silent', tenants } });
    await alice.ok('getApplication', { params: { applicationId: data.application_id ?? '' } });
    await alice.ok('listWorkspaces');
  };

  it('serves tokens, creations and reads, although the documents’ key was never recorded', async () => {
    await test.tenant('stored@mail.example', { documents: 2, of: test.alice });
    await test.service.runtime.db('encryption_keys').delete();
    await serves(await start(new Admin(test).env));
  });

  it('serves them in an empty sandbox, too, whose demo needs the bucket', async () => {
    const folder = join(test.folder, 'empty');
    await mkdir(folder);
    const { url } = await start({
      DATA_DIR: folder,
      ...settingsOf({ dialect: 'sqlite', file: join(folder, 'service.db') }),
    });
    expect((await fetch(`${url}/openapi.json`)).status).to.equal(200);
  });
});
