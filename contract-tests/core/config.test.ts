import { randomBytes } from 'node:crypto';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { catalogue, settingNames } from '../../core/settings/catalogue.ts';
import { readConfig } from '../../core/settings/config.ts';
import { ConfigError } from '../../core/settings/config-error.ts';
import { readRetention, retentionSettings } from '../../core/settings/retention-settings.ts';
import type { SettingsTable } from '../../core/settings/setting.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';

databases('none');

const KEY = Buffer.alloc(32, 7).toString('base64');
const [GOOD, ANOTHER] = [randomKey(), randomKey()];

function randomKey(): string {
  return randomBytes(32).toString('base64');
}

describe('the settings', () => {
  const folder = suiteFixture(temporaryFolder);

  const faultsOf = (env: Record<string, string>): string => {
    try {
      readConfig({ DATA_DIR: folder.path, ...env });
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    return '';
  };

  it('have defaults that start a sandbox on SQLite in the data folder', () => {
    const config = readConfig({ DATA_DIR: folder.path });
    expect(config).to.deep.include({
      mode: 'sandbox',
      host: '127.0.0.1',
      port: 3000,
      runWorkers: true,
      logLevel: 'info',
    });
    expect(config.database).to.deep.equal({ dialect: 'sqlite', file: join(folder.path, 'service.db'), turnMs: 6_000 });
  });

  it('read by the service match the catalogue from which the documentation is generated', () => {
    const read = new Set<string>();
    const given: NodeJS.ProcessEnv = {
      DATA_DIR: folder.path,
      ...{ KYC_PROVIDER: 'stripe', EID_PROVIDER: 'oidc', MAIL_PROVIDER: 'smtp', SMTP_URL: 'smtp://mail.example' },
      ...{ DOCUMENT_STORE: 's3://documents', OPS_PORT: '0', ONBOARDING_VALID_DAYS: '1' },
      BANK_PROVIDER: 'enable-banking',
    };
    const watched = new Proxy(given, {
      get: (env, name) => {
        read.add(String(name));
        return env[String(name)];
      },
    });
    expect(() => readConfig(watched)).to.throw(ConfigError);
    expect([...read, 'SETTINGS_FILE']).to.have.members([...settingNames(), 'AWS_REGION', 'NODE_USE_ENV_PROXY']);
  });

  it('refuse a proxy that the service could not use, by the name of its variable and without its password', () => {
    const faults = (env: Record<string, string>) => faultsOf({ NODE_USE_ENV_PROXY: '1', ...env });
    const secret = 'https://agent:hush@proxy.example:3128';
    for (const [name, address] of [
      ['HTTPS_PROXY', secret],
      ['http_proxy', secret],
      ['ALL_PROXY', 'socks5://agent:hush@proxy.example'],
      // Without a scheme, it counts as https.
      ['HTTPS_PROXY', 'proxy.example:3128'],
      ['HTTP_PROXY', 'http://'],
    ] as const) {
      const message = faults({ [name]: address });
      expect(message, address).to.include(`${name} must begin with http://`).and.not.include('hush');
      expect(faultsOf({ [name]: address }), 'without the switch, it is not used').to.equal('');
    }
    const plain = 'http://agent:hush@proxy.example:3128';
    expect(faults({ HTTPS_PROXY: plain, HTTP_PROXY: 'proxy.example:3128', ALL_PROXY: 'socks5://other' })).to.equal('');
  });

  it('have the catalogue’s defaults', () => {
    const rows = Object.values<SettingsTable>(catalogue).flatMap((table) => Object.entries(table));
    const defaults = rows.flatMap(([name, { fallback }]) => {
      const value = /^`([^`<]+)`$/.exec(fallback)?.[1];
      return value && !name.startsWith('SMTP_') ? [{ [name]: value }] : [];
    });
    expect(defaults.length).to.be.greaterThan(30);
    const env = { DATA_DIR: folder.path };
    const { keys: _keys, ...expected } = readConfig(env);
    for (const given of defaults) {
      const { keys: _same, ...config } = readConfig({ ...given, ...env });
      expect(config, JSON.stringify(given)).to.deep.equal(expected);
    }
  });

  it('are all checked at once, and each invalid one is named', () => {
    const message = faultsOf({
      MODE: 'test',
      PORT: '99999',
      PUBLIC_URL: 'nowhere',
      DOCS_ORIGIN: 'docs.example',
      DATABASE_URL: 'mysql://here',
      DOCUMENT_LIMIT_MIB: '0',
      DOCUMENT_STORE: 'nowhere',
      LOG_LEVEL: 'loud',
      RUN_WORKERS: 'maybe',
      FORENSIC_SECONDS: '0',
      FORENSIC_MEMORY_MIB: '255',
      FORENSIC_PARALLEL: 'all',
      FORENSIC_OCR: 'yes',
      SANDBOX_DELAY_MS: '-1',
      TOKEN_KEY: 'short',
      FORMER_TOKEN_KEYS: `${KEY} ${KEY}`,
      FORMER_ENCRYPTION_KEYS: `${KEY},hush`,
    });
    expect(message).to.include('32 bytes').and.not.include('hush').and.not.include(KEY);
    for (const name of [
      'MODE',
      'PORT',
      'PUBLIC_URL',
      'DOCS_ORIGIN',
      'DATABASE_URL',
      'DOCUMENT_LIMIT_MIB',
      'DOCUMENT_STORE',
      'LOG_LEVEL',
      'RUN_WORKERS',
      'FORENSIC_SECONDS',
      'FORENSIC_MEMORY_MIB',
      'FORENSIC_PARALLEL',
      'FORENSIC_OCR',
      'SANDBOX_DELAY_MS',
      'TOKEN_KEY',
      'FORMER_TOKEN_KEYS',
      'FORMER_ENCRYPTION_KEYS',
    ])
      expect(message).to.match(new RegExp(`^ {2}- ${name} `, 'm'));
  });

  it('accept only an origin for the docs, and never in live', () => {
    expect(readConfig({ DATA_DIR: folder.path }).docsOrigin).to.equal(undefined);
    for (const origin of ['https://docs.example', 'http://localhost:8080'])
      expect(readConfig({ DATA_DIR: folder.path, DOCS_ORIGIN: origin }).docsOrigin).to.equal(origin);
    for (const text of [
      '*',
      'null',
      'https://docs.example/',
      'https://docs.example/docs',
      'https://me@docs.example',
      'file:///docs',
    ])
      expect(faultsOf({ DOCS_ORIGIN: text }), text).to.include('DOCS_ORIGIN is');
    expect(faultsOf({ MODE: 'live', DOCS_ORIGIN: 'https://docs.example' })).to.include(
      'DOCS_ORIGIN is for the sandbox',
    );
  });

  it('accept origins that may frame the pages, and nothing that would end or extend the policy', () => {
    for (const text of [
      ...['*', "'none'", "'self'", 'https:', 'https://app.example https://*.partner.example:8443'],
      ...['http://[::1]:3000', 'https://app.example:65535', 'https://app.example:*'],
    ])
      expect(readConfig({ DATA_DIR: folder.path, FRAME_ANCESTORS: text }).frameAncestors).to.equal(text);
    for (const text of [
      'app.example',
      'https://app.example/path',
      "'none' https://a.example",
      '*; script-src *',
      ';https://app.example',
      'a,b',
      'https://app.example:65536',
      'http://[::1',
      'http://[::1];script-src',
    ])
      expect(faultsOf({ FRAME_ANCESTORS: text }), text).to.include('FRAME_ANCESTORS has');
    for (const text of ['*', 'https:', 'HTTP:', "'self' https:", 'https://app.example *'])
      expect(faultsOf({ MODE: 'live', FRAME_ANCESTORS: text }), text).to.include('live requires named origins');
    for (const text of ["'none'", "'self'", 'https://*.app.example'])
      expect(faultsOf({ MODE: 'live', FRAME_ANCESTORS: text }), text).to.not.include('FRAME_ANCESTORS');
  });

  it('never show a database password', () => {
    expect(faultsOf({ DATABASE_URL: 'mysql://me:hush@here/db' })).to.not.include('hush');
    const DATABASE_URL = 'postgres://me@here/db';
    for (const name of ['DATABASE_SESSION_URL', 'DATABASE_REPLICA_URL'])
      expect(faultsOf({ DATABASE_URL, [name]: 'mysql://me:hush@here/db' }))
        .to.include(`${name} must be postgres://`)
        .and.not.include('hush');
  });

  it('accept other routes to the database only on Postgres, and treat an empty one as none', () => {
    for (const name of ['DATABASE_SESSION_URL', 'DATABASE_REPLICA_URL'])
      expect(faultsOf({ [name]: 'postgres://me@here/db' })).to.include(`${name} is for Postgres`);
    const DATABASE_URL = 'postgres://me@here/db';
    const { database } = readConfig({ DATABASE_URL, DATABASE_SESSION_URL: '', DATABASE_REPLICA_URL: '' });
    expect(database).to.include({ url: DATABASE_URL, sessionUrl: undefined, replicaUrl: undefined });
  });

  it('keep nothing about people permanently in live, unless they say never; the sandbox keeps everything', () => {
    const names = Object.keys(retentionSettings);
    const all = (value: string) => Object.fromEntries(names.map((name) => [name, value]));
    const kept = (env: NodeJS.ProcessEnv, mode: 'sandbox' | 'live') => {
      const faults: string[] = [];
      const days = Object.entries(readRetention(env, mode, faults));
      expect(faults).to.deep.equal([]);
      expect(days.map(([name]) => name)).to.have.members(names);
      return days.filter(([, period]) => period === undefined).map(([name]) => name);
    };
    expect(kept({}, 'live')).to.deep.equal([]);
    expect(kept(all('never'), 'live')).to.have.members(names);
    expect(kept({}, 'sandbox')).to.have.members(names);
    expect(kept(all('30'), 'sandbox')).to.deep.equal([]);
    for (const name of names)
      expect(faultsOf({ [name]: 'always' })).to.include(`${name} is "always"; use a whole number`);
  });

  it('refuse live without the operator’s keys, without a public https address and with simulated providers', () => {
    const message = faultsOf({ MODE: 'live' });
    for (const word of [
      'PUBLIC_URL',
      'TOKEN_KEY',
      'ENCRYPTION_KEY',
      'KYC_PROVIDER',
      'EID_PROVIDER',
      'FRAME_ANCESTORS',
      'MAIL_PROVIDER',
    ])
      expect(message).to.include(word);
    expect(faultsOf({ MODE: 'live', PUBLIC_URL: 'http://plain.example' })).to.include('PUBLIC_URL');
    const keyed = faultsOf({ MODE: 'live', PUBLIC_URL: 'https://a.example', TOKEN_KEY: GOOD, ENCRYPTION_KEY: ANOTHER });
    expect(keyed).to.include('KYC_PROVIDER').and.not.include('TOKEN_KEY');
  });

  it('refuse a guessable key in live, naming it and the fix without showing it', () => {
    const guessable = {
      zeros: Buffer.alloc(32),
      'one byte': Buffer.alloc(32, 7),
      'counted up': Buffer.from(Array.from({ length: 32 }, (_, byte) => byte)),
      'counted in steps': Buffer.from(Array.from({ length: 32 }, (_, byte) => (byte * 37 + 11) & 0xff)),
      text: Buffer.from('correct horse battery staple 123'),
      'text as echo ends it': Buffer.from('correct horse battery staple 42\n'),
      hexadecimal: Buffer.from(randomBytes(16).toString('hex')),
      'base64 twice': Buffer.from(randomBytes(24).toString('base64')),
      'half a key twice': Buffer.concat(Array(2).fill(randomBytes(16))),
      'few random bytes': Buffer.concat([Buffer.alloc(20), randomBytes(12)]),
    };
    for (const [what, key] of Object.entries(guessable)) {
      const text = key.toString('base64');
      for (const name of ['TOKEN_KEY', 'ENCRYPTION_KEY', 'FORMER_TOKEN_KEYS']) {
        const message = faultsOf({ MODE: 'live', TOKEN_KEY: GOOD, ENCRYPTION_KEY: ANOTHER, [name]: text });
        expect(message, `${name}: ${what}`)
          .to.match(new RegExp(`^ {2}- ${name} holds a key that can be guessed`, 'm'))
          .and.include('Make one:')
          .and.not.include(text);
      }
      // Data sealed by a weak key must be resealed, so the key may still open it.
      const leaving = { TOKEN_KEY: GOOD, ENCRYPTION_KEY: ANOTHER, FORMER_ENCRYPTION_KEYS: text };
      expect(faultsOf({ MODE: 'live', ...leaving }), what).to.not.include('_KEY');
      expect(faultsOf({ TOKEN_KEY: text, ENCRYPTION_KEY: text }), `the sandbox: ${what}`).to.equal('');
    }
    for (let index = 0; index < 2_000; index++)
      expect(faultsOf({ MODE: 'live', TOKEN_KEY: randomKey(), ENCRYPTION_KEY: randomKey() })).to.not.include('_KEY');
  });

  it('refuse one key for two purposes in live, former keys included', () => {
    const keys = { TOKEN_KEY: GOOD, ENCRYPTION_KEY: ANOTHER };
    for (const [given, names] of [
      [{ TOKEN_KEY: GOOD, ENCRYPTION_KEY: GOOD }, 'TOKEN_KEY and ENCRYPTION_KEY'],
      // Padding makes no difference.
      [{ TOKEN_KEY: GOOD, ENCRYPTION_KEY: GOOD.replace('=', '') }, 'TOKEN_KEY and ENCRYPTION_KEY'],
      [{ ...keys, FORMER_TOKEN_KEYS: ANOTHER }, 'FORMER_TOKEN_KEYS and ENCRYPTION_KEY'],
      [{ ...keys, FORMER_ENCRYPTION_KEYS: GOOD }, 'TOKEN_KEY and FORMER_ENCRYPTION_KEYS'],
    ] as const) {
      const message = faultsOf({ MODE: 'live', ...given });
      expect(message).to.include(`- ${names} hold the same key. Use`).and.not.include(GOOD).and.not.include(ANOTHER);
    }
    const rotating = { ...keys, FORMER_TOKEN_KEYS: randomKey(), FORMER_ENCRYPTION_KEYS: randomKey() };
    expect(faultsOf({ MODE: 'live', ...rotating })).to.not.include('_KEY');
  });

  it('start live with real providers for everything', () => {
    const env = {
      ...{
        MODE: 'live',
        PUBLIC_URL: 'https://a.example',
        FRAME_ANCESTORS: "'none'",
        TOKEN_KEY: GOOD,
        ENCRYPTION_KEY: ANOTHER,
      },
      ...{ KYC_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_live_abc', STRIPE_WEBHOOK_SECRET: 'whsec_abc' },
      ...{ EID_PROVIDER: 'oidc', EID_ISSUER: 'https://eid.example', EID_CLIENT_ID: 'a', EID_CLIENT_SECRET: 'b' },
      ...{ MAIL_PROVIDER: 'smtp', MAIL_FROM: 'a@b.example', SMTP_URL: 'smtp://mail.example' },
    };
    expect(faultsOf(env)).to.equal('');
    expect(faultsOf({ ...env, SMTP_TLS: 'none' })).to.include('SMTP_TLS');
    expect(faultsOf({ ...env, MAIL_PROVIDER: '', SMTP_URL: '' })).to.include(
      'MAIL_PROVIDER is sandbox; live needs a real provider.',
    );
  });

  it('refuse an incomplete key file, because anyone could sign with an empty key', async () => {
    const broken = join(folder.path, 'broken');
    await mkdir(join(broken, 'keys'), { recursive: true });
    await writeFile(join(broken, 'keys', 'token.key'), '');
    expect(faultsOf({ DATA_DIR: broken })).to.include('token.key does not hold a key');
  });

  it('accept former keys once each, in their order, without the current one', () => {
    const [second, third] = [8, 9].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const former = ` ${second}, ${KEY},${third},${second}`;
    const { encryption } = readConfig({
      DATA_DIR: folder.path,
      ENCRYPTION_KEY: KEY,
      FORMER_ENCRYPTION_KEYS: former,
    }).keys;
    expect(encryption).to.deep.equal({
      current: Buffer.alloc(32, 7),
      former: [Buffer.alloc(32, 8), Buffer.alloc(32, 9)],
    });
    for (const text of [',', `${KEY},`, `${KEY};${second}`, Buffer.alloc(31).toString('base64')])
      expect(faultsOf({ FORMER_ENCRYPTION_KEYS: text }), text).to.include('FORMER_ENCRYPTION_KEYS must hold');
  });

  it('create a sandbox’s keys once, readable by their owner only', async () => {
    const first = readConfig({ DATA_DIR: folder.path }).keys;
    const second = readConfig({ DATA_DIR: folder.path }).keys;
    expect(second.token[0].key.equals(first.token[0].key)).to.equal(true);
    expect(second.encryption).to.deep.equal(first.encryption);
    expect((await stat(join(folder.path, 'keys', 'token.key'))).mode & 0o777).to.equal(0o600);
  });
});
