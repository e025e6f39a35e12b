import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { build } from '../../bin/service/build.ts';
import { watchStore } from '../../bin/service/watched-store.ts';
import { ProviderUnavailable } from '../../core/errors.ts';
import { createLog } from '../../core/log.ts';
import { keyRing } from '../../core/secrets/key-ring.ts';
import type { Config } from '../../core/settings/config.ts';
import { ConfigError } from '../../core/settings/config-error.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Admin } from '../../harness/service/admin.ts';
import { pieces } from '../../harness/service/document-stores.ts';
import { GONE_SOON } from '../../harness/service/rotation.ts';
import { useServicePerTest } from '../../harness/service/service.ts';

databases('both');

const WRONG = Buffer.alloc(32, 1);
const MAX_WAIT_MS = 30;

describe('an ENCRYPTION_KEY that does not match the database', () => {
  // It would record its key again behind one that was forgotten.
  const test = useServicePerTest({ RUN_WORKERS: 'false' }, GONE_SOON);

  const start = (config: Config) => build(config, { log: createLog('silent') }).then(({ close }) => close());
  const startWrong = () =>
    start({ ...test.config, keys: { ...test.config.keys, encryption: keyRing(WRONG, []) } }).then(
      () => 'started',
      (error) => {
        expect(error).to.be.instanceOf(ConfigError);
        return String(error);
      },
    );
  /** As in a database of an earlier version, which does not record its key. */
  const forget = () => test.service.runtime.db('encryption_keys').delete();

  it('is refused from the first start on', async () => {
    expect(await startWrong()).to.include('ENCRYPTION_KEY is not the one');
    await start(test.config);
  });

  it('is refused because of webhooks sealed by an earlier version', async () => {
    await test.alice.ok('createWebhook', { body: { url: 'http://127.0.0.1:9/hook', secret: 'a secret' } });
    await forget();
    expect(await startWrong()).to.include('ENCRYPTION_KEY is not the one');
    await start(test.config);
    expect(await startWrong()).to.include('ENCRYPTION_KEY is not the one');
  });

  it('is refused because of documents sealed by an earlier version', async () => {
    await test.tenant('sealed@mail.example', { documents: 2 });
    await forget();
    expect(await startWrong()).to.include('ENCRYPTION_KEY is not the one');
    await start(test.config);
  });

  it('is not suspected for modified or missing documents when another document opens', async () => {
    await test.tenant('sealed@mail.example', { documents: 3 });
    const [changed = '', gone = ''] = await test.service.runtime.db('documents').pluck('sha256');
    const fileOf = (sha256: string) => join(test.folder, 'documents', sha256.slice(0, 2), sha256);
    await writeFile(fileOf(changed), 'changed');
    await rm(fileOf(gone));
    await forget();
    await start(test.config);
  });

  it('is the key of whichever process comes first', async () => {
    await forget();
    expect(await startWrong()).to.equal('started');
    expect(await start(test.config).catch(String)).to.include('ENCRYPTION_KEY is not the one');
  });

  it('stops the command line and the workers before they touch a document', async () => {
    const { sha256 } = await test.service.runtime.providers.documents.put(pieces('of someone'));
    const admin = new Admin(test);
    await test.tenant('wrong-key@mail.example');
    const env = { ENCRYPTION_KEY: WRONG.toString('base64') };
    const file = await admin.file('of someone', 'the-same.txt');
    const command = ['document', 'add', 'wrong-key@mail.example', file];
    expect(await admin.refused(1, command, env)).to.include('ENCRYPTION_KEY is not the one');
    const worker = spawnSync(process.execPath, ['bin/worker.ts'], {
      env: { ...admin.env, ...env, SETTINGS_FILE: '' },
      encoding: 'utf8',
    });
    expect(worker).to.include({ status: 1, stdout: '' });
    expect(worker.stderr).to.include('ENCRYPTION_KEY is not the one');
    expect((await buffer(test.service.runtime.providers.documents.get(sha256))).toString()).to.equal('of someone');
  });

  it('is waited for however slow machine and database are: only the time of the document store counts', async () => {
    const { documents } = test.service.runtime.providers;
    let isSilent = false;
    const answered = watchStore({ ...documents, openedBy: async () => 0 }, MAX_WAIT_MS);
    void answered.silent.then(() => {
      isSilent = true;
    });
    await answered.documents.openedBy('');
    const hanging = watchStore({ ...documents, openedBy: () => new Promise(() => {}) }, MAX_WAIT_MS);
    void hanging.documents.openedBy('');
    await hanging.silent;
    expect(isSilent).to.equal(false);
    const refuse = () => Promise.reject(new ProviderUnavailable('it is down'));
    const refusing = watchStore({ ...documents, put: refuse }, 3_600_000);
    expect(await refusing.documents.put(pieces('')).catch((error) => error)).to.be.instanceOf(ProviderUnavailable);
    await refusing.silent;
  });
});
