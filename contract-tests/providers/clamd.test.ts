import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { ProviderUnavailable } from '../../core/errors.ts';
import { readConfig } from '../../core/settings/config.ts';
import { ConfigError } from '../../core/settings/config-error.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { EICAR, type ScannerFault, VirusScanner } from '../../harness/peers/virus-scanner.ts';
import { createClamd } from '../../providers/documents/clamd.ts';
import { UnacceptableDocument } from '../../providers/documents/port.ts';

databases('none');

const MIB = 2 ** 20;
const PATIENCE_MS = 300;
const FAULTS: readonly ScannerFault[] = ['silent', 'ends', 'no memory', 'nonsense'];

function addressOf(env: Record<string, string>) {
  return readConfig(env).scanner ?? expect.fail('no scanner is set');
}

const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((error) => error);

for (const isLocal of [false, true])
  describe(`the virus scanner at ${isLocal ? 'a socket of this machine' : 'a port'}`, () => {
    const scanner = suiteFixture(() => VirusScanner.start({ isLocal }));
    const clamd = (limitMs?: number) => createClamd(addressOf(scanner.env), limitMs);
    const check = (...pieces: Uint8Array[]) => clamd().check(Readable.from(pieces));
    afterEach(() => {
      scanner.fault = undefined;
    });

    it('gets every byte in its order, however the pieces are cut', async () => {
      const pieces = [randomBytes(1), Buffer.alloc(0), randomBytes(3 * MIB), randomBytes(70_000)];
      await check(...pieces);
      expect(scanner.scanned.at(-1)?.equals(Buffer.concat(pieces))).to.equal(true);
    });

    it('refuses the EICAR file, and one whose signature is spread over pieces', async () => {
      for (const pieces of [[EICAR], [EICAR.slice(0, 20), EICAR.slice(20)]]) {
        const error = await failure(check(...pieces.map((piece) => Buffer.from(piece))));
        expect(error).to.be.instanceOf(UnacceptableDocument).and.include({ reason: 'infected' });
      }
    });

    for (const fault of FAULTS)
      it(`clears nothing when its answer is: ${fault}`, async () => {
        scanner.fault = fault;
        expect(
          await failure(
            clamd(fault === 'silent' ? PATIENCE_MS : undefined).check(Readable.from([randomBytes(200_000)])),
          ),
        ).to.be.instanceOf(ProviderUnavailable);
      });

    it('clears nothing that is larger than it accepts, and is not waited for when it stops reading', async () => {
      scanner.maxBytes = MIB;
      const error = await failure(check(...Array.from({ length: 64 }, () => Buffer.alloc(MIB))));
      scanner.maxBytes = 25 * MIB;
      expect(error).to.be.instanceOf(ProviderUnavailable);
    });

    it('passes on the error of a document that cannot be read, and gives its connection back', async () => {
      async function* broken() {
        yield randomBytes(10);
        throw new Error('The store is away.');
      }
      const error = await failure(clamd().check(broken()));
      expect(error).to.be.instanceOf(Error).and.not.instanceOf(ProviderUnavailable);
    });

    it('says from when its signatures are, and clears nothing while it does not listen', async () => {
      const from = new Date('2026-11-08T09:37:05Z');
      scanner.signaturesFrom = from;
      expect(await clamd().signaturesFrom()).to.deep.equal(from);
      scanner.signaturesFrom = undefined;
      expect(await clamd().signaturesFrom()).to.equal(undefined);
      await scanner.stop();
      try {
        expect(await failure(check(Buffer.from('a')))).to.be.instanceOf(ProviderUnavailable);
        expect(await failure(clamd().signaturesFrom())).to.be.instanceOf(ProviderUnavailable);
      } finally {
        await scanner.listen();
      }
    });
  });

describe('VIRUS_SCANNER', () => {
  it('takes addresses as clamd listens, and no others', () => {
    expect(readConfig({}).scanner).to.equal(undefined);
    const accepted = {
      'tcp://127.0.0.1:3310': { host: '127.0.0.1', port: 3310 },
      'tcp://[::1]:3310': { host: '::1', port: 3310 },
      'tcp://clamd:3310': { host: 'clamd', port: 3310 },
      'unix:/run/clamav/clamd.ctl': { path: '/run/clamav/clamd.ctl' },
      'unix:///run/clamav/clamd.ctl': { path: '/run/clamav/clamd.ctl' },
    };
    for (const [given, address] of Object.entries(accepted))
      expect(readConfig({ VIRUS_SCANNER: given }).scanner, given).to.deep.equal(address);
    for (const given of [
      'clamd:3310',
      'tcp://clamd',
      'tcp://a:b@clamd:3310',
      'http://clamd:3310',
      'unix:clamd',
      'tcp://clamd:3310/x',
    ])
      expect(() => readConfig({ VIRUS_SCANNER: given }), given).to.throw(ConfigError, 'VIRUS_SCANNER');
  });
});
