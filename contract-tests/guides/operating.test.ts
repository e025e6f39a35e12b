import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { authority } from '../../harness/peers/certificates.ts';
import { LOGIN, MailServer } from '../../harness/peers/mail-server.ts';
import { programEnv } from '../../harness/process/process.ts';
import { freePort } from '../../harness/process/running-server.ts';
import { eventually, hear } from '../../harness/process/signals.ts';
import { blocksOf } from './guide.ts';
import { Reader } from './reader.ts';

databases('sqlite', 'nightly');

const ROOT = new URL('../../', import.meta.url).pathname;

/** The commands that a new operator pastes, in order, except the installation. */
const pasted = blocksOf('../operating/install.md')
  .filter(({ heading, language }) => heading === 'From an empty machine to live' && language === 'sh')
  .map(({ text }) => text)
  .filter((text) => !text.startsWith('npm ci'));

/** A port on which nothing listens. */
const NOWHERE = 'https://127.0.0.1:1';

describe('the guide from an empty machine to live', () => {
  let mails: MailServer;
  let env: Record<string, string>;
  let service: ChildProcess | undefined;

  const reader = suiteFixture(() => Reader.create());
  before(async () => {
    const ca = await authority('Agency');
    mails = await MailServer.start(await ca.issue({ name: 'localhost' }));
    for (const name of await readdir(ROOT))
      if (!['data', '.env', 'properties.csv', 'node_modules'].includes(name))
        await symlink(join(ROOT, name), join(reader.folder, name));
    await reader.save('agency.pem', ca.cert);
    env = {
      PORT: String(await freePort()),
      NODE_EXTRA_CA_CERTS: join(reader.folder, 'agency.pem'),
      STRIPE_API_BASE: NOWHERE,
      SETTINGS_FILE: '.env',
    };
  });

  after(async () => {
    if (service) {
      service.kill('SIGTERM');
      await once(service, 'exit');
    }
    await mails.stop();
  });

  it('works when pasted: landlord, key, ten thousand properties and mail', async () => {
    const [settings = '', look = '', start, ...others] = pasted;
    const database = await freshDatabase(reader.folder);
    const own: [string, string][] = [
      ["'sqlite:$PWD/data/live.db'", `'${database}'`],
      ["'smtp://mail.agency.example:587'", `'${mails.env['SMTP_URL']}'`],
      ["SMTP_PASSWORD='secret'", `SMTP_PASSWORD='${LOGIN.password}'`],
      ["'https://eid.example'", `'${NOWHERE}'`],
    ];
    const changed = own.reduce((text, [theirs, ours]) => {
      expect(text, 'the settings of the guide').to.include(theirs);
      return text.replace(theirs, ours);
    }, settings);
    await reader.paste([changed], env);
    expect((await stat(join(reader.folder, '.env'))).mode & 0o777, 'who may read the settings').to.equal(0o600);

    // Exits with 1, because the guide's providers do not exist.
    const [report = ''] = await reader.paste([look.replace(/doctor$/, 'doctor || true')], env);
    expect(report).to.match(/OK +settings +They are valid\. The mode is live\./);
    expect(report).to.match(/OK +mail /);
    expect(report)
      .to.match(/PROBLEM +kyc /)
      .and.to.match(/PROBLEM +eid /);

    expect(start).to.equal('npm start');
    service = await startAsTyped();
    const outputs = await reader.paste(others, env);
    expect(outputs.join(''))
      .to.match(/added +10000\n/)
      .and.to.include('Madrid centre');
    expect(outputs.find((output) => output.startsWith('{')) ?? '').to.match(/"workspace_name":"Madrid centre"/);
    expect(mails.received.map(({ to, isSecure }) => ({ to, isSecure }))).to.deep.equal([
      { to: ['you@agency.example'], isSecure: true },
    ]);
  });

  async function startAsTyped(): Promise<ChildProcess> {
    const child = spawn('/bin/sh', ['-c', 'exec node bin/api.ts'], {
      cwd: reader.folder,
      env: { ...programEnv(), ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    hear(child.stdout, (text) => {
      printed += text;
    });
    await eventually('the service listened', () => printed.includes('"msg":"listening"') || undefined);
    expect(printed).to.include('"mode":"live"');
    return child;
  }
});
