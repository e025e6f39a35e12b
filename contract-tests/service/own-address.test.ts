import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { listeningUrl, needsPublicUrl, noteAddress, serviceAddress } from '../../bin/service/own-address.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { Admin } from '../../harness/service/admin.ts';
import { startTestService } from '../../harness/service/service.ts';

databases('either');

const EMAIL = 'linked@mail.example';

describe('links printed by a command', () => {
  const folder = suiteFixture(temporaryFolder);

  /** @param ofCommand the command's settings other than those for the database and the folder */
  const linkOf = async (ofCommand: Record<string, string>) => {
    const test = await startTestService({ RUN_WORKERS: 'false', PORT: '0' });
    const noted = join(test.folder, 'service.url');
    try {
      const body = { title: 'Linked', tenants: [{ email: EMAIL, is_lead: true }] };
      const { data } = await test.alice.ok('createApplication', { body });
      const onboard = ['application', 'onboard', data.application_id, '--email', EMAIL];
      const printed = await new Admin(test, ofCommand).json<{ onboarding_url: string }>(...onboard);
      const address = existsSync(noted) ? await readFile(noted, 'utf8') : undefined;
      return { link: printed.onboarding_url, url: test.service.url, address };
    } finally {
      await test.service.close();
      expect(existsSync(noted), 'is forgotten when the service stops').to.equal(false);
      await rm(test.folder, { recursive: true, force: true });
    }
  };

  it('lead to the running service, whatever port it uses', async () => {
    const { link, url, address } = await linkOf({ PORT: '3999' });
    expect(link.startsWith(`${url}/onboarding/`), link).to.equal(true);
    expect(address).to.equal(url);
  });

  it('lead to PUBLIC_URL when it is set', async () => {
    const PUBLIC_URL = 'https://letting.example/screening';
    const { link } = await linkOf({ PUBLIC_URL });
    expect(link.startsWith(`${PUBLIC_URL}/onboarding/`), link).to.equal(true);
  });

  it('lead to the service’s PUBLIC_URL when the command has none', async () => {
    const { path: dataDir } = folder;
    const PUBLIC_URL = 'https://letting.example/screening';
    const place = { dataDir, publicUrl: undefined, host: '127.0.0.1', port: 3999 };
    const forget = await noteAddress({ dataDir }, PUBLIC_URL);
    expect(await serviceAddress(place)).to.equal(PUBLIC_URL);
    await forget();
    expect(await serviceAddress(place)).to.equal('http://127.0.0.1:3999');
  });

  it('lead to this machine where HOST is every address, which the start warns of without PUBLIC_URL', () => {
    const hosts: [string, string, boolean][] = [
      ['127.0.0.1', 'http://127.0.0.1:3000', false],
      ['0.0.0.0', 'http://127.0.0.1:3000', true],
      ['0', 'http://127.0.0.1:3000', true],
      ['::', 'http://[::1]:3000', true],
      ['0:0:0:0:0:0:0:0', 'http://[::1]:3000', true],
      ['[::]', 'http://[::1]:3000', true],
      ['::1', 'http://[::1]:3000', false],
      ['10.0.0.7', 'http://10.0.0.7:3000', false],
      ['screening.internal', 'http://screening.internal:3000', false],
      ['constructor', 'http://constructor:3000', false],
    ];
    for (const [host, url, isUnreachable] of hosts) {
      expect(listeningUrl(host, 3000), host).to.equal(url);
      expect(needsPublicUrl({ host, publicUrl: undefined }), host).to.equal(isUnreachable);
      expect(needsPublicUrl({ host, publicUrl: 'https://screening.example' }), host).to.equal(false);
    }
  });
});
