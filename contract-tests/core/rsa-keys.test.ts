import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { generate } from 'selfsigned';
import { readConfig } from '../../core/settings/config.ts';
import { ConfigError } from '../../core/settings/config-error.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';

databases('none');

/** The faults of settings, among others that live has with so few. */
function faultsOf(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    return error instanceof ConfigError ? error.message : expect.fail(String(error));
  }
}

describe('an RSA key of the operator', () => {
  const folder = suiteFixture(temporaryFolder);

  it('has 128 bits of security in live, 3,072 bits of its own, whether it signs requests to banks or seals reports', async () => {
    for (const [bits, refusedIn] of [
      [1024, ['sandbox', 'live']],
      [2048, ['live']],
      [3072, []],
    ] as const) {
      const pair = generateKeyPairSync('rsa', {
        modulusLength: bits,
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
        publicKeyEncoding: { type: 'spki', format: 'pem' },
      });
      const { cert } = await generate([], { keyPair: pair, algorithm: 'sha256' });
      const [bank, seal] = [join(folder.path, 'bank.pem'), join(folder.path, 'seal.pem')];
      writeFileSync(bank, pair.privateKey);
      writeFileSync(seal, `${pair.privateKey}\n${cert}`);
      for (const mode of ['sandbox', 'live'] as const) {
        const faults = faultsOf({
          MODE: mode,
          DATA_DIR: folder.path,
          BANK_PROVIDER: 'enable-banking',
          ENABLE_BANKING_APP_ID: 'a',
          ENABLE_BANKING_KEY_FILE: bank,
          REPORT_SIGNING_FILE: seal,
        });
        const isRefused = refusedIn.some((one) => one === mode);
        for (const name of ['ENABLE_BANKING_KEY_FILE', 'REPORT_SIGNING_FILE'])
          expect(faults.includes(`${name} must hold an RSA key of at least`), `${bits} ${mode} ${name}`).to.equal(
            isRefused,
          );
      }
    }
  });
});
