import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { ProviderUnavailable } from '../../core/errors.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { EICAR } from '../../harness/peers/virus-scanner.ts';
import { until } from '../../harness/process/until.ts';
import { createClamd } from '../../providers/documents/clamd.ts';
import { UnacceptableDocument } from '../../providers/documents/port.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('none', 'nightly');

const MIB = 2 ** 20;
const LIMIT_MIB = 2;

describe('a real clamd', () => {
  const folder = suiteFixture(temporaryFolder);
  let daemon: ChildProcess | undefined;
  const clamd = () => createClamd({ path: join(folder.path, 'clamd.ctl') });
  const failure = (...pieces: Uint8Array[]) =>
    clamd()
      .check(Readable.from(pieces))
      .then(() => undefined)
      .catch((error) => error);

  before(async function () {
    this.timeout(60_000);
    // The one signature that is needed; freshclam would load 200 MB.
    const signature = Buffer.from(EICAR).toString('hex');
    await writeFile(join(folder.path, 'test.ndb'), `Eicar-Test-Signature:0:0:${signature}\n`);
    const settings = {
      LocalSocket: join(folder.path, 'clamd.ctl'),
      DatabaseDirectory: folder.path,
      Foreground: 'yes',
      StreamMaxLength: `${LIMIT_MIB}M`,
      AlertExceedsMax: 'yes',
      User: userInfo().username,
    };
    const file = join(folder.path, 'clamd.conf');
    await writeFile(
      file,
      Object.entries(settings)
        .map((setting) => `${setting.join(' ')}\n`)
        .join(''),
    );
    let trouble = '';
    daemon = spawn('clamd', [`--config-file=${file}`], { stdio: ['ignore', 'ignore', 'pipe'] })
      .on('error', () => {
        trouble = 'There is no clamd: apt-get install clamav-daemon';
      })
      .on('exit', (code) => {
        trouble ||= `clamd ended with ${code}.`;
      });
    daemon.stderr?.on('data', (text) => {
      trouble ||= String(text);
    });
    await until('clamd answers', async () => {
      if (trouble) throw new Error(trouble);
      return clamd()
        .signaturesFrom()
        .then(
          () => true,
          () => false,
        );
    });
  });
  after(() => daemon?.kill('SIGKILL'));

  it('clears a document', async () => {
    await clamd().check(Readable.from([sampleDocument(['Payslip January'])]));
    await clamd().check(Readable.from([randomBytes(MIB), Buffer.alloc(0), randomBytes(1)]));
  });

  it('refuses the EICAR file', async () => {
    expect(await failure(Buffer.from(EICAR))).to.be.instanceOf(UnacceptableDocument);
    expect(await failure(Buffer.from(EICAR.slice(0, 9)), Buffer.from(EICAR.slice(9)))).to.include({
      message: 'The virus scanner found Eicar-Test-Signature.UNOFFICIAL.',
    });
  });

  it('clears nothing beyond its limit, and nothing once it has ended', async () => {
    const pieces = Array.from({ length: 8 * LIMIT_MIB }, () => Buffer.alloc(MIB));
    expect(await failure(...pieces)).to.be.instanceOf(ProviderUnavailable);
    daemon?.kill('SIGKILL');
    await until('clamd has ended', () => daemon?.signalCode !== null);
    expect(await failure(Buffer.from('a'))).to.be.instanceOf(ProviderUnavailable);
  });
});
